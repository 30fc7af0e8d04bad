// Package han folds the Chinese names of plants and formulas, so that different spellings become
// equal: 人參, 人葠 and 人参, or [艹／洽]草 and 洽草. Names and queries are folded by the same function,
// [Fold]. The package knows nothing of pinyin or records.
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

// Tables returns a hash of the folding tables. If two hashes differ, texts folded with the two
// versions of the tables must not be compared.
func Tables() string {
	h := sha256.New()
	for _, part := range []string{simplifiedTable, variantsTable, wordsTable, strings.Join(notes, " ")} {
		fmt.Fprintf(h, "%d %s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// notes lists remarks that are not part of a name. Floras add one of the first three to the Chinese
// name of an autonym.
var notes = []string{"原变种", "原亚种", "原变型", "存疑种"}

// table maps characters to their folded forms.
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

// pairs calls f for each pair of characters of a table.
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
	// signs holds the characters that occur in the words but not in their folded forms. A text
	// without any of these characters contains none of the words.
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

// Rune folds one character: traditional to simplified, then variants in names of herbs. It returns
// other characters unchanged.
func Rune(r rune) rune {
	if r < 0x2E80 {
		return r
	}
	if to, ok := table()[r]; ok {
		return to
	}
	return r
}

// Has reports whether s has a Chinese character.
func Has(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.IndexFunc(s[i:], Is) >= 0
		}
	}
	return false
}

// Is reports whether r is a Chinese character.
func Is(r rune) bool {
	if r >= 0x4E00 && r <= 0x9FFF {
		return true
	}
	return r > 0x2E80 && unicode.Is(unicode.Han, r)
}

// Noted reports whether a name has one of the notes that Fold removes, such as 原变种. Without the
// note, it is the name of the species.
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

// Fold returns the form of a Chinese name or query that is used to compare names. It applies NFKC,
// simplifies characters, folds variants and other spellings of herb names, and removes brackets,
// spaces and notes such as 原变种. It replaces a character that is described by two components, [艹／洽],
// by the second component. It keeps Latin letters and characters outside the tables. Folding a
// folded text does not change it.
func Fold(s string) string {
	if IsFolded(s) {
		return s
	}
	// Repeat until nothing changes, because removing text may create a new note or component
	// description.
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

// composed returns the number of runes before the last component, if s starts with a character
// described by its components, as in "[艹/洽]草". Otherwise it returns 0. The caller removes the
// closing bracket later, like other brackets.
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

// isPrivate reports whether r is a private-use character. Older fonts encode radicals there.
func isPrivate(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }

// skipped reports whether r only separates or encloses parts of names.
func skipped(r rune) bool {
	switch r {
	case '<', '>', '·', '・', '•', '\'', '"', '`', '´':
		return true
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) ||
		unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Cf, unicode.Variation_Selector)
}

// The first and the last of the common characters.
const firstCommon, lastCommon = 0x4E00, 0x9FFF

// changing tells of each common character whether folding may change a text with it.
var changing = sync.OnceValue(func() *[lastCommon - firstCommon + 1]bool {
	var all [lastCommon - firstCommon + 1]bool
	for r := range all {
		_, inTable := table()[firstCommon+rune(r)]
		all[r] = inTable || strings.ContainsRune(words().signs, firstCommon+rune(r))
	}
	return &all
})

// IsFolded reports whether folding leaves s unchanged. It is a fast check that may return false for
// folded names with rare characters. If it returns true, s has only common characters, lower-case
// letters and digits.
func IsFolded(s string) bool {
	changes := changing()
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			continue
		}
		if r < firstCommon || r > lastCommon || changes[r-firstCommon] {
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
