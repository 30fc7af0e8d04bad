//go:build !windows

package main

import "github.com/spf13/cobra"

// commands returns the commands of Linux and macOS.
func commands() []*cobra.Command {
	return []*cobra.Command{
		newDemo(), newInit(), newIndex(), newServe(), newPull(),
		newSearch(), newPatterns(), newPrescriptions(), newMatch(), newReconcile(), newMCP(),
		newKeysCmd(), newSnapshots(), newReport(), newVerify(), newRollback(), newPin(), newUnpin(), newPrune(), newDoctor(), newReady(), newTrust(), newExport(), newConfig(),
	}
}
