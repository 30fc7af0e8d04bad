package herb

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bencao/names/han"
)

var (
	//go:embed names.txt
	namesText string
	//go:embed books.txt
	booksText string
)

// editions maps the titles of books.txt to their authors and years.
var editions = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(booksText) {
		if title, edition, ok := strings.Cut(line, "|"); ok && !strings.HasPrefix(line, "#") {
			m[strings.TrimSpace(title)] = strings.TrimSpace(edition)
		}
	}
	return m
})

// Edition returns the author and the year of a source of names.txt, in Chinese. It returns "" if the
// source is no book.
func Edition(source string) string { return editions()[source] }

// Relation is the relation of a written name to a herb. names.txt describes the values.
type Relation string

// The relations. A name with the relation Same shares a record with its herb. A name with any other
// relation has a record of its own.
const (
	Same      Relation = "same"
	Processed Relation = "processed"
	Part      Relation = "part"
	Broader   Relation = "broader"
	Different Relation = "different"
	// Unproven is the relation of a name that only dictionaries of folk names give to the herbs.
	Unproven Relation = "folk"
)

// Derived reports whether a name with the relation means the herb prepared, a part of it, or it
// among others.
func (r Relation) Derived() bool { return r == Processed || r == Part || r == Broader }

// NameKind is the kind of a name of a herb. It says what the name proves.
type NameKind string

// The kinds of names. A folk name helps a search, and proves nothing: it gives no species to a name
// in a formula and merges no records.
const (
	StandardName      NameKind = "standard"
	PharmacopoeiaName NameKind = "pharmacopoeia"
	BookName          NameKind = "book"
	TradeName         NameKind = "trade"
	FolkName          NameKind = "folk"
)

// tradeSources lists the sources of names.txt that do not treat drugs: the names themselves, a
// standard of the trade and none.
var tradeSources = []string{"构词", "省称", "GB/T 31774", ""}

// kindOf returns the kind of a name with the given relation and source.
func kindOf(r Relation, source string) NameKind {
	switch {
	case r == Unproven:
		return FolkName
	case source == Pharmacopoeia:
		return PharmacopoeiaName
	case slices.Contains(tradeSources, source), strings.Contains(Edition(source), "/"): // a page of the web
		return TradeName
	}
	return BookName
}

// Statement is a statement of names.txt on one name.
type Statement struct {
	Name     string
	Relation Relation
	// Herbs lists the standard names of the herbs that the name relates to. If the relation is
	// Same, there is one.
	Herbs []string
	// From and To are the first and the last year in which the name has the relation. Nil means no
	// limit.
	From, To *int32
	Kind     NameKind
	Source   string // the book that is the source, in Chinese; "" if nobody has found one
	Line     int    // line number in names.txt
	// Folds is true if the name and its herb fold to the same text, as 黄耆 and 黄芪 do.
	Folds bool
}

// Dated reports whether the statement holds only in some years.
func (s *Statement) Dated() bool { return s.From != nil || s.To != nil }

// Authority returns the book that gives the name to the herbs. It returns "" if the source is no
// book.
func (s *Statement) Authority() string {
	if s.Kind == PharmacopoeiaName || s.Kind == BookName && Edition(s.Source) != "" {
		return s.Source
	}
	return ""
}

// statements is the content of names.txt.
type statements struct {
	list   []Statement
	byName map[string][]int // folded name → indexes into list
	own    map[string]bool  // folded names that have a record of their own
}

var loadedStatements = sync.OnceValue(func() *statements {
	t := &statements{byName: map[string][]int{}, own: map[string]bool{}}
	n := 0
	for line := range strings.Lines(namesText) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := t.parse(line, n); err != nil {
			panic(fmt.Sprintf("names/herb/names.txt:%d: %v", n, err)) // the file is embedded in the program, and a test reads it
		}
	}
	for i := range t.list {
		s := &t.list[i]
		for _, d := range s.Herbs {
			if s.Relation != Unproven {
				t.own[han.Fold(d)] = true
			}
		}
		if s.Relation != Same || s.Dated() {
			t.own[han.Fold(s.Name)] = true
		}
	}
	for i := range t.list {
		if s := &t.list[i]; s.Relation == Same && !s.Folds && !s.Dated() {
			delete(t.own, han.Fold(s.Name))
		}
	}
	return t
})

func (t *statements) parse(line string, number int) error {
	fields := strings.Split(line, "|")
	if len(fields) != 5 {
		return fmt.Errorf("%d fields instead of 5; put \" | \" between them", len(fields))
	}
	names, herbs := strings.Fields(fields[0]), strings.Fields(fields[2])
	s := Statement{Relation: Relation(strings.TrimSpace(fields[1])), Herbs: herbs, Source: strings.TrimSpace(fields[4]), Line: number}
	switch s.Relation {
	case Same, Processed, Part, Broader, Different, Unproven:
	default:
		return fmt.Errorf("%q is no relation; use same, processed, part, broader, different or folk", s.Relation)
	}
	if len(names) == 0 || len(herbs) == 0 || s.Source == "" || s.Relation == Same && len(herbs) != 1 {
		return fmt.Errorf("names, herbs or source are missing, or a name is the same as several herbs")
	}
	if years := strings.TrimSpace(fields[3]); years != "" {
		from, to, ok := strings.Cut(years, "..")
		if !ok {
			return fmt.Errorf("%q are no years; write from..to", years)
		}
		for _, bound := range []struct {
			text string
			into **int32
		}{{from, &s.From}, {to, &s.To}} {
			if bound.text == "" {
				continue
			}
			y, err := strconv.ParseInt(bound.text, 10, 32)
			if err != nil {
				return fmt.Errorf("%q is no year", bound.text)
			}
			year := int32(y)
			*bound.into = &year
		}
	}
	switch s.Source {
	case "待考":
		s.Source = ""
	case "构词", "省称", "异体字", "误字":
	default:
		if Edition(s.Source) == "" {
			return fmt.Errorf("%q is no book of books.txt; give the book a line there", s.Source)
		}
	}
	for i, name := range names {
		one := s
		if one.Name = name; i > 0 && s.Relation.Derived() {
			one.Relation, one.Herbs, one.From, one.To = Same, names[:1], nil, nil
		}
		one.Kind = kindOf(one.Relation, one.Source)
		key := han.Fold(name)
		one.Folds = one.Relation == Same && key == han.Fold(one.Herbs[0])
		if !one.Folds {
			t.byName[key] = append(t.byName[key], len(t.list))
		}
		t.list = append(t.list, one)
	}
	return nil
}

// Statements returns all statements of names.txt in their order. The list must not be changed.
func Statements() []Statement { return loadedStatements().list }

// StatementsOn returns the statements of names.txt on a name, which is compared after folding. It
// leaves out the statements that only give another form of a standard name.
func StatementsOn(name string) (list []Statement) {
	t := loadedStatements()
	for _, i := range t.byName[han.Fold(name)] {
		list = append(list, t.list[i])
	}
	return list
}

// Standard returns the standard name of the herb that has the given name in all years. It returns
// "" if names.txt does not say that the name means the same herb. The name must not have further
// words: 麦门冬, not 麦门冬去心.
func Standard(name string) string {
	for _, s := range StatementsOn(name) {
		if s.Relation == Same && !s.Dated() {
			return s.Herbs[0]
		}
	}
	return ""
}

// HasRecord reports whether names.txt gives a name a record of its own. This is so for standard
// names and for processed, partial, broader and different names.
func HasRecord(name string) bool { return loadedStatements().own[han.Fold(name)] }

// Relates reports whether names.txt says that a name is a processed form or a part of a herb, or a
// broader name that covers the herb.
func Relates(name, herb string) bool {
	return slices.ContainsFunc(StatementsOn(name), func(s Statement) bool {
		return s.Relation.Derived() && slices.ContainsFunc(s.Herbs, func(d string) bool { return han.Fold(d) == han.Fold(herb) })
	})
}

// IsProcessed reports whether names.txt says that a name is a processed form of a herb.
func IsProcessed(name, herb string) bool {
	return slices.ContainsFunc(StatementsOn(name), func(s Statement) bool {
		return s.Relation == Processed && slices.ContainsFunc(s.Herbs, func(d string) bool { return han.Fold(d) == han.Fold(herb) })
	})
}

// AreDifferent reports whether names.txt says that two standard names are different herbs.
func AreDifferent(a, b string) bool {
	says := func(a, b string) bool {
		return slices.ContainsFunc(StatementsOn(a), func(s Statement) bool {
			return s.Relation == Different && slices.ContainsFunc(s.Herbs, func(d string) bool { return han.Fold(d) == han.Fold(b) })
		})
	}
	return says(a, b) || says(b, a)
}
