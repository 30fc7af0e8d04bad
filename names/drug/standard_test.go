package drug_test

import (
	"testing"

	"bencao/names/drug"
)

// TestStandardTable checks that standard.txt does not contradict itself.
func TestStandardTable(t *testing.T) {
	list := drug.Statements()
	if len(list) < 3000 {
		t.Errorf("standard.txt says something of %d names; 3,000 are wanted", len(list))
	}
	for _, s := range list {
		for _, d := range s.Drugs {
			if of := drug.Standard(d); of != "" {
				t.Errorf("standard.txt:%d: %s is not a standard name, but the same as %s", s.Line, d, of)
			}
			if s.Relation != drug.Different && drug.AreDifferent(s.Name, d) {
				t.Errorf("standard.txt:%d: %s and %s are also different", s.Line, s.Name, d)
			}
		}
		of := drug.Standard(s.Name)
		switch {
		case s.Relation == drug.Same && of != s.Drugs[0]:
			t.Errorf("standard.txt:%d: %s is the same as %s and as %s", s.Line, s.Name, s.Drugs[0], of)
		case s.Relation != drug.Same && s.Relation != drug.Different && of != "":
			t.Errorf("standard.txt:%d: %s has its own record and is the same as %s", s.Line, s.Name, of)
		}
	}
}
