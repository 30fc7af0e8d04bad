// Package faults tests the promises of docs/faults.md with real faults. It builds bencao, runs it
// as a process over a snapshot of the sample, and does to it what happens to servers: kills, full
// disks, lost power, damaged files, hostile clients.
//
// The package holds only tests. They take minutes, so they run only if BENCAO_FAULTS is set: to
// all, as "make faults" does, or to 1, which kills at every sixth call and lets fewer calls fail. A
// test that needs root or a missing tool says so and is skipped. With CI=true it fails instead,
// since CI has all tools.
package faults
