package author

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/spelling"
)

// readCitation reads "a & b ex c in d"; what follows in is the book's.
func readCitation(s string) citation {
	var c citation
	add := func(s string) {
		t := readPeople(s)
		if full, ok := teams[string(t.appendKey(nil))]; ok {
			t.people = append([]person(nil), full...)
		}
		for i := range t.people {
			t.people[i].known = known.of(&t.people[i])
		}
		if len(t.people) > 0 || t.open {
			c = append(c, t)
		}
	}
	start := 0
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i-1] != ' ' && s[i-1] != '.' {
			continue
		}
		w, _, _ := strings.Cut(s[i:], " ")
		switch strings.TrimSuffix(w, ".") {
		case "ex":
			add(s[start:i])
			start = i + len(w)
			i = start - 1
		case "in", "apud", "sensu", "non", "nec", "emend", "nom", "pro":
			add(s[start:i])
			return c
		}
	}
	add(s[start:])
	return c
}

// readPeople reads one team: "a, b & c", "a et b", "a & al.".
func readPeople(s string) team {
	var t team
	start, comma := 0, false
	add := func(end int, next bool) {
		p, ok := readPerson(s[start:end])
		last := len(t.people) - 1
		switch {
		case !ok:
		case len(p.names) == 1 && p.initials == "" && (p.names[0] == "al" || p.names[0] == "alii"):
			t.open = true
		case comma && len(p.names) == 0 && p.initials != "l" && last >= 0 && t.people[last].initials == "" && len(t.people[last].names) > 0:
			t.people[last].initials = p.initials // Wu, C.Y.
		default:
			t.people = append(t.people, p)
		}
		comma = next
	}
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == '&' || s[i] == ',' {
			add(i, i < len(s) && s[i] == ',')
			start = i + 1
			continue
		}
		if i > 0 && s[i-1] != ' ' && s[i-1] != '.' {
			continue
		}
		w, _, _ := strings.Cut(s[i:], " ")
		switch w {
		case "et", "et.", "and", "und", "y", "e", "con": // e. and y. are initials
			add(i, false)
			start = i + len(w)
			i = start - 1
		}
	}
	for i := range t.people {
		t.people[i].nameInitials(t.people[i+1:])
	}
	return t
}

// nameInitials gives a person who has initials alone a name: that of the next
// one who has initials too (J.R. & G.Forst.), else the last of the initials.
func (p *person) nameInitials(next []person) {
	if len(p.names) > 0 {
		return
	}
	if len(next) > 0 && len(next[0].names) > 0 && next[0].initials != "" && p.initials != "l" {
		p.names = next[0].names
		return
	}
	last := len(p.initials) - 1
	p.names, p.initials = []string{p.initials[last:]}, p.initials[:last]
}

// readPerson reads one author: initials, names, filius. There are no names if
// initials are all there is.
func readPerson(s string) (person, bool) {
	var p person
	list := strings.FieldsFunc(s, func(r rune) bool { return !isNameLetter(r) })
	for i, w := range list {
		if i > 0 {
			switch w {
			case "f", "fil", "filius", "jr", "junior", "bis":
				behind := w == "f" && i > 1 && len(list[i-1]) == 1 && len(list[0]) > 1 // Anderson E.F.
				if i == len(list)-1 && !behind {
					p.filius = true
					continue
				}
			}
		}
		switch w {
		case "de", "von", "van", "der", "den", "zu", "zur", "du", "da", "do", "dos", "del", "della", "di", "la", "le", "st", "auct", "hb":
			if len(list) > 1 {
				continue
			}
		}
		if w == "v" && i > 0 && i+1 < len(list) {
			continue // von
		}
		if len(w) == 1 {
			p.initials += w
			continue
		}
		p.names = append(p.names, w)
	}
	if last := len(p.names) - 1; last >= 0 {
		if short, ok := wordForms[p.names[last]]; ok {
			p.names[last] = short
		}
	}
	return p, len(p.names) > 0 || p.initials != ""
}

func isNameLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= utf8.RuneSelf }

// dotInitials parts initials that stand together behind a name, as indexes of
// papers write them: "Wu CY" becomes "Wu C.Y.".
func dotInitials(s string) string {
	for i := 2; i+1 < len(s); i++ {
		if s[i-1] != ' ' || s[i-2] < 'a' || s[i-2] > 'z' || !isUpper(s[i]) || !isUpper(s[i+1]) {
			continue
		}
		end := i
		for end < len(s) && isUpper(s[end]) {
			end++
		}
		before := s[strings.LastIndexAny(s[:i-1], " ,&(")+1 : i-1]
		if end-i > 3 || end < len(s) && (spelling.IsLetter(s[end]) || s[end] >= utf8.RuneSelf || s[end] == '.') || !isUpper(before[0]) || s[i:end] == "DC" {
			continue
		}
		return dotInitials(s[:i] + strings.Join(strings.Split(s[i:end], ""), ".") + "." + s[end:])
	}
	return s
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
