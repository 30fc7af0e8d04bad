//go:build manual

// With the build tag manual, this package is a program that writes man pages and shell completions
// for packages and archives.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra/doc"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manual FOLDER")
		os.Exit(exitUsage)
	}
	if err := writeManual(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFailed)
	}
}

// writeManual writes the folders man1 and completions below dir. The date in the pages comes from
// $SOURCE_DATE_EPOCH.
func writeManual(dir string) error {
	man, completions := filepath.Join(dir, "man1"), filepath.Join(dir, "completions")
	if err := errors.Join(os.MkdirAll(man, 0o755), os.MkdirAll(completions, 0o755)); err != nil {
		return err
	}
	root := newRoot()
	root.DisableAutoGenTag = true
	return errors.Join(
		doc.GenManTree(root, &doc.GenManHeader{Title: "BENCAO", Section: "1", Source: "bencao", Manual: "Bencao"}, man),
		root.GenBashCompletionFileV2(filepath.Join(completions, "bencao.bash"), true),
		root.GenFishCompletionFile(filepath.Join(completions, "bencao.fish"), true),
		root.GenZshCompletionFile(filepath.Join(completions, "_bencao")),
	)
}
