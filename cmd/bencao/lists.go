package main

import (
	"bytes"
	"io"
	"os"
	"strings"

	tables "bencao/internal/rows"

	"github.com/spf13/cobra"
)

// encodingOf returns the name of an encoding as package rows writes it.
func encodingOf(name string) (string, error) {
	plain := func(name string) string { return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name)) }
	if name == "" {
		return "", nil
	}
	for _, known := range tables.Encodings() {
		if plain(name) == plain(known) {
			return known, nil
		}
	}
	return "", usagef("encoding is %q; use one of %s", name, strings.Join(tables.Encodings(), ", "))
}

// rowsOf returns the number of lines of a list, for the progress bar. If there is no bar, or the
// list is no regular file, it returns -1 without reading the file.
func rowsOf(cmd *cobra.Command, f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !withBar(cmd) {
		return -1, err
	}
	lines := int64(0)
	buf := make([]byte, 1<<20)
	for {
		n, err := f.Read(buf)
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		if err == io.EOF {
			_, err = f.Seek(0, io.SeekStart)
			return lines, err
		}
		if err != nil {
			return -1, err
		}
	}
}

// withBar reports whether cmd draws a progress bar: standard error is a terminal, and standard
// output, which gets the results, is not.
func withBar(cmd *cobra.Command) bool {
	return onTerminal(cmd.ErrOrStderr()) && !onTerminal(cmd.OutOrStdout())
}
