// Command sbom writes what a built program consists of, as CycloneDX: the
// modules that the Go tool noted in it, so that the list is that of this very
// file. The same program gives the same bytes.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM DOCUMENT")
		os.Exit(2)
	}
	text, err := describe(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
