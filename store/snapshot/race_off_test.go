//go:build !race

package snapshot_test

const raced = false
