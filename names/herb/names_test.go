package herb_test

import (
	"slices"
	"testing"

	"bencao/names/han"
	"bencao/names/herb"
)

// TestNames checks that names.txt does not contradict itself, and that each of its names leads to its
// herb.
func TestNames(t *testing.T) {
	list := herb.Statements()
	if len(list) < 3000 {
		t.Errorf("names.txt says something of %d names; 3,000 are wanted", len(list))
	}
	main := map[string]bool{}
	for _, d := range herb.All() {
		main[han.Fold(d.Name)] = true
	}
	for _, s := range list {
		for _, d := range s.Herbs {
			if of := herb.Standard(d); of != "" {
				t.Errorf("names.txt:%d: %s is not a standard name, but the same as %s", s.Line, d, of)
			}
			if key := han.Fold(d); !main[key] && !slices.ContainsFunc(herb.StatementsOn(d), func(s herb.Statement) bool { return s.Relation.Derived() }) {
				t.Errorf("names.txt:%d: nothing says what %s is; give it a line in plants-*.txt or others.txt, or its relation to the herb that it is", s.Line, d)
			}
			if s.Relation != herb.Different && !s.Dated() && herb.AreDifferent(s.Name, d) {
				t.Errorf("names.txt:%d: %s and %s are also different", s.Line, s.Name, d)
			}
		}
		of, key := herb.Standard(s.Name), han.Fold(s.Name)
		switch {
		case s.Folds, s.Dated():
		case s.Relation == herb.Same && of != s.Herbs[0]:
			t.Errorf("names.txt:%d: %s is the same as %s and as %s", s.Line, s.Name, s.Herbs[0], of)
		case (s.Relation.Derived() || s.Relation == herb.Unproven) && of != "":
			t.Errorf("names.txt:%d: %s has its own record and is the same as %s", s.Line, s.Name, of)
		}
		derived := slices.ContainsFunc(herb.StatementsOn(s.Name), func(s herb.Statement) bool { return s.Relation.Derived() })
		if s.Relation == herb.Different && of == "" && !derived && !main[key] {
			t.Errorf("names.txt:%d: nothing says what %s is; give it a line in plants-*.txt or others.txt, or its relation to the herb that it is", s.Line, s.Name)
		}
	}
}
