// Package faults tests the promises of docs/faults.md with real faults. It builds bencao and runs
// it as a process over a snapshot of the sample. It then causes the faults that servers meet:
// kills, full disks, lost power, damaged files, hostile clients.
//
// The package holds only tests. They take minutes, so they run only if BENCAO_FAULTS is set: to
// all, as "make faults" does, or to 1, which tries only about a sixth of the calls. A test that
// needs root or a missing tool says so and is skipped. With CI=true it fails instead, since CI has
// all tools.
package faults
