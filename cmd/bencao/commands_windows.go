package main

import "github.com/spf13/cobra"

// commands returns the commands of Windows. The commands in notOnWindows only print that they need
// Linux or macOS.
func commands() []*cobra.Command {
	all := []*cobra.Command{newSearch(), newPatterns(), newMatch(), newReconcile(), newMCP()}
	for _, name := range notOnWindows {
		all = append(all, newUnavailable(name))
	}
	return all
}
