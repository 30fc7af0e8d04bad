package author

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/names/editdistance"
)

// agreeInitials compares the initials of two persons. One side may omit some initials or give them
// in another order.
func agreeInitials(a, b string) int {
	if a == b {
		return same
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	for i := 0; i < len(a); i++ {
		j := strings.IndexByte(b, a[i])
		if j < 0 && (a[i] == 'c' || a[i] == 'k') {
			j = strings.IndexByte(b, 'c'^'k'^a[i]) // Carl is also spelt Karl
		}
		if j < 0 {
			return differ
		}
		b = b[:j] + b[j+1:]
	}
	return alike
}

// agreeSurname compares two surnames. One may be shortened at the end (Maxim., Max.) or by leaving
// out letters within (Bge. for Bunge). Long surnames may also differ by one letter, very long ones
// by two.
func agreeSurname(a, b string) int {
	switch {
	case a == b:
		return same
	case strings.IndexByte(a, '?') >= 0:
		return agreeLost(a, b)
	case strings.IndexByte(b, '?') >= 0:
		return agreeLost(b, a)
	case firstSound(a) != firstSound(b), a[0] != b[0] && min(len(a), len(b)) < 5:
		return differ // in a short name, the first letters must be equal: Vahl is not Wahl., but Voronov may be Woronow
	case sameUmlauts(a, b):
		return same // umlauts in two spellings: Doell, Döll
	}
	var bufA, bufB [48]byte
	x, y := appendSound(bufA[:0], a), appendSound(bufB[:0], b)
	if string(x) == string(y) {
		return alike // equal sounds in two spellings: Litw., Litv.; Muench, Münch
	}
	if len(x) >= 3 && len(y) >= 3 {
		return agreeShortened(x, y)
	}
	return agreeShortened(append(x[:0], a...), append(y[:0], b...))
}

// agreeLost compares the surnames a and b, where a has lost letters in one place: F?e and F??e are
// Fée. At most two letters of b may stand in their place, since umlauts are also written with an e.
func agreeLost(a, b string) int {
	before, after, _ := strings.Cut(a, "?")
	after = strings.TrimLeft(after, "?")
	rest, ok := strings.CutPrefix(b, before)
	for n := 0; ok && n <= 2 && n < len(rest); n++ {
		if rest[n:] == after || len(after) > 1 && (strings.HasPrefix(rest[n:], after) || len(rest) > n+1 && strings.HasPrefix(after, rest[n:])) {
			return alike
		}
	}
	return differ
}

// agreeShortened compares surnames with different letters. One of them may be an abbreviation of
// the other.
func agreeShortened(a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a[0] != b[0] || len(a) < 2 {
		return differ
	}
	if bytes.HasPrefix(b, a) || len(a) >= 3 && isSubsequence(a, b) {
		return alike
	}
	if len(a) >= 5 && string(a[:2]) == string(b[:2]) && edits(a, b, 1) || len(a) >= 6 && edits(a, b, 1) || len(a) >= 9 && edits(a, b, 2) {
		return alike
	}
	// Both surnames may be shortened after different letters: Lévl. and Lév., Hand.-Mzt.
	if len(a) >= 4 && string(a[:3]) == string(b[:3]) && isSubsequence(a[3:], b[3:]) {
		return alike
	}
	return differ
}

// edits reports whether the edit distance of two surnames is at most n.
func edits(a, b []byte, n int) bool {
	if isASCII(a) && isASCII(b) {
		return editdistance.WithBlocks(a, b, n) <= n
	}
	return editdistance.WithBlocks([]rune(string(a)), []rune(string(b)), n) <= n
}

func isASCII(s []byte) bool {
	return !slices.ContainsFunc(s, func(c byte) bool { return c >= utf8.RuneSelf })
}

// umlaut reports whether an umlaut, written as ae, oe or ue, starts at i.
func umlaut(s string, i int) bool {
	return i+1 < len(s) && s[i+1] == 'e' && (s[i] == 'a' || s[i] == 'o' || s[i] == 'u')
}

// sameUmlauts reports whether two surnames differ only in the spelling of umlauts.
func sameUmlauts(a, b string) bool {
	i, j := 0, 0
	for i < len(a) && j < len(b) && a[i] == b[j] {
		if umlaut(a, i) {
			i++
		}
		if umlaut(b, j) {
			j++
		}
		i++
		j++
	}
	return i == len(a) && j == len(b)
}

// appendSound appends a surname and replaces letters that transcriptions interchange by one of
// them: w by v, an umlaut by the plain vowel.
func appendSound(dst []byte, surname string) []byte {
	for i := 0; i < len(surname); i++ {
		dst = append(dst, soundOf(surname[i]))
		if umlaut(surname, i) {
			i++
		}
	}
	return dst
}

func soundOf(c byte) byte {
	if c == 'w' {
		return 'v'
	}
	return c
}

// firstSound returns the first letter of a surname as appendSound writes it.
func firstSound(surname string) byte { return soundOf(surname[0]) }

// isSubsequence reports whether the bytes of a occur in b in the same order, possibly with other
// bytes between them.
func isSubsequence(a, b []byte) bool {
	j := 0
	for i := 0; i < len(a); i++ {
		k := bytes.IndexByte(b[j:], a[i])
		if k < 0 {
			return false
		}
		j += k + 1
	}
	return true
}
