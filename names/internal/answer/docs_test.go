package answer_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/names/internal/answer"
)

// TestFlagsAreDocumented checks that the table of flags in docs/name-matching.md lists every flag
// once and no other.
func TestFlagsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "name-matching.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(doc), "\n| flag | ")
	if !found {
		t.Fatal("docs/name-matching.md has no table that begins with the column flag")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var documented []string
	for _, row := range strings.Split(table, "\n")[2:] {
		cell := strings.Split(row, "|")[1]
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			documented = append(documented, m[1])
		}
	}
	want := answer.FlagWords{}.Enum()
	for _, word := range want {
		if !slices.Contains(documented, word) {
			t.Errorf("docs/name-matching.md: the table of flags lacks %s; say what it means and what a reader does", word)
		}
	}
	for i, word := range documented {
		if !slices.Contains(want, word) || slices.Contains(documented[:i], word) {
			t.Errorf("docs/name-matching.md: the table of flags has %s, which is no flag or stands there twice", word)
		}
	}
}
