//go:build race

package race

// On says whether the race detector is on.
const On = true
