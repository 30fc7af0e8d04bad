package author

import (
	_ "embed" // the tables
	"slices"
	"strings"
)

// The tables hold the equivalences of authors that no rule of spelling can derive. Botanists can
// extend them; the first lines of each file explain its format.
var (
	//go:embed persons.txt
	personsText string
	//go:embed teams.txt
	teamsText string
	//go:embed surnames.txt
	surnamesText string
	//go:embed chinese.txt
	chineseText string
)

// wordForms maps irregular abbreviations of surnames to the full surname.
var wordForms = func() map[string]string {
	m := map[string]string{}
	for short, forms := range rows(surnamesText, ",") {
		for _, f := range forms {
			m[folded(f)] = folded(short)
		}
	}
	return m
}()

// pinyinOf maps a romanised Chinese surname to the pinyin forms that it may mean.
var pinyinOf = func() map[string][]string {
	m := map[string][]string{}
	for pinyin, forms := range rows(chineseText, ",") {
		for _, f := range append(forms, pinyin) {
			m[folded(f)] = append(m[folded(f)], pinyin)
		}
	}
	return m
}()

// known holds the persons listed in persons.txt.
var known = readKnown(personsText)

// knownPersons holds persons who are cited in several forms. A person's number is the index of
// their line in persons.txt.
type knownPersons struct {
	byKey map[string][]uint16 // key of a person, see person.appendKey → numbers of persons
	forms [][]person
}

func readKnown(text string) knownPersons {
	k := knownPersons{byKey: map[string][]uint16{}}
	for standard, forms := range rows(text, ",") {
		n := uint16(len(k.forms))
		var all []person
		for _, f := range append([]string{standard}, forms...) {
			for _, p := range new(reader).readPeople(folded(f)).people {
				key := string(p.appendKey(nil))
				if !slices.Contains(k.byKey[key], n) {
					k.byKey[key] = append(k.byKey[key], n)
					all = append(all, p)
				}
			}
		}
		k.forms = append(k.forms, all)
	}
	return k
}

// Listed reports whether a word in lower case is the surname of a person of the table, or its short form.
func Listed(word string) bool { return known.byKey["."+folded(word)] != nil }

// teams maps the key of a team's short form to its persons.
var teams = func() map[string][]person {
	m := map[string][]person{}
	for standard, forms := range rows(teamsText, ";") {
		people := new(reader).readPeople(folded(standard)).people
		for _, f := range forms {
			m[string(new(reader).readPeople(folded(f)).appendKey(nil))] = people
		}
	}
	return m
}()

// appendKey appends the key of a team.
func (t team) appendKey(dst []byte) []byte {
	for i := range t.people {
		dst = append(t.people[i].appendKey(dst), '&')
	}
	return dst
}

// appendKey appends the key of a person: initials, names, filius.
func (p *person) appendKey(dst []byte) []byte {
	dst = append(append(dst, p.initials...), '.')
	for _, n := range p.names {
		dst = append(dst, n...)
	}
	if p.filius {
		dst = append(dst, '+')
	}
	return dst
}

// rows yields the lines "standard = form, form" of a table as the standard and its forms. It skips
// comments.
func rows(text, sep string) func(func(string, []string) bool) {
	return func(yield func(string, []string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			standard, list, _ := strings.Cut(line, "=")
			var forms []string
			for f := range strings.SplitSeq(list, sep) {
				if f = strings.TrimSpace(f); f != "" {
					forms = append(forms, f)
				}
			}
			if !yield(strings.TrimSpace(standard), forms) {
				return
			}
		}
	}
}

func folded(s string) string { return string(appendFolded(nil, s)) }
