//go:build !race

// Package race tells tests whether the race detector is on, which makes all that
// computes ten times as slow.
package race

// On says whether the race detector is on.
const On = false
