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
func onPty(t *testing.T, out io.Writer, env []string, args ...string) string {
	t.Helper()
	cmd := self(t, args...)
	cmd.Env = append(os.Environ(), append([]string{"TERM=xterm", "NO_COLOR=", "CLICOLOR=", "CLICOLOR_FORCE="}, env...)...)
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

// TestTerminal checks the output that the program writes to a terminal but not to a pipe: progress
// bars with units, and colours. Users can turn colours on and off by variables and by --color.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", dir) })
	data := filepath.Join(dir, "data")
	said := onPty(t, nil, nil, "index", "--data", data, "--source", filepath.Join("..", "..", "indexer", "sample", "package"))
	for _, want := range []string{"read package", " rows/", " names/", "published, current snapshot", "\x1b[1mtable\x1b[0m "} {
		if !strings.Contains(said, want) {
			t.Errorf("index on a terminal does not show %q:\n%q", want, said)
		}
	}

	var answers strings.Builder
	list := filepath.Join(dir, "list")
	must(t, os.WriteFile(list, []byte("name\nPanax ginseng\n"), 0o644))
	said = onPty(t, &answers, nil, "match", "--data", data, list)
	if !strings.Contains(said, "matching") || !strings.Contains(said, "rows") || strings.Contains(answers.String(), "\x1b") {
		t.Errorf("match shows %q on the terminal and prints %q", said, &answers)
	}

	search := []string{"snapshots", "--data", data}
	for _, tt := range []struct {
		env      []string
		args     []string
		coloured bool
	}{
		{nil, nil, true},
		{[]string{"NO_COLOR=1"}, nil, false},
		{[]string{"CLICOLOR=0"}, nil, false},
		{[]string{"TERM=dumb"}, nil, false},
		{[]string{"NO_COLOR=1"}, []string{"--color", "always"}, true},
		{nil, []string{"--color=never"}, false},
	} {
		if got := strings.Contains(onPty(t, nil, tt.env, append(search, tt.args...)...), "\x1b["); got != tt.coloured {
			t.Errorf("with the variables %q and the flags %q, colours are %v", tt.env, tt.args, got)
		}
	}
	for env, coloured := range map[string]bool{"CLICOLOR_FORCE=1": true, "CLICOLOR_FORCE=0": false, "CLICOLOR=1": false} {
		cmd := self(t, search...)
		cmd.Env = append(os.Environ(), "NO_COLOR=", env)
		b, err := cmd.Output()
		if err != nil || strings.Contains(string(b), "\x1b[") != coloured {
			t.Errorf("in a pipe with %s (%v): %q", env, err, b)
		}
	}
}
