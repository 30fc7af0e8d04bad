// Package faults tests the promises of docs/faults.md with real faults. It builds bencao and runs
// it as a process on a snapshot of the sample data. It then causes the faults that servers meet:
// kills, full disks, power cuts, damaged files, malicious clients.
//
// The package has only tests. They take minutes, so they run only if BENCAO_FAULTS is set. The
// value all, which "make faults" sets, injects a fault into every system call of a command; the
// value 1 injects one into about every sixth call. A test that needs root or a missing tool is
// skipped with a message. With CI=true it fails instead, because CI has all tools.
package faults
