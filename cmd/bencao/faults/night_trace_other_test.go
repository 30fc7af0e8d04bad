//go:build linux && !amd64

package faults_test

import "testing"

// On other processors the calls have other numbers and registers, so no faults are injected.
var syncs, renames, unlinks, writes, truncates, opens, links, mkdirs, chmods []uint64

func afflict(t *testing.T, _ harm, _ ...string) ending {
	t.Helper()
	lacking(t, "an amd64 processor, whose system calls it knows how to break,")
	return ending{}
}
