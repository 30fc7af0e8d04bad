package author

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/spelling"
)

// Authorship is an author citation taken apart: "(basionym) combination, year".
type Authorship struct {
	basionym, combination citation
	year                  int // 0 when there is none
}

// citation is one or more teams joined by ex; the last one published the
// name.
type citation []team

// team is the authors who did one thing together.
type team struct {
	people []person
	open   bool // et al.
}

// person is one author.
type person struct {
	initials string   // folded first letters, in order
	names    []string // folded names, the surname last
	filius   bool     // the son: Hook.f. is not Hook.
}

// aliases are surnames whose short form is not a shorter form of the
// long one.
var aliases = map[string]string{
	"linnaeus": "l", "linn": "l", "linne": "l", "linneaus": "l", "linnaus": "l", "lin": "l", "linnaei": "l", "lineo": "l",
	"candolle": "dc", "decandolle": "dc", "cand": "dc", "decand": "dc",
	"mzt": "mazz", "mazzetti": "mazz", "humboldt": "humb", "mueller": "muell",
	"fischer": "fisch", "meyer": "mey", "hsiao": "xiao", "tsiang": "jiang", "chow": "zhou", "chou": "zhou", "hsu": "xu", "tsai": "cai", "chang": "zhang",
	"medicus": "medik", "hsueh": "xue", "hsieh": "xie", "kiu": "qiu", "tsui": "cui", "kung": "gong",
	"hort": "hort", "hortul": "hort", "hortulanorum": "hort",
}

// Parse takes an author citation apart. Any text can be taken for one; from
// an empty one comes an empty Authorship.
func Parse(s string) Authorship {
	var a Authorship
	s = string(appendFolded(make([]byte, 0, len(s)+8), s))
	s, a.year = cutYear(s)
	if i := strings.IndexByte(s, ':'); i > 0 {
		s = s[:i] // the sanctioning author
	}
	for strings.HasPrefix(s, "(") {
		inner, rest, ok := strings.Cut(s[1:], ")")
		if !ok {
			s = s[1:]
			break
		}
		a.basionym = readCitation(strings.Trim(inner, "( "))
		s = strings.TrimLeft(rest, " ,)")
	}
	if i := strings.IndexByte(s, '('); i > 0 {
		s = s[:i]
	}
	a.combination = readCitation(s)
	return a
}

// appendFolded folds letters to lower-case Latin ones, umlauts to the
// plain letter, and every connective to a sign: & for et, and, y.
func appendFolded(dst []byte, s string) []byte {
	space := true
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c >= 'A' && c <= 'Z':
				dst = append(dst, c+'a'-'A')
			case c == '[' || c == ']' || c == '"' || c == '\'':
				continue
			case c == ';':
				dst = append(dst, ',')
			case c == ' ' || c == '\t':
				if !space {
					dst = append(dst, ' ')
				}
				space = true
				continue
			default:
				dst = append(dst, c)
			}
			space = false
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if spelling.IsQuote(r) {
			i += n
			continue
		}
		start := len(dst)
		dst = spelling.AppendFolded(dst, s[i:i+n])
		// Müll., Muell. and Mull. are one: keep the plain letter.
		switch string(dst[start:]) {
		case "ae", "oe", "ue", "ao":
			if s[i:i+n] != "æ" && s[i:i+n] != "œ" {
				dst = dst[:start+1]
			}
		}
		space = false
		i += n
	}
	return dst
}

// cutYear removes the year of publication and what follows it.
func cutYear(s string) (string, int) {
	for i := 0; i+4 <= len(s); i++ {
		if s[i] != '1' && s[i] != '2' || i > 0 && (spelling.IsDigit(s[i-1]) || spelling.IsLetter(s[i-1])) || i+4 < len(s) && spelling.IsDigit(s[i+4]) {
			continue
		}
		year := 0
		for _, c := range []byte(s[i : i+4]) {
			if !spelling.IsDigit(c) {
				year = 0
				break
			}
			year = year*10 + int(c-'0')
		}
		if year < 1600 || year > 2100 {
			continue
		}
		// A bracket that the year stood in or before must stay closed.
		rest := ""
		if j := strings.IndexByte(s[i:], ')'); j >= 0 && strings.LastIndexByte(s[:i], '(') >= 0 && !strings.HasSuffix(strings.TrimSpace(s[:i]), "(") {
			rest = s[i+j:]
		}
		return strings.TrimRight(s[:i], " ,(.") + dotIfCut(s[:i]) + rest, year
	}
	return s, 0
}

// dotIfCut gives back the full stop of an abbreviation that stood before a
// year.
func dotIfCut(s string) string {
	if strings.Contains(strings.TrimRight(s, " ,("), ".") && strings.HasSuffix(strings.TrimRight(s, " ,("), ".") {
		return "."
	}
	return ""
}

// readCitation reads "a & b ex c in d"; what follows in is the book's.
func readCitation(s string) citation {
	var c citation
	var cur team
	flush := func() {
		if len(cur.people) > 0 || cur.open {
			c = append(c, cur)
		}
		cur = team{}
	}
	start := 0
	addPerson := func(end int) {
		if p, ok := readPerson(s[start:end]); ok {
			if len(p.names) == 1 && p.initials == "" && (p.names[0] == "al" || p.names[0] == "alii") {
				cur.open = true
			} else {
				cur.people = append(cur.people, p)
			}
		}
	}
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == '&' || s[i] == ',' {
			addPerson(i)
			start = i + 1
			continue
		}
		if i > 0 && s[i-1] != ' ' && s[i-1] != '.' {
			continue
		}
		w, _, _ := strings.Cut(s[i:], " ")
		switch strings.TrimSuffix(w, ".") {
		case "et", "and", "und", "y", "e", "con":
			if w == "e." || w == "y." { // an initial
				continue
			}
			addPerson(i)
			start = i + len(w)
			i = start - 1
		case "ex":
			addPerson(i)
			flush()
			start = i + len(w)
			i = start - 1
		case "in", "apud", "sensu", "non", "nec", "emend", "nom", "pro":
			addPerson(i)
			flush()
			return c
		}
	}
	flush()
	return c
}

// readPerson reads one author: initials, names, filius.
func readPerson(s string) (person, bool) {
	var p person
	var single []string
	words := strings.FieldsFunc(s, func(r rune) bool { return !isNameLetter(r) })
	for i, w := range words {
		if i > 0 {
			switch w {
			case "f", "fil", "filius", "jr", "junior", "bis":
				if i == len(words)-1 {
					p.filius = true
					continue
				}
			}
		}
		switch w {
		case "de", "von", "van", "der", "den", "zu", "zur", "du", "da", "do", "dos", "del", "della", "di", "la", "le", "st", "auct", "hb":
			if len(words) > 1 {
				continue
			}
		}
		if w == "v" && i > 0 && i+1 < len(words) {
			continue // von
		}
		if len(w) == 1 {
			single = append(single, w)
			p.initials += w
			continue
		}
		p.names = append(p.names, w)
	}
	if last := len(p.names) - 1; last >= 0 {
		if a, ok := aliases[p.names[last]]; ok {
			p.names[last] = a
		}
	}
	if p.initials == "jd" && len(p.names) == 1 && (p.names[0] == "hooker" || p.names[0] == "hook") {
		p.initials, p.filius = "", true // Hook.f. in full
	}
	if len(p.names) == 0 && len(single) > 0 {
		// L., or initials alone.
		p.names = single[len(single)-1:]
		p.initials = p.initials[:len(p.initials)-1]
	}
	return p, len(p.names) > 0
}

func isNameLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= utf8.RuneSelf }
