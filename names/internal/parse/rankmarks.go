package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/ranks"
)

// tidyRanks writes words for ranks and the epithets after them as checklists do: Var. Citriodora as
// var. citriodora, and var.saxatilis as var. saxatilis. After a word for a rank comes an epithet,
// whatever its case. tidyRanks leaves a text in capitals and a phrase name unchanged.
func tidyRanks(s string) (string, answer.Flags) {
	if !mayHaveRank(s) || strings.ToUpper(s) == s || IsPhrase(s) {
		return s, 0
	}
	words := strings.Split(s, " ")
	var out []string
	var flags answer.Flags
	for i := 0; i < len(words); i++ {
		w := words[i]
		rank, epithet, _ := strings.Cut(w, ".")
		epithet = strings.TrimLeftFunc(epithet, func(r rune) bool { return r == '.' || unicode.Is(unicode.Greek, r) }) // var.δ.alba
		if i < 2 || !isRank(rank, epithet) {
			out = append(out, w)
			continue
		}
		if epithet == "" && i+1 < len(words) {
			i++
			epithet = words[i]
		} else {
			w = rank + "."
		}
		if name := strings.TrimRight(epithet, ",;"); ranks.Usual(strings.ToLower(strings.TrimSuffix(name, "."))) {
			i-- // there are two ranks in sequence: var. Var.
			out = append(out, strings.ToLower(w))
			continue
		} else if spelling.IsWord(name) && utf8.RuneCountInString(name) > 2 {
			if l := strings.ToLower(w + epithet); l != w+epithet {
				w, epithet = strings.ToLower(w), strings.ToLower(epithet)
				flags |= answer.CaseFixed
			}
		}
		out = append(out, w)
		if epithet != "" {
			out = append(out, epithet)
		}
	}
	return strings.Join(out, " "), flags
}

// isRank reports whether a word is for a rank. epithet is what follows its full stop without a space.
// f. and other short words may also be the initials of authors. They count only if an epithet in
// small letters is written together with them.
func isRank(word, epithet string) bool {
	short := len(word) <= 2
	if !ranks.Usual(strings.ToLower(word)) || short && epithet == "" {
		return false
	}
	if epithet == "" {
		return true
	}
	name := strings.TrimRight(epithet, ",;")
	return spelling.IsWord(name) && !(short && spelling.ShapeOf(name) != spelling.Lower)
}

// mayHaveRank reports whether some word from the third on begins with a word for a rank that is not
// written as in checklists: var. alba. It excludes most texts in little time.
func mayHaveRank(s string) bool {
	_, s, _ = strings.Cut(s, " ")
	for space := strings.IndexByte(s, ' '); space >= 0; space = strings.IndexByte(s, ' ') {
		if s = s[space+1:]; len(s) < 2 {
			return false
		}
		switch a, b := s[0]|0x20, s[1]|0x20; {
		case a == 'v' && b == 'a', a == 's' && (b == 'u' || b == 's'), (a == 'f' || a == 'n' || a == 'c') && b == 'o', s[0] == 'f' && s[1] == '.':
			word, rest := spelling.NextWord(s)
			head, tail, _ := strings.Cut(word, ".")
			if ranks.Usual(strings.ToLower(head)) && !(tail == "" && strings.ToLower(head) == head && rest != "" && !startsUpper(rest)) {
				return true
			}
		}
	}
	return false
}

// startsUpper reports whether a text starts with a capital.
func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
