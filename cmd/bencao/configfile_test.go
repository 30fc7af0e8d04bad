package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bencao/internal/testkit"
)

// FuzzConfig checks that any file is either read or refused with a usage error that names the file,
// within limits of memory.
func FuzzConfig(f *testing.F) {
	f.Add([]byte("data = \"d\"\n[limits]\nredis = \"redis://10.0.0.5\"\n[[checklist]]\nname = \"wcvp\"\npath = \"p\"\n[columns.species]\na = \"b\"\n"))
	for _, text := range configBombs(5) {
		f.Add([]byte(text))
	}
	f.Fuzz(holdsConfig)
}

// configBombs returns configuration files that repeat one element n times, such as a key, a table
// or a bracket.
func configBombs(n int) []string {
	var names strings.Builder
	for i := range n {
		fmt.Fprintf(&names, "a%d='x'\n", i)
	}
	return []string{
		names.String(), "[columns.species]\n" + names.String(), strings.Repeat("a.", n) + "a=1", "[columns." + strings.Repeat("a.", n) + "a]",
		"reader=" + strings.Repeat("[", n) + strings.Repeat("]", n), "reader=[" + strings.Repeat("'',", n) + "]",
		strings.Repeat("[[checklist]]\n", n), strings.Repeat("\n", n) + "=", "data='" + strings.Repeat("x", 20*n) + "'",
	}
}

// TestConfigBombs does the same as [FuzzConfig] with large files.
func TestConfigBombs(t *testing.T) {
	for _, text := range configBombs(60_000) {
		holdsConfig(t, []byte(text))
	}
}

// holdsConfig reads a configuration file and checks what [FuzzConfig] promises.
func holdsConfig(t *testing.T, text []byte) {
	var c configFile
	var err error
	testkit.LimitAlloc(t, testkit.MaxAlloc(4*len(text)), func() { err = c.parse("bencao.toml", text) })
	if wrong := (*usageError)(nil); err != nil && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), "bencao.toml")) {
		t.Errorf("%.80q gives %v, want a wrong usage that names the file", text, err)
	}
}
