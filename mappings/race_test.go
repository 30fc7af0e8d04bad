//go:build race

package mappings_test

// raceEnabled says that the race detector is on, which makes building the
// index of the full package take minutes.
const raceEnabled = true
