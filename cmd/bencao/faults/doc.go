// Package faults breaks the program for real and looks whether what
// docs/faults.md promises holds: it builds bencao, runs it as a process of its
// own over a snapshot of the sample, and does to it what the world does to a
// server.
//
// It holds tests only. They take minutes, so they run when BENCAO_FAULTS is all,
// as "make faults" sets it, or 1, which kills at every sixth call and fails fewer.
// A test that needs root or a tool says so and is skipped; with CI=true, where all
// tools are, it fails instead.
package faults
