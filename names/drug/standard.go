package drug

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

// Relation says how a written name relates to a drug. standard.txt describes the values.
type Relation string

// The relations. Names that are Same share a record with the drug; all others have their own.
const (
	Same      Relation = "same"
	Processed Relation = "processed"
	Part      Relation = "part"
	Broader   Relation = "broader"
	Different Relation = "different"
)

// Statement is what a line of standard.txt says of one name.
type Statement struct {
	Name     string
	Relation Relation
	// Drugs are the drugs that it relates to, by their standard names: one for Same.
	Drugs []string
	// From and To are the years in which a broader name covers all the drugs. Nil is no limit.
	From, To *int32
	Source   string // a book, in Chinese
	Line     int    // of standard.txt
}

// standards is the content of standard.txt.
type standards struct {
	list   []Statement
	byName map[string][]int // indexes into list, by folded name
	own    map[string]bool  // folded names that have their own record
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
			panic(fmt.Sprintf("names/drug/standard.txt:%d: %v", n, err)) // part of the program, and a test reads it
		}
	}
	for _, s := range t.list {
		for _, d := range s.Drugs {
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
	names, drugs := strings.Fields(fields[0]), strings.Fields(fields[2])
	s := Statement{Relation: Relation(strings.TrimSpace(fields[1])), Drugs: drugs, Source: strings.TrimSpace(fields[4]), Line: number}
	switch s.Relation {
	case Same, Processed, Part, Broader, Different:
	default:
		return fmt.Errorf("%q is no relation; use same, processed, part, broader or different", s.Relation)
	}
	if len(names) == 0 || len(drugs) == 0 || s.Source == "" || s.Relation == Same && len(drugs) != 1 {
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
			one.Relation, one.Drugs, one.From, one.To = Same, names[:1], nil, nil
		}
		key := han.Fold(name)
		if one.Relation == Same && key == han.Fold(one.Drugs[0]) {
			continue // another writing of the same name: 黄耆
		}
		t.byName[key] = append(t.byName[key], len(t.list))
		t.list = append(t.list, one)
	}
	return nil
}

// Statements returns all that standard.txt says, in its order. The list must not be changed.
func Statements() []Statement { return loadedStandards().list }

// StatementsOn returns what standard.txt says of a name.
func StatementsOn(name string) (list []Statement) {
	t := loadedStandards()
	for _, i := range t.byName[han.Fold(name)] {
		list = append(list, t.list[i])
	}
	return list
}

// Standard returns the standard name of the drug that a name is the same as, or "" if standard.txt
// does not say so. The name must be whole: 麦门冬, not 麦门冬去心.
func Standard(name string) string {
	for _, s := range StatementsOn(name) {
		if s.Relation == Same {
			return s.Drugs[0]
		}
	}
	return ""
}

// HasRecord reports whether standard.txt has a name that is not the same as another one: a standard
// name, or a processed, partial, broader or different one.
func HasRecord(name string) bool { return loadedStandards().own[han.Fold(name)] }

// Relates reports whether standard.txt says that a name is a processed form or a part of a drug, or
// covers it.
func Relates(name, drug string) bool {
	return slices.ContainsFunc(StatementsOn(name), func(s Statement) bool {
		return s.Relation != Same && s.Relation != Different && slices.ContainsFunc(s.Drugs, func(d string) bool { return han.Fold(d) == han.Fold(drug) })
	})
}

// AreDifferent reports whether standard.txt says that two standard names are different drugs.
func AreDifferent(a, b string) bool {
	says := func(a, b string) bool {
		return slices.ContainsFunc(StatementsOn(a), func(s Statement) bool {
			return s.Relation == Different && slices.ContainsFunc(s.Drugs, func(d string) bool { return han.Fold(d) == han.Fold(b) })
		})
	}
	return says(a, b) || says(b, a)
}
