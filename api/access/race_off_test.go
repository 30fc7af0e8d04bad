//go:build !race

package access_test

// underRace tells that the race detector slows the tests down.
const underRace = false
