// Command notices writes THIRD_PARTY_NOTICES.txt: the licences of all modules that are linked into
// bencao on any supported system. Run it in the repository's root.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: notices THIRD_PARTY_NOTICES.txt")
		os.Exit(2)
	}
	text, err := notices(filepath.Dir(os.Args[1]))
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
