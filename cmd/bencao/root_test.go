package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestHelp checks that the help of every command has a description, and examples that call the
// command.
func TestHelp(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: Short is %q; write a line without a full stop", c.CommandPath(), c.Short)
		}
		if c.Runnable() && !c.HasSubCommands() && !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s: Example is %q; show a call of the command", c.CommandPath(), c.Example)
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

// TestSettingsHaveKeys reads a configuration file that has every key, and checks the values of all
// settings.
func TestSettingsHaveKeys(t *testing.T) {
	value := func(s setting) (inFile, want string) {
		switch s.to.(type) {
		case *bool:
			return "true", "true"
		case *int:
			return "7", "7"
		case *float64:
			return "0.25", "0.25"
		case *[]string:
			return `["a", "b"]`, "a b"
		}
		return `"/x"`, "/x"
	}
	tables := map[string]string{}
	for _, s := range allSettings {
		table, key, found := strings.Cut(s.key, ".")
		if !found {
			table, key = "", s.key
		}
		if text, _ := value(s); key != "" {
			tables[table] += key + " = " + text + "\n"
		}
	}
	text := tables[""]
	for table, keys := range tables {
		if table != "" {
			text += "[" + table + "]\n" + keys
		}
	}
	var file configFile
	if err := file.parse("bencao.toml", []byte(text)); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, s := range allSettings {
		got, inFile := file.values[s.name]
		_, want := value(s)
		if s.key == "" && !inFile {
			continue
		}
		if strings.Join(got, " ") != want {
			t.Errorf("setting %s: the file sets %q, want %s", s.name, got, want)
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

// TestSettingsAreDocumented checks that docs/configuration.md lists every setting.
func TestSettingsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	must(t, err)
	for _, s := range allSettings {
		for _, name := range []string{"`--" + s.name + "`", "`" + s.variable() + "`"} {
			if !strings.Contains(string(text), name) {
				t.Errorf("docs/configuration.md does not have %s; add it to the table", name)
			}
		}
	}
}

// TestWindowsCommands checks that every command either works on Windows or is listed in
// notOnWindows.
func TestWindowsCommands(t *testing.T) {
	var others []string
	for _, c := range commands() {
		if name := c.Name(); !c.Hidden && !slices.Contains(notOnWindows, name) {
			others = append(others, name)
		}
	}
	if want := []string{"match", "mcp", "patterns", "reconcile", "search"}; !slices.Equal(slices.Sorted(slices.Values(others)), want) {
		t.Errorf("the commands on Windows are %v, want %v; see notOnWindows and commands_windows.go", others, want)
	}
	for _, name := range notOnWindows {
		if err := newUnavailable(name).RunE(nil, nil); exitCode(err) != exitUsage {
			t.Errorf("%s on Windows: %v", name, err)
		}
	}
}

// TestHelpGroups checks that a command with more than eight flags has groups of at most ten flags.
func TestHelpGroups(t *testing.T) {
	grouped := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		in, all := map[string]int{}, 0
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				all++
				in[strings.Join(f.Annotations[groupAnnotation], "")]++
			}
		})
		if all > 8 {
			grouped++
			for title, n := range in {
				if n > 10 || title == "" && n > 4 {
					t.Errorf("%s has %d flags in the group %q of its help; call group", c.CommandPath(), n, title)
				}
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	if grouped < 8 {
		t.Errorf("the test finds only %d commands with more than eight flags", grouped)
	}
}
