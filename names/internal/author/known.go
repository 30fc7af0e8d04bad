package author

import (
	_ "embed" // the tables
	"slices"
	"strings"
)

// What no rule of spelling gives away stands in tables, which a botanist can
// extend; their first lines say how.
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

// wordForms are surnames that are abbreviated otherwise than at the end.
var wordForms = func() map[string]string {
	m := map[string]string{}
	for short, forms := range rows(surnamesText, ",") {
		for _, f := range forms {
			m[folded(f)] = folded(short)
		}
	}
	return m
}()

// pinyinOf are the surnames that a romanisation of a Chinese one stands for,
// itself among them if it is pinyin.
var pinyinOf = func() map[string][]string {
	m := map[string][]string{}
	for pinyin, forms := range rows(chineseText, ",") {
		for _, f := range append(forms, pinyin) {
			m[folded(f)] = append(m[folded(f)], pinyin)
		}
	}
	return m
}()

// known are the persons of the table.
var known = readKnown(personsText)

// knownPersons are persons who are cited in several forms. A person's number
// is the place of its line.
type knownPersons struct {
	byKey map[string][]uint16 // person.key → numbers
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

// teams are teams by the key of a short form.
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

// appendKey appends what a team is found by among the teams.
func (t team) appendKey(dst []byte) []byte {
	for i := range t.people {
		dst = append(t.people[i].appendKey(dst), '&')
	}
	return dst
}

// appendKey appends what a person is found by: initials, names, filius.
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

// rows yields the lines of a table, "standard = form, form", cut up.
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
