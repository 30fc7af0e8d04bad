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

//go:embed standard.txt
var standard string

// Relation is the relation of a written name to a herb. standard.txt describes the values.
type Relation string

// The relations. A name with the relation Same shares a record with its herb. A name with any other
// relation has a record of its own.
const (
	Same      Relation = "same"
	Processed Relation = "processed"
	Part      Relation = "part"
	Broader   Relation = "broader"
	Different Relation = "different"
)

// Statement is a statement of standard.txt on one name.
type Statement struct {
	Name     string
	Relation Relation
	// Herbs lists the standard names of the herbs that the name relates to. If the relation is
	// Same, there is one.
	Herbs []string
	// From and To are the first and the last year in which a broader name covers all the herbs. Nil
	// means no limit.
	From, To *int32
	Source   string // the book that is the source, in Chinese
	Line     int    // line number in standard.txt
}

// standards is the content of standard.txt.
type standards struct {
	list   []Statement
	byName map[string][]int // folded name → indexes into list
	own    map[string]bool  // folded names that have a record of their own
}

var loadedStandards = sync.OnceValue(func() *standards {
	t := &standards{byName: map[string][]int{}, own: map[string]bool{}}
	n := 0
	for line := range strings.Lines(standard) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := t.parse(line, n); err != nil {
			panic(fmt.Sprintf("names/herb/standard.txt:%d: %v", n, err)) // the file is embedded in the program, and a test reads it
		}
	}
	for _, s := range t.list {
		for _, d := range s.Herbs {
			t.own[han.Fold(d)] = true
		}
		if s.Relation != Same {
			t.own[han.Fold(s.Name)] = true
		}
	}
	for _, s := range t.list {
		if s.Relation == Same {
			delete(t.own, han.Fold(s.Name))
		}
	}
	return t
})

func (t *standards) parse(line string, number int) error {
	fields := strings.Split(line, "|")
	if len(fields) != 5 {
		return fmt.Errorf("%d fields instead of 5; put \" | \" between them", len(fields))
	}
	names, herbs := strings.Fields(fields[0]), strings.Fields(fields[2])
	s := Statement{Relation: Relation(strings.TrimSpace(fields[1])), Herbs: herbs, Source: strings.TrimSpace(fields[4]), Line: number}
	switch s.Relation {
	case Same, Processed, Part, Broader, Different:
	default:
		return fmt.Errorf("%q is no relation; use same, processed, part, broader or different", s.Relation)
	}
	if len(names) == 0 || len(herbs) == 0 || s.Source == "" || s.Relation == Same && len(herbs) != 1 {
		return fmt.Errorf("names, drugs or source are missing, or a name is the same as several drugs")
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
	for i, name := range names {
		one := s
		if one.Name = name; i > 0 && s.Relation != Same && s.Relation != Different {
			one.Relation, one.Herbs, one.From, one.To = Same, names[:1], nil, nil
		}
		key := han.Fold(name)
		if one.Relation == Same && key == han.Fold(one.Herbs[0]) {
			continue // both names fold to the same text: 黄耆
		}
		t.byName[key] = append(t.byName[key], len(t.list))
		t.list = append(t.list, one)
	}
	return nil
}

// Statements returns all statements of standard.txt in their order. The list must not be changed.
func Statements() []Statement { return loadedStandards().list }

// StatementsOn returns the statements of standard.txt on a name, which is compared after folding.
func StatementsOn(name string) (list []Statement) {
	t := loadedStandards()
	for _, i := range t.byName[han.Fold(name)] {
		list = append(list, t.list[i])
	}
	return list
}

// Standard returns the standard name of the herb that has the given name. It returns "" if
// standard.txt does not say that the name means the same herb. The name must not have further
// words: 麦门冬, not 麦门冬去心.
func Standard(name string) string {
	for _, s := range StatementsOn(name) {
		if s.Relation == Same {
			return s.Herbs[0]
		}
	}
	return ""
}

// HasRecord reports whether standard.txt gives a name a record of its own. This is so for standard
// names and for processed, partial, broader and different names.
func HasRecord(name string) bool { return loadedStandards().own[han.Fold(name)] }

// Relates reports whether standard.txt says that a name is a processed form or a part of a herb, or
// a broader name that covers the herb.
func Relates(name, herb string) bool {
	return slices.ContainsFunc(StatementsOn(name), func(s Statement) bool {
		return s.Relation != Same && s.Relation != Different && slices.ContainsFunc(s.Herbs, func(d string) bool { return han.Fold(d) == han.Fold(herb) })
	})
}

// AreDifferent reports whether standard.txt says that two standard names are different herbs.
func AreDifferent(a, b string) bool {
	says := func(a, b string) bool {
		return slices.ContainsFunc(StatementsOn(a), func(s Statement) bool {
			return s.Relation == Different && slices.ContainsFunc(s.Herbs, func(d string) bool { return han.Fold(d) == han.Fold(b) })
		})
	}
	return says(a, b) || says(b, a)
}
