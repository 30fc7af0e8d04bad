package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// onPty runs the program on a pseudo-terminal and returns the text that the terminal received.
// Standard error goes to the terminal. Standard output goes to out, or to the terminal if out is
// nil.
func onPty(t *testing.T, out io.Writer, args ...string) string {
	t.Helper()
	cmd := self(t, args...)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.Stdout, cmd.Stderr = out, nil
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 200})
	must(t, err)
	defer terminal.Close()
	b, err := io.ReadAll(terminal)
	if err != nil && !errors.Is(err, syscall.EIO) { // Linux returns EIO after all writers have closed the terminal
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, b)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// TestTerminal checks the progress bars, which the program writes to a terminal but not to a pipe.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", dir) })
	data := filepath.Join(dir, "data")
	said := onPty(t, nil, "index", "--data", data, "--source", filepath.Join("..", "..", "indexer", "sample", "package"))
	for _, want := range []string{"read package", " rows/", " names/", "published, current snapshot"} {
		if !strings.Contains(said, want) {
			t.Errorf("index on a terminal does not show %q:\n%q", want, said)
		}
	}

	var answers strings.Builder
	list := filepath.Join(dir, "list")
	must(t, os.WriteFile(list, []byte("name\nPanax ginseng\n"), 0o644))
	said = onPty(t, &answers, "match", "--data", data, list)
	if !strings.Contains(said, "matching") || !strings.Contains(said, "rows") || strings.Contains(answers.String(), "\x1b") {
		t.Errorf("match shows %q on the terminal and prints %q", said, &answers)
	}
}
