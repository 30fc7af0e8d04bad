//go:build !race

// Package race tells tests whether the race detector is on. The race detector makes computations
// ten times slower.
package race

// On reports whether the race detector is on.
const On = false
