//go:build linux && !amd64

package faults_test

import "testing"

// The calls have other numbers and other registers here.
var syncs, renames, unlinks, writes, truncates, opens, links, mkdirs, chmods []uint64

func afflict(t *testing.T, _ harm, _ ...string) ending {
	t.Helper()
	lacking(t, "an amd64 processor, whose system calls it knows how to break,")
	return ending{}
}
