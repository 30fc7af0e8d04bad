package parse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names/internal/parse"
)

// TestStages takes two names through the stages that the package comment lists, and compares the
// values with testdata/stages.txt.
func TestStages(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "stages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got := stages("<i>Salvia</i> cf. miltiorhiza  Bge. [sic] s.l.") + "\n" +
		stages("Fallopia x bohemica (F. japonica x F. sachalinensis)")
	if got != string(want) {
		t.Errorf("testdata/stages.txt should be:\n%s", got)
	}
}

// stages returns the values of a text after each stage of parsing.
func stages(text string) string {
	cleaned, _ := parse.Clean(text)
	n := parse.New(nil).Parse(text)
	var words, keys []string
	for _, w := range n.Tokens {
		words = append(words, w.Text+" ("+w.Kind.String()+")")
	}
	for _, k := range n.Keys {
		keys = append(keys, string(k.Text))
	}
	parts := slices.DeleteFunc([]string{n.Canonical, n.Author, strings.Join(n.Flags.Words(), ", ")}, func(s string) bool { return s == "" })
	return fmt.Sprintf("text      %s\nclean     %s\nwords     %s\nname      %s\nkey       %s\n",
		text, cleaned, strings.Join(words, " "), strings.Join(parts, "; "), strings.Join(keys, "; "))
}
