// Package han folds Chinese plant and formula names to the form in which they
// are compared, so that 人參, 人葠 and 人参 are one name, and so are
// [艹／洽]草 and 洽草. Names and queries go through the same function.
package han

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:embed simplified.txt
var simplifiedTable string

//go:embed variants.txt
var variantsTable string

//go:embed words.txt
var wordsTable string

// Tables identifies the tables that names are folded by: a hash in hex digits.
// What was folded by other tables cannot be compared with what is folded now.
func Tables() string {
	h := sha256.New()
	for _, part := range []string{simplifiedTable, variantsTable, wordsTable, strings.Join(notes, " ")} {
		fmt.Fprintf(h, "%d %s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// notes are remarks on a name that are no part of it. Floras add the first
// three to autonyms.
var notes = []string{"原变种", "原亚种", "原变型", "存疑种"}

// table maps each character that is folded to what it becomes.
var table = sync.OnceValue(func() map[rune]rune {
	m := make(map[rune]rune, 5000)
	pairs(simplifiedTable, func(from, to rune) { m[from] = to })
	variants := make(map[rune]rune)
	pairs(variantsTable, func(from, to rune) { variants[from] = to })
	for from, to := range m {
		if v, ok := variants[to]; ok {
			m[from] = v
		}
	}
	for from, to := range variants {
		m[from] = to
	}
	return m
})

// pairs calls f with the two characters of each pair of a table.
func pairs(table string, f func(from, to rune)) {
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, pair := range strings.Fields(line) {
			from, n := utf8.DecodeRuneInString(pair)
			to, _ := utf8.DecodeRuneInString(pair[n:])
			f(from, to)
		}
	}
}

// spellings folds words whose characters cannot be folded one by one.
type spellings struct {
	replace *strings.Replacer
	// signs are the characters that such a word has and its folded form has
	// not: a text without them has no such word.
	signs string
}

var words = sync.OnceValue(func() spellings {
	var s spellings
	var list []string
	for line := range strings.Lines(wordsTable) {
		from, to, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || from == "#" {
			continue
		}
		list = append(list, from, to)
		for _, r := range from {
			if !strings.ContainsRune(to, r) {
				s.signs += string(r)
				break
			}
		}
	}
	s.replace = strings.NewReplacer(list...)
	return s
})

// Rune folds one character: traditional to simplified, then the variants of
// herb names. A character outside the tables is returned as it is.
func Rune(r rune) rune {
	if r < 0x2E80 {
		return r
	}
	if to, ok := table()[r]; ok {
		return to
	}
	return r
}

// Has says whether s contains a Chinese character.
func Has(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.IndexFunc(s[i:], Is) >= 0
		}
	}
	return false
}

// Is says whether r is a Chinese character.
func Is(r rune) bool {
	if r >= 0x4E00 && r <= 0x9FFF {
		return true
	}
	return r > 0x2E80 && unicode.Is(unicode.Han, r)
}

// Noted says whether a name carries one of the notes that Fold takes off, such
// as 原变种: it is then the name of the type, and folds to that of the species.
func Noted(s string) bool {
	if !Has(s) {
		return false
	}
	folded := strings.Map(func(r rune) rune {
		if skipped(r) {
			return -1
		}
		return Rune(r)
	}, s)
	for _, note := range notes {
		if strings.HasSuffix(folded, note) && folded != note {
			return true
		}
	}
	return false
}

// Fold brings a Chinese name, or a query for one, to the form in which names
// are compared: compatibility forms normalised (NFKC), simplified, herb
// variants and other spellings of words folded, without brackets, spaces and notes such as 原变种. A
// character that a source composes of two parts, [艹／洽], becomes its second
// part. Latin letters and characters outside the tables are kept; folding a
// folded name changes nothing.
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	// What one pass takes away may leave a note or a composed sequence that
	// was not one before.
	for {
		t := fold(s)
		if t == s {
			return t
		}
		s = t
	}
}

func fold(s string) string {
	in := []rune(norm.NFKC.String(s))
	out := make([]rune, 0, len(in))
	for i := 0; i < len(in); i++ {
		r := in[i]
		if r == '[' {
			if n := composed(in[i:]); n > 0 {
				i += n
				continue
			}
		}
		if isPrivate(r) && i+1 < len(in) && in[i+1] == '/' {
			i++
			continue
		}
		if !skipped(r) {
			out = append(out, Rune(r))
		}
	}
	t := string(out)
	for _, note := range notes {
		if rest, ok := strings.CutSuffix(t, note); ok && rest != "" {
			t = rest
		}
	}
	return words().replace.Replace(norm.NFKC.String(t))
}

// composed returns how many characters stand before the last part of a glyph
// that is composed of parts, as in "[艹/洽]草", or 0 if s does not begin with
// one. The closing bracket is skipped later, like any other.
func composed(s []rune) int {
	slash := 0
	for i, r := range s[:min(len(s), 8)] {
		switch r {
		case '/':
			slash = i
		case ']':
			return slash
		}
	}
	return 0
}

// isPrivate says whether r is a private-use character, which older fonts have
// for a radical.
func isPrivate(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }

// skipped says whether r stands in names only to separate or enclose.
func skipped(r rune) bool {
	switch r {
	case '<', '>', '·', '・', '•', '\'', '"', '`', '´':
		return true
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) ||
		unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Cf, unicode.Variation_Selector)
}

// isFolded says, for names of common characters only, that folding s would
// change nothing.
func isFolded(s string) bool {
	m, signs := table(), words().signs
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			continue
		}
		if r < 0x4E00 || r > 0x9FFF {
			return false
		}
		if _, ok := m[r]; ok || strings.ContainsRune(signs, r) {
			return false
		}
	}
	for _, note := range notes {
		if strings.HasSuffix(s, note) {
			return false
		}
	}
	return true
}
