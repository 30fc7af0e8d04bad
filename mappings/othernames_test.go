package mappings_test

import (
	"testing"

	"bencao/mappings"
	"bencao/names/han"
)

// TestOtherNames checks that each other name of a book or an author means another text, which is not
// itself another name.
func TestOtherNames(t *testing.T) {
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
