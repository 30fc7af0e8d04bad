package main

import "github.com/spf13/cobra"

// commands returns the commands of Windows. The linker leaves out the code of the others.
func commands() []*cobra.Command {
	all := []*cobra.Command{newSearch(), newMatch(), newReconcile(), newVersion()}
	for _, name := range notOnWindows {
		all = append(all, newUnavailable(name))
	}
	return all
}
