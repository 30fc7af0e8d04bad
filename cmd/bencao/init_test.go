package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
)

// TestFirstRequest runs the commands in "The first request" of docs/install.md. It changes only the
// port numbers and the package.
func TestFirstRequest(t *testing.T) {
	need(t, "curl", "curl")
	_, text, _ := strings.Cut(read(t, filepath.Join("..", "..", "docs", "install.md")), "## The first request\n```sh\n")
	commands, _, found := strings.Cut(text, "```")
	if !found || strings.Count(commands, "bencao ") < 3 || !strings.Contains(commands, "curl ") {
		t.Fatalf("docs/install.md has no commands for the first request: %q", commands)
	}
	source, err := filepath.Abs(filepath.Join("..", "..", "indexer", "sample", "package"))
	must(t, err)
	commands = strings.NewReplacer("127.0.0.1:8080", testkit.FreeAddress(t), "127.0.0.1:9090", testkit.FreeAddress(t), "china-plants.zip", source).Replace(commands)
	dir := t.TempDir()
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", dir) })
	cmd := exec.Command("sh", "-e", "-c", commands+"kill $!\nwait\n")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(self(t).Path)+":"+os.Getenv("PATH"))
	b, err := cmd.Output()
	if err != nil || !strings.Contains(string(b), `{"speciesWithChineseName":`) {
		t.Errorf("%v\n%s", err, b)
	}
}

func TestNearby(t *testing.T) {
	for address, want := range map[string]string{
		":8080":                   "localhost:8080",
		"0.0.0.0:8080":            "localhost:8080",
		"[::]:8080":               "localhost:8080",
		"127.0.0.1:8080":          "127.0.0.1:8080",
		"unix:/run/bencao/a.sock": "localhost",
	} {
		if got := nearby(address); got != want || !isSite("http://"+got) {
			t.Errorf("nearby(%q) = %s, want %s", address, got, want)
		}
	}
}
