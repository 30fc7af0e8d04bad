//go:build race

package indexer_test

// underRace says that the race detector is on.
const underRace = true
