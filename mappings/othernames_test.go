package mappings_test

import (
	"os"
	"strings"
	"testing"

	"bencao/mappings"
	"bencao/names/han"
)

// TestOtherNames checks that each other name of a book or an author has a source and means another
// text, which is not itself another name.
func TestOtherNames(t *testing.T) {
	rows, err := os.ReadFile("othernames.txt")
	must(t, err)
	for line := range strings.Lines(string(rows)) {
		if cells := strings.Split(line, "|"); len(cells) == 3 && !strings.HasPrefix(line, "#") && strings.TrimSpace(cells[2]) == "" {
			t.Errorf("no source: %s", line)
		}
	}
	persons := 0
	for other, name := range mappings.OtherPersonNames() {
		if persons++; han.Fold(other) != other || other == name || name == "" || mappings.PersonKey(name) != name {
			t.Errorf("%q means %q", other, name)
		}
	}
	titles := map[string]string{}
	for other, title := range mappings.OtherTitles() {
		titles[other] = title
	}
	for other, title := range titles {
		if han.Fold(other) != other || other == title || title == "" || titles[title] != "" {
			t.Errorf("%q means %q", other, title)
		}
	}
	if persons < 40 || len(titles) < 10 || titles["千金方"] != "备急千金要方" {
		t.Errorf("%d names of persons and %d titles were read", persons, len(titles))
	}
}
