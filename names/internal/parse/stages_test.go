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

// TestStages keeps true what "How one name is matched, stage by stage" of docs/name-matching.md says
// of parsing.
func TestStages(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "name-matching.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"<i>Salvia</i> cf. miltiorhiza  Bge. [sic] s.l.",
		"Fallopia x bohemica (F. japonica x F. sachalinensis)",
	} {
		if want := stages(text); !strings.Contains(string(doc), want) {
			t.Errorf("docs/name-matching.md, \"How one name is matched, stage by stage\", must say:\n%s", want)
		}
	}
}

// stages writes what each stage of parsing makes of a name.
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
