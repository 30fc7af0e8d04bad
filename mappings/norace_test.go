//go:build !race

package mappings_test

const raceEnabled = false
