//go:build !race

// Package race tells tests whether the race detector is on. With it, computations take ten times as
// long.
package race

// On reports whether the race detector is on.
const On = false
