package author

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/spelling"
)

// reader parses citations. It reuses its memory, so results are valid only until reset.
type reader struct {
	teams  []team
	people []person
	names  []string
	key    []byte
}

// reset lets the next citations reuse the memory. Earlier results become invalid.
func (r *reader) reset() { r.teams, r.people, r.names = r.teams[:0], r.people[:0], r.names[:0] }

// citation parses "a & b ex c in d". It ignores the text after "in", which names the publication.
func (r *reader) citation(s string) citation {
	first, start := len(r.teams), 0
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i-1] != ' ' && s[i-1] != '.' {
			continue
		}
		w, _, _ := strings.Cut(s[i:], " ")
		switch strings.TrimSuffix(w, ".") {
		case "ex":
			r.team(s[start:i])
			start = i + len(w)
			i = start - 1
		case "in", "apud", "sensu", "non", "nec", "emend", "nom", "pro":
			r.team(s[start:i])
			return citation(r.teams[first:len(r.teams):len(r.teams)])
		}
	}
	r.team(s[start:])
	return citation(r.teams[first:len(r.teams):len(r.teams)])
}

// team parses a team and adds it to r.teams. It looks up the team and its persons in the tables.
func (r *reader) team(s string) {
	t := r.readPeople(s)
	r.key = t.appendKey(r.key[:0])
	if full, ok := teams[string(r.key)]; ok {
		first := len(r.people)
		r.people = append(r.people, full...)
		t.people = r.people[first:]
	}
	for i := range t.people {
		r.key = t.people[i].appendKey(r.key[:0])
		t.people[i].known = known.byKey[string(r.key)]
	}
	if len(t.people) > 0 || t.open {
		r.teams = append(r.teams, t)
	}
}

// readPeople parses one team: "a, b & c", "a et b", "a & al.".
func (r *reader) readPeople(s string) team {
	var t team
	first, start, comma := len(r.people), 0, false
	add := func(end int, next bool) {
		p, ok := r.readPerson(s[start:end])
		last := len(r.people) - 1
		switch {
		case !ok:
		case len(p.names) == 1 && p.initials == "" && (p.names[0] == "al" || p.names[0] == "alii"):
			t.open = true
		case comma && len(p.names) == 0 && p.initials != "l" && last >= first && r.people[last].initials == "" && len(r.people[last].names) > 0:
			r.people[last].initials = p.initials // the initials of the author before: Wu, C.Y.
		default:
			r.people = append(r.people, p)
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
		case "et", "et.", "and", "und", "y", "e", "con": // but e. and y. with a full stop are initials
			add(i, false)
			start = i + len(w)
			i = start - 1
		}
	}
	t.people = r.people[first:len(r.people):len(r.people)]
	for i := range t.people {
		t.people[i].nameInitials(t.people[i+1:])
	}
	return t
}

// nameInitials gives a surname to a person cited with initials only. It uses the surname of the
// next person, if that person has initials (J.R. & G.Forst.). Otherwise it uses the last initial.
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

// readPerson parses one author into initials, names and filius. If s has only initials, the person
// has no names. The result is false if s has neither.
func (r *reader) readPerson(s string) (person, bool) {
	var p person
	var words [12]string
	list := appendWords(words[:0], s)
	var initials [12]byte
	letters, first := initials[:0], len(r.names)
	for i, w := range list {
		if i > 0 {
			switch w {
			case "f", "fil", "filius", "jr", "junior", "bis":
				behind := w == "f" && i > 1 && len(list[i-1]) == 1 && len(list[0]) > 1 // the f is the last initial: Anderson E.F.
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
			continue // v. is a particle such as von
		}
		if len(w) == 1 {
			letters = append(letters, w...)
			continue
		}
		r.names = append(r.names, w)
	}
	p.initials, p.names = string(letters), r.names[first:len(r.names):len(r.names)]
	if last := len(p.names) - 1; last >= 0 {
		if short, ok := wordForms[p.names[last]]; ok {
			p.names[last] = short
		}
	}
	return p, len(p.names) > 0 || p.initials != ""
}

// appendWords appends the words of s that consist of letters. A question mark before or within a word
// may stand for a lost letter; after a word, it is a doubt and no part of the word.
func appendWords(dst []string, s string) []string {
	from := -1
	for i, r := range s {
		switch {
		case isNameLetter(r) && from < 0:
			from = i
		case !isNameLetter(r) && from >= 0:
			dst = appendWord(dst, s[from:i])
			from = -1
		}
	}
	if from >= 0 {
		dst = appendWord(dst, s[from:])
	}
	return dst
}

func appendWord(dst []string, w string) []string {
	if w = strings.TrimRight(w, "?"); w != "" {
		dst = append(dst, w)
	}
	return dst
}

func isNameLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= utf8.RuneSelf || r == '?' }

// dotInitials adds full stops to initials that follow a surname, as in bibliographic indexes: "Wu
// CY" becomes "Wu C.Y.".
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
