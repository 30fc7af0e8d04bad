package herb_test

import (
	"testing"

	"bencao/names/herb"
)

// TestStandardTable checks that standard.txt does not contradict itself.
func TestStandardTable(t *testing.T) {
	list := herb.Statements()
	if len(list) < 3000 {
		t.Errorf("standard.txt says something of %d names; 3,000 are wanted", len(list))
	}
	for _, s := range list {
		for _, d := range s.Herbs {
			if of := herb.Standard(d); of != "" {
				t.Errorf("standard.txt:%d: %s is not a standard name, but the same as %s", s.Line, d, of)
			}
			if s.Relation != herb.Different && herb.AreDifferent(s.Name, d) {
				t.Errorf("standard.txt:%d: %s and %s are also different", s.Line, s.Name, d)
			}
		}
		of := herb.Standard(s.Name)
		switch {
		case s.Relation == herb.Same && of != s.Herbs[0]:
			t.Errorf("standard.txt:%d: %s is the same as %s and as %s", s.Line, s.Name, s.Herbs[0], of)
		case s.Relation != herb.Same && s.Relation != herb.Different && of != "":
			t.Errorf("standard.txt:%d: %s has its own record and is the same as %s", s.Line, s.Name, of)
		}
	}
}
