package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// hybridSign is what every way to write a hybrid's sign becomes.
const hybridSign = '×'

// ranks maps the ways to write an infraspecific rank to the one that a
// canonical name has.
var ranks = map[string]string{
	"subsp": "subsp.", "ssp": "subsp.", "subspec": "subsp.", "subspecies": "subsp.", "sbsp": "subsp.", "susbp": "subsp.", "subssp": "subsp.",
	"var": "var.", "variety": "var.", "varietas": "var.", "v": "var.", "vars": "var.", "varr": "var.",
	"f": "f.", "fo": "f.", "form": "f.", "forma": "f.", "fm": "f.", "fma": "f.",
	"subvar": "subvar.", "subvariety": "subvar.", "subvarietas": "subvar.", "sv": "subvar.", "sbv": "subvar.",
	"subf": "subf.", "subform": "subf.", "subforma": "subf.", "sf": "subf.",
	"nothosubsp": "nothosubsp.", "nothossp": "nothosubsp.", "notosubsp": "nothosubsp.", "nssp": "nothosubsp.", "nsubsp": "nothosubsp.", "nothosubspecies": "nothosubsp.",
	"nothovar": "nothovar.", "nothovarietas": "nothovar.", "nvar": "nothovar.", "nothof": "nothof.", "nothof.": "nothof.", "nothoforma": "nothof.", "nothosp": "", "nothospecies": "",
	"convar": "convar.", "prol": "prol.", "proles": "prol.", "lusus": "lusus", "lus": "lusus", "monstr": "monstr.", "mut": "mut.", "ab": "ab.", "race": "race", "agamosp": "agamosp.",
	"st": "stirps", "nat": "natio", "natio": "natio", "morph": "morpha", "morpha": "morpha", "ecas": "ecas.", "gr": "grex",
	"subsubvar": "subsubvar.", "subsubf": "subsubf.", "microgene": "microgene", "stirps": "stirps", "modif": "modif.", "agamovar": "agamovar.", "nothomorph": "nothomorph.", "nm": "nothomorph.", "nothom": "nothomorph.",
}

// rankWord returns the canonical form of a rank word, with or without its
// full stop.
func rankWord(w string) (string, bool) {
	r, ok := ranks[strings.TrimSuffix(w, ".")]
	return r, ok && r != ""
}

// appendKey appends the key of a canonical name: its words folded to lower
// case and Latin letters, one space between them, without hybrid signs and
// rank words. It returns the length of the first word too.
func appendKey(dst []byte, name string) (key []byte, genus int) {
	start := len(dst)
	words := 0
	for len(name) > 0 {
		var w string
		w, name = nextWord(name)
		if w == "" {
			break
		}
		if isHybridSign(w) {
			continue
		}
		if words >= 1 && name != "" {
			if _, ok := rankWord(w); ok {
				continue
			}
		}
		if words > 0 {
			dst = append(dst, ' ')
		}
		dst = appendFolded(dst, w)
		words++
		if words == 1 {
			genus = len(dst) - start
		}
	}
	return dst, genus
}

// nextWord cuts the first word off s, which may begin with spaces.
func nextWord(s string) (word, rest string) {
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	s = s[i:]
	i = strings.IndexByte(s, ' ')
	if i < 0 {
		return s, ""
	}
	word, rest = s[:i], s[i:]
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return word, rest
}

func isHybridSign(w string) bool { return w == "×" || w == "x" || w == "X" || w == "+" || w == "✕" }

// appendFolded appends w in lower-case Latin letters without diacritics (ICN
// Art. 60.7). Hyphens stay, apostrophes and a hybrid sign before the word go.
func appendFolded(dst []byte, w string) []byte {
	start := len(dst)
	dst = append(dst, w...)
	for i, c := range dst[start:] {
		switch {
		case c >= utf8.RuneSelf || c == '\'':
			return appendFoldedSlow(dst[:start+i], w[i:])
		case c >= 'A' && c <= 'Z':
			dst[start+i] = c + 'a' - 'A'
		}
	}
	return dst
}

// appendFoldedSlow is appendFolded for words that are more than ASCII letters.
func appendFoldedSlow(dst []byte, w string) []byte {
	for i := 0; i < len(w); i++ {
		c := w[i]
		switch {
		case c >= utf8.RuneSelf:
			return appendFoldedRunes(dst, w[i:])
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c != '\'':
			dst = append(dst, c)
		}
	}
	return dst
}

func appendFoldedRunes(dst []byte, w string) []byte {
	for _, r := range norm.NFC.String(w) {
		r = unicode.ToLower(r)
		if r < utf8.RuneSelf {
			if r != '\'' {
				dst = append(dst, byte(r))
			}
			continue
		}
		if s, ok := transliterations[r]; ok {
			dst = append(dst, s...)
			continue
		}
		for _, d := range norm.NFD.String(string(r)) {
			if !unicode.Is(unicode.Mn, d) {
				dst = utf8.AppendRune(dst, d)
			}
		}
	}
	return dst
}

// transliterations are the letters that become others when a name loses its
// diacritics (ICN Art. 60.7). A letter that is not listed loses its mark.
var transliterations = map[rune]string{
	'ä': "ae", 'ö': "oe", 'ü': "ue", 'ø': "oe", 'å': "ao", 'æ': "ae", 'œ': "oe", 'ß': "ss", 'ð': "d", 'þ': "th",
	'ł': "l", 'đ': "d", 'ı': "i", 'ŧ': "t", 'ħ': "h", 'ſ': "s",
	'‘': "", '’': "", 'ʼ': "", '×': "", '✕': "", '·': "",
}

// hash returns a 64-bit hash of key that is the same in every process.
func hash(key []byte) uint64 {
	h := uint64(len(key))*0x9E3779B97F4A7C15 ^ 0x2545F4914F6CDD1D
	for len(key) >= 8 {
		h = mix(h ^ (uint64(key[0]) | uint64(key[1])<<8 | uint64(key[2])<<16 | uint64(key[3])<<24 |
			uint64(key[4])<<32 | uint64(key[5])<<40 | uint64(key[6])<<48 | uint64(key[7])<<56))
		key = key[8:]
	}
	var w uint64
	for i, c := range key {
		w |= uint64(c) << (8 * i)
	}
	return mix(h ^ w)
}

func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	return h ^ h>>32
}

// letterMask has a bit for each letter that occurs in s.
func letterMask(s []byte) uint32 {
	var m uint32
	for _, c := range s {
		m |= 1 << (c & 31)
	}
	return m
}
