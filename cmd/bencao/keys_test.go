package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/api/access"
)

// TestKeysExitCode checks the exit code of "bencao keys": 2 for an error in the command line, 1 for
// any other failure.
func TestKeysExitCode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.toml")
	tests := []struct {
		args string
		want int
	}{
		{"create --id lab --network 192.0.2.0/24", exitDone},
		{"create --id lab --network 192.0.2.0/24", exitFailed},
		{"create --id lab2", exitUsage},
		{"create --id lab2 --network x", exitUsage},
		{"create --id lab2 --network 192.0.2.0/24 --scope x", exitUsage},
		{"create --id lab2 --network 192.0.2.0/24 --rate x", exitUsage},
		{"create --id lab2 --network 0.0.0.0/0", exitUsage},
		{"edit lab", exitUsage},
		{"edit lab --rate 0", exitUsage},
		{"edit nobody --rate 1", exitFailed},
		{"expire lab --at someday", exitUsage},
		{"show nobody", exitFailed},
		{"show", exitUsage},
		{"list lab", exitUsage},
		{"lsit", exitUsage},
		{"list", exitDone},
	}
	for _, tt := range tests {
		args := append([]string{"keys"}, strings.Fields(tt.args)...)
		if args[1] != "lsit" {
			args = append(args, "--access", path)
		}
		var stdout, stderr bytes.Buffer
		if got := run(args, strings.NewReader(""), &stdout, &stderr); got != tt.want {
			t.Errorf("keys %s: exit code %d, want %d; it said %q", tt.args, got, tt.want, stderr.String())
		}
	}
}

// full is an output on which every write fails, as on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestKeysCreateUnseen checks that "bencao keys create" removes a key again if it could not print
// the key.
func TestKeysCreateUnseen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.toml")
	var stderr bytes.Buffer
	args := []string{"keys", "create", "--access", path, "--id", "lab", "--network", "192.0.2.0/24"}
	if got := run(args, os.Stdin, full{}, &stderr); got != exitFailed || !strings.Contains(stderr.String(), "print the key: no space left") {
		t.Errorf("exit code %d, %q; want %d and the reason", got, stderr.String(), exitFailed)
	}
	table, err := access.Read(path)
	must(t, err)
	if n := len(table.Entries()); n != 0 {
		t.Errorf("%d keys are in the file, want none", n)
	}
}
