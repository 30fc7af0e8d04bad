package main

import "github.com/spf13/cobra"

// commands returns the commands of Windows. Those in notOnWindows only say that they need another
// system.
func commands() []*cobra.Command {
	all := []*cobra.Command{newSearch(), newPatterns(), newMatch(), newReconcile(), newMCP(), newVersion()}
	for _, name := range notOnWindows {
		all = append(all, newUnavailable(name))
	}
	return all
}
