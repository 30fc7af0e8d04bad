// Package reading interprets the text of a query: its script, and its forms as a Chinese name, as
// pinyin and as a scientific name.
//
//	"人shen"      mixed       key 人shen      pieces 人, shen
//	"liùwèi di"   letters     key liùwèidi   sound liu4wei4 di
//	"P. ginseng"  letters     key pginseng   words P., ginseng
//
// It does not know the index. Start with [Read].
package reading

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/pinyin"
)

// Script is the script of a query.
type Script string

// The scripts.
const (
	Everything Script = "everything" // an empty query
	Nothing    Script = "nothing"    // no letter or digit
	Characters Script = "characters" // Chinese characters
	Letters    Script = "letters"    // pinyin or a scientific name
	Mixed      Script = "mixed"      // characters and letters
	Digits     Script = "digits"
)

// Reading is a query with its interpretations: script, name, pinyin and words.
type Reading struct {
	Script Script
	Raw    string // as typed
	Text   string // Raw in Unicode compatibility form, without the line number of a list
	Key    string // Text in the form in which Chinese names are compared
	Runes  []rune // the characters of Key

	// Literal is true if the text contains an asterisk as a wildcard. This program has no
	// wildcards, and names contain no asterisk, so such a query finds no names.
	Literal bool

	Sound    pinyin.Typed
	HasSound bool
	Words    []terms.LatinWord
	Pieces   []Piece // the pieces of a mixed query
}

// Read interprets a query.
func Read(q string) Reading {
	rd := ReadTitle(q)
	rd.Raw = q
	switch rd.Script {
	case Mixed:
		rd.Pieces = cutPieces(rd.Text)
		rd.Words = terms.LatinWords(strings.Map(func(r rune) rune {
			if han.Is(r) {
				return ' '
			}
			return r
		}, rd.Text))
	case Letters:
		rd.Sound, rd.HasSound = pinyin.Parse(rd.Text)
		rd.Sound.DropNote()
		rd.Words = terms.LatinWords(rd.Text)
		if rd.HasSound && noLatin(&rd.Sound, rd.Words) {
			rd.Words = nil
		}
	}
	return rd
}

// ReadTitle interprets a query for titles and identifiers. It does not interpret the query as a
// name.
func ReadTitle(q string) Reading {
	rd := Reading{Raw: strings.ToValidUTF8(q, " ")}
	rd.Text = rd.Raw
	if strings.ContainsFunc(rd.Raw, func(r rune) bool { return r > unicode.MaxASCII }) {
		rd.Text = strings.Map(breve, norm.NFKC.String(strings.Map(printed, rd.Raw)))
	}
	rd.Text = withoutListNumber(rd.Text)
	rd.Key = terms.ChineseKey(rd.Text)
	rd.Runes = []rune(rd.Key)
	rd.Literal = hasWildcard(rd.Text)
	characters, letters := han.Has(rd.Key) || strings.ContainsRune(rd.Key, '〇'), false
	for _, r := range rd.Runes {
		letters = letters || unicode.IsLetter(r) && !han.Is(r)
	}
	switch {
	case characters && letters:
		rd.Script = Mixed
	case characters:
		rd.Script = Characters
	case letters:
		rd.Script = Letters
	case rd.Key != "":
		rd.Script = Digits
	default:
		rd.Script = Nothing
	}
	return rd
}

// printed maps the letters ɡ and ɑ, which books print in pinyin, to g and a. Tone marks may follow
// them.
func printed(r rune) rune {
	switch r {
	case 'ɡ':
		return 'g'
	case 'ɑ':
		return 'a'
	}
	return r
}

// breve maps a vowel with a breve to the vowel with a caron. Some books print the breve for the
// third tone.
func breve(r rune) rune {
	switch r {
	case 'ă':
		return 'ǎ'
	case 'ĕ':
		return 'ě'
	case 'ĭ':
		return 'ǐ'
	case 'ŏ':
		return 'ǒ'
	case 'ŭ':
		return 'ǔ'
	case 'Ă':
		return 'Ǎ'
	case 'Ĕ':
		return 'Ě'
	case 'Ĭ':
		return 'Ǐ'
	case 'Ŏ':
		return 'Ǒ'
	case 'Ŭ':
		return 'Ǔ'
	}
	return r
}

// listNumber matches the line number at the start of a line copied from a list: "1. ", "(2) ",
// "3、", "(三)", and the letter behind it. 三七 is no number but a herb, and a DOI has a digit there.
var listNumber = regexp.MustCompile(`^\s*[(\[]?(?:[0-9]{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])[.)\]、]+\s*(\pL)`)

// withoutListNumber removes the line number at the start of a name copied from a list.
func withoutListNumber(s string) string {
	if at := listNumber.FindStringSubmatchIndex(s); at != nil {
		return s[at[2]:]
	}
	return s
}

// noLatin reports whether a text that may be pinyin cannot be a scientific name: it has tones, or
// its words are too short (bei mu).
func noLatin(q *pinyin.Typed, words []terms.LatinWord) bool {
	short := func(w terms.LatinWord) bool { return len(w.Text) < terms.MinLatinPrefix && !w.Short }
	if !q.Toned && (len(words) < 2 || !slices.ContainsFunc(words, short)) {
		return false
	}
	return q.IsPinyin()
}

// hasWildcard reports whether an asterisk is next to a letter or another sign. An asterisk between
// spaces is a hybrid sign instead.
func hasWildcard(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if word != "*" && strings.Contains(word, "*") {
			return true
		}
	}
	return false
}

// Syllables returns the syllables of a query in pinyin or characters. It returns nil if the
// syllables are not certain.
func (rd *Reading) Syllables() []string {
	switch rd.Script {
	case Letters:
		if rd.HasSound && rd.Sound.IsPinyin() {
			return rd.Sound.Syllables()
		}
	case Mixed:
		var out []string
		for _, p := range rd.Pieces {
			if p.Char != 0 {
				out = append(out, string(p.Char))
			} else {
				out = append(out, p.Sound.Syllables()...)
			}
		}
		return out
	case Characters:
		return strings.Fields(untrained().Read(rd.Key))
	}
	return nil
}

// untrained is the pinyin model for queries. It has the dictionary and the tables of herbs,
// formulas and words, but is not trained on the names in the data.
var untrained = sync.OnceValue(func() *pinyin.Model { return pinyin.Train(nil) })

// maxReadings is the maximum number of pinyin readings of a query in characters.
const maxReadings = 16

// PinyinReadings returns the usual readings of characters in numbered pinyin, the likeliest first. It
// returns nil if a character has no reading.
func PinyinReadings(runes []rune) []string { return readings(runes, pinyin.IsUsual) }

// AllReadings is like [PinyinReadings], with readings that few people know, such as 苓 lián.
func AllReadings(runes []rune) []string {
	return readings(runes, func(rune, string) bool { return true })
}

func readings(runes []rune, keep func(r rune, syllable string) bool) []string {
	values := []string{""}
	for k, first := range strings.Fields(untrained().Read(string(runes))) {
		if k >= len(runes) || !pinyin.IsSyllable(first) {
			return nil
		}
		options := []string{first}
		for _, other := range pinyin.AlternateReadings(runes[k], first) {
			if keep(runes[k], other) {
				options = append(options, other)
			}
		}
		var longer []string
		for o, syllable := range options {
			for _, v := range values {
				if o == 0 || len(longer) < maxReadings {
					longer = append(longer, strings.TrimSpace(v+" "+pinyin.Numbered(syllable)))
				}
			}
		}
		values = longer
	}
	return values
}
