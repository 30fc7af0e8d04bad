package parse

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// unframe removes what lists, labels and file names add to a name: a number or bullet before it,
// quotes or brackets around it, cf. before the genus. It also restores missing spaces. The flags
// record the changes that concern more than punctuation.
func unframe(dict *Lexicon, s string) (string, answer.Flags) {
	var f answer.Flags
	t := cutListMark(s)
	if len(t) > 2 && closes(t[0], t[len(t)-1]) && !strings.ContainsAny(t[1:len(t)-1], t[:1]+t[len(t)-1:]) {
		t = strings.TrimSpace(t[1 : len(t)-1])
	}
	if first, rest, ok := strings.Cut(t, " "); ok && wordlist.Of(bare(first)).Is(wordlist.Qualifier|wordlist.Near) {
		t = strings.TrimSpace(rest)
		f |= answer.Qualifier
	}
	if !strings.Contains(t, " ") {
		t = addSpaces(dict, t)
	}
	return t, f
}

// closes reports whether end is the closing character for open.
func closes(open, end byte) bool {
	switch open {
	case '"', '\'':
		return end == open
	case '(':
		return end == ')'
	case '[':
		return end == ']'
	}
	return false
}

// cutListMark removes the mark of a list item from the start of a line: "12.", "(3)" or "-".
func cutListMark(s string) string {
	if first, rest, ok := strings.Cut(s, " "); ok && strings.Trim(first, "0123456789.):#(-·>") == "" {
		return rest
	}
	return s
}

// separators replaces characters that are used instead of spaces in a name.
var separators = strings.NewReplacer(".", " ", "-", " ", "+", " ")

// addSpaces adds missing spaces to a name: Panax.ginseng, panax-ginseng, Panax%20ginseng,
// P.ginseng. The result must be a name in the dictionary or have an abbreviated
// genus. Otherwise addSpaces returns the text unchanged.
func addSpaces(dict *Lexicon, s string) string {
	if strings.Contains(s, "%20") {
		if t, err := url.PathUnescape(s); err == nil && utf8.ValidString(t) {
			return spelling.Tidy(t)
		}
	}
	if i := strings.IndexByte(s, '.'); i > 0 && i <= 3 && dict.IsEpithet(s[i+1:]) {
		return s[:i+1] + " " + s[i+1:]
	}
	if t := separators.Replace(s); dict.isName(t) {
		return spelling.Tidy(t)
	}
	return s
}
