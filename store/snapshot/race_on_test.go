//go:build race

package snapshot_test

// raced tells that the race detector is on: processes start ten times slower,
// so those tests that start hundreds make do with fewer.
const raced = true
