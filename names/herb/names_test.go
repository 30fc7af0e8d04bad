package herb_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"bencao/names/han"
	"bencao/names/herb"
)

// TestMain reads the tables first and prints what is wrong with a line of them.
func TestMain(m *testing.M) {
	defer func() {
		if wrong := recover(); wrong != nil {
			fmt.Fprintln(os.Stderr, wrong)
			os.Exit(1)
		}
	}()
	herb.All()
	os.Exit(m.Run())
}

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
		if s.Relation != herb.Different && s.Relation != herb.Unproven && herb.LookupProven(s.Name) == nil {
			t.Errorf("names.txt:%d: %s leads to no herb", s.Line, s.Name)
		}
		if s.Dated() && of != "" {
			t.Errorf("names.txt:%d: %s means %s in some years, and %s in all; give both rows years", s.Line, s.Name, s.Herbs[0], of)
		}
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

// TestOneHerb checks that the main name of a plant is neither a name that says by its words that it means
// another herb, nor a folk name of another herb.
func TestOneHerb(t *testing.T) {
	main := map[string]*herb.Herb{}
	for _, d := range herb.All() {
		main[han.Fold(d.Name)] = d
	}
	for _, s := range herb.Statements() {
		if own := main[han.Fold(s.Name)]; own != nil && own.IsPlant() && s.Source == "构词" && s.Relation == herb.Same && !s.Folds {
			t.Errorf("names.txt:%d: %s says by its words that it is %s, but has its own line in plants-*.txt; take one of them out", s.Line, s.Name, s.Herbs[0])
		}
	}
	for _, d := range herb.All() {
		for _, a := range d.Aliases {
			if other := main[han.Fold(a.Name)]; a.Kind == herb.FolkName && other != nil {
				t.Errorf("%s is a folk name of %s and the main name of %s", a.Name, d.Name, other.Name)
			}
		}
	}
}

// TestSameSpecies checks that a name that names.txt gives to a herb in all years is not in plants-*.txt
// and others.txt the name of a herb from other species.
func TestSameSpecies(t *testing.T) {
	species := map[string][]string{}
	for _, d := range herb.All() {
		for _, s := range d.Species {
			species[han.Fold(d.Name)] = append(species[han.Fold(d.Name)], s.Names...)
		}
	}
	places := map[string]string{
		"鹅管石": "books mean a stalactite, trade means a coral",
		"浮石":  "of the mineral and the animal, the mineral",
	}
	for _, s := range herb.Statements() {
		of, own := species[han.Fold(s.Herbs[0])], species[han.Fold(s.Name)]
		if s.Relation != herb.Same || s.Dated() || own == nil || places[s.Name] != "" {
			continue
		}
		if !slices.ContainsFunc(own, func(name string) bool { return slices.Contains(of, name) }) {
			t.Errorf("names.txt:%d: %s is the same as %s, but comes from %q, not from %q", s.Line, s.Name, s.Herbs[0], own, of)
		}
	}
}

// TestUnsourced checks that a name without a source leads to no plant, unless it is a folk name or the
// name of another drug, and that a shortened name can be read as one drug only.
func TestUnsourced(t *testing.T) {
	full := map[string][]string{} // names of each drug that are not shortened themselves
	for _, d := range herb.All() {
		full[d.Name] = append(full[d.Name], d.Name)
	}
	for _, s := range herb.Statements() {
		full[s.Herbs[0]] = append(full[s.Herbs[0]], s.Herbs[0])
		if s.Relation == herb.Same && s.Source != "" && s.Source != "省称" {
			full[s.Herbs[0]] = append(full[s.Herbs[0]], s.Name)
		}
	}
	for _, s := range herb.Statements() {
		switch {
		case s.Source == "" && s.Relation != herb.Different && s.Relation != herb.Unproven:
			for _, f := range herb.LookupProven(s.Name) {
				if f.IsPlant() {
					t.Errorf("names.txt:%d: %s leads to the plant %s without a source; find one, or make it a folk name of the last column of plants-*.txt", s.Line, s.Name, f.Name)
				}
			}
		case s.Source == "省称":
			if !slices.ContainsFunc(full[s.Herbs[0]], func(name string) bool { return shortens(s.Name, name) }) {
				t.Errorf("names.txt:%d: %s shortens no name of %s", s.Line, s.Name, s.Herbs[0])
			}
			for _, d := range herb.All() {
				if d.Name != s.Herbs[0] && shortens(s.Name, d.Name) && len([]rune(d.Name)) <= len([]rune(s.Name))+2 && !herb.Relates(d.Name, s.Herbs[0]) && !herb.Relates(s.Herbs[0], d.Name) {
					t.Errorf("names.txt:%d: %s may also be short for %s", s.Line, s.Name, d.Name)
				}
			}
		}
	}
}

// shortens reports whether a name is another one with characters left out.
func shortens(short, name string) bool {
	rest := []rune(short)
	for _, c := range name {
		if len(rest) > 0 && rest[0] == c {
			rest = rest[1:]
		}
	}
	return len(rest) == 0 && short != name
}

// TestNamesOfSomeYears checks that a name that means different herbs in different years finds them all,
// unless the pharmacopoeia has an item of this name today.
func TestNamesOfSomeYears(t *testing.T) {
	for _, s := range herb.Statements() {
		if !s.Dated() {
			continue
		}
		found := herb.LookupReading(herb.Reading{Base: han.Fold(s.Name)})
		if len(found) > 0 && !found[0].Alias() && found[0].Book == "中国药典" {
			if len(found) > 1 || found[0].Dated {
				t.Errorf("%s is an item of the pharmacopoeia and finds %d herbs", s.Name, len(found))
			}
			continue
		}
		for _, name := range s.Herbs {
			if !slices.ContainsFunc(herb.Lookup(name), func(d herb.Match) bool {
				return slices.ContainsFunc(found, func(f herb.Match) bool { return f.Herb == d.Herb && f.Dated })
			}) {
				t.Errorf("%s does not find %s, which it means in some years", s.Name, name)
			}
		}
	}
	for name, herbs := range map[string]int{"青木香": 2, "舶上茴香": 2, "白蜡": 2, "沙参": 3, "通草": 1, "淡竹叶": 1} {
		if found := herb.LookupReading(herb.Reading{Base: name}); len(found) != herbs {
			t.Errorf("%s finds %d herbs, want %d", name, len(found), herbs)
		}
	}
}

// TestStatedNamesLead looks up every name that names.txt gives to herbs. It leads to the herbs that it is
// stated to mean, unless it is the main name of a herb of the table.
func TestStatedNamesLead(t *testing.T) {
	asked := 0
	for _, s := range herb.Statements() {
		if s.Relation == herb.Different || s.Relation == herb.Unproven || s.Dated() {
			continue
		}
		found := herb.Lookup(s.Name)
		if len(found) == 0 || found[0].Reading.Uncut() && !found[0].Alias() {
			continue
		}
		asked++
		for _, name := range s.Herbs {
			if !slices.ContainsFunc(herb.Lookup(name), func(d herb.Match) bool {
				return slices.ContainsFunc(found, func(f herb.Match) bool { return f.Herb == d.Herb })
			}) {
				t.Errorf("names.txt:%d: %s leads to %s, not to %s, which it is stated to mean", s.Line, s.Name, found[0].Name, name)
			}
		}
	}
	if asked < 4000 {
		t.Errorf("%d names asked; 4000 are wanted", asked)
	}
}

// TestLeft checks that every name of left.txt is that of a herb, and that no other herb of the
// pharmacopoeia is in an earlier edition than the last.
func TestLeft(t *testing.T) {
	n := 0
	for _, d := range herb.All() {
		year, by := herb.LeftPharmacopoeia(d.Name)
		if year != 0 {
			n++
		}
		if (year == 0) != (by == "") || d.Book == herb.Pharmacopoeia && (year == 0) != (d.Edition == herb.Edition(herb.Pharmacopoeia)) {
			t.Errorf("%s left in %d (%s), its edition is %s", d.Name, year, by, d.Edition)
		}
	}
	for _, name := range []string{"蜜马兜铃", "虎胫骨", "虎头骨"} { // forms, which only names.txt has
		if year, _ := herb.LeftPharmacopoeia(name); year != 0 && len(herb.StatementsOn(name)) > 0 {
			n++
		}
	}
	if n < 12 {
		t.Errorf("%d herbs of left.txt are herbs of the tables, want 12 or more", n)
	}
}
