package author

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
)

// Authorship is a parsed author citation: "(basionym) combination, year".
type Authorship struct {
	basionym, combination citation
	year                  int // 0 if the citation has no year
}

// citation is one or more teams joined by ex. The last team published the name.
type citation []team

// team is a group of authors who published together.
type team struct {
	people []person
	open   bool // the team ends with et al.
}

// person is one author.
type person struct {
	initials string   // folded first letters, in the order of the names
	names    []string // first names in full, then the surname, all folded
	filius   bool     // the person is cited as filius: Hook.f. is not Hook.
	known    []uint16 // numbers of the persons in the table who are cited in this form
}

// Parse parses an author citation. It never fails: the empty text gives an empty Authorship.
func Parse(s string) Authorship { return new(reader).read(s) }

func (r *reader) read(s string) Authorship {
	var a Authorship
	var buf [96]byte
	s = string(appendFolded(buf[:0], dotInitials(s)))
	s, a.year = cutYear(s)
	if i := strings.IndexByte(s, ':'); i > 0 {
		s = s[:i] // remove the sanctioning author, who follows the colon
	}
	s = cutPlace(s)
	for strings.HasPrefix(s, "(") {
		inner, rest, ok := strings.Cut(s[1:], ")")
		if !ok {
			s = s[1:]
			break
		}
		a.basionym = r.citation(strings.Trim(inner, "( "))
		s = strings.TrimLeft(rest, " ,)")
	}
	if i := strings.IndexByte(s, '('); i > 0 {
		s = s[:i]
	}
	a.combination = r.citation(s)
	return a
}

// IsMisapplied reports whether a citation says that the name was misapplied, that is, used for
// another plant than that of its author: auct. non L., sensu Merr., non Cardot.
func IsMisapplied(s string) bool {
	before := ""
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		first, _ := utf8.DecodeRuneInString(w)
		switch l := strings.ToLower(w); {
		case l == "auct", l == "auctt", l == "auctorum", l == "non" && before == "", before == "sensu" && unicode.IsUpper(first):
			return true
		default:
			before = l
		}
	}
	return false
}

// appendFolded appends s in lower case, without diacritics, quotation marks and square brackets. It
// replaces semicolons by commas, several spaces by one, and letters that could not be decoded by
// question marks.
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
		if r == utf8.RuneError {
			dst = append(dst, '?')
			space = false
			i += n
			continue
		}
		start := len(dst)
		dst = spelling.AppendFolded(dst, s[i:i+n])
		// Keep only the plain letter, so that Müll. and Mull. become equal.
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

// cutYear removes the year of publication and the text after it.
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
		// If a closing bracket after the year belongs to the author, keep it.
		rest := ""
		if j := strings.IndexByte(s[i:], ')'); j >= 0 && strings.LastIndexByte(s[:i], '(') >= 0 && !strings.HasSuffix(strings.TrimSpace(s[:i]), "(") {
			rest = s[i+j:]
		}
		return strings.TrimRight(s[:i], " ,(.") + dotIfCut(s[:i]) + rest, year
	}
	return s, 0
}

// cutPlace removes the place of publication. This is the text from the last comma before the first
// number, or from the number if there is no comma.
func cutPlace(s string) string {
	i := strings.IndexAny(s, "0123456789")
	if i < 0 || strings.IndexByte(s[i:], ')') >= 0 {
		return s
	}
	if comma := strings.LastIndexByte(s[:i], ','); comma > 0 {
		return s[:comma]
	}
	return s[:i]
}

// dotIfCut returns "." if cutYear removed the full stop of an abbreviation together with the year.
// Otherwise it returns "".
func dotIfCut(s string) string {
	if strings.Contains(strings.TrimRight(s, " ,("), ".") && strings.HasSuffix(strings.TrimRight(s, " ,("), ".") {
		return "."
	}
	return ""
}
