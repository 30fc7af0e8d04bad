package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp checks that every command says what it does and shows how.
func TestHelp(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: Short is %q; write a line without a full stop", c.CommandPath(), c.Short)
		}
		if c.Runnable() && !c.HasSubCommands() && !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s: Example is %q; show a call of it", c.CommandPath(), c.Example)
		}
		if c.HasParent() && !c.Parent().HasParent() && c.GroupID == "" {
			t.Errorf("%s belongs to no group of \"bencao help\"; set GroupID", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
}

// TestSettingsHaveKeys checks that each setting has its key in the
// configuration file, except those that are for one night.
func TestSettingsHaveKeys(t *testing.T) {
	keys := slices.Concat(validKeys(nil), validKeys([]string{"limits"}), validKeys([]string{"bucket"}), validKeys([]string{"report"}))
	for _, s := range allSettings {
		key := strings.ReplaceAll(s.name, "-", "_")
		if inFile := slices.Contains(keys, key); inFile != (s.file != nil) {
			t.Errorf("setting %s: its row reads the configuration file: %t, configFile has the key %s: %t; make both the same",
				s.name, s.file != nil, key, inFile)
		}
	}
}

func TestSize(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		want string
	}{
		{0, "0 B"}, {1023, "1023 B"}, {1024, "1.0 KiB"}, {11761886, "11.2 MiB"}, {5 << 40, "5.0 TiB"}, {5 << 50, "5120.0 TiB"},
	} {
		if got := size(tt.n); got != tt.want {
			t.Errorf("size(%d) = %q, want %q", tt.n, got, tt.want)
		}
	}
}

// TestSettingsAreDocumented looks for each setting in docs/configuration.md.
func TestSettingsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range allSettings {
		for _, name := range []string{"`--" + s.name + "`", "`" + s.variable() + "`"} {
			if !strings.Contains(string(text), name) {
				t.Errorf("docs/configuration.md does not have %s; add it to the table", name)
			}
		}
	}
}
