//go:build linux && !amd64

package faults_test

import "testing"

// On other processors, system calls have other numbers and registers. No test injects faults there.
var syncs, renames, unlinks, writes, truncates, opens, links, mkdirs, chmods []uint64

func afflict(t *testing.T, _ harm, _ ...string) ending {
	t.Helper()
	lacking(t, "an amd64 processor, whose system calls it knows how to break,")
	return ending{}
}
