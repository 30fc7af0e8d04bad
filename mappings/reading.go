package mappings

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bencao/names/han"
)

// Script is what a query is written in.
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

// reading is a query as it was understood.
type reading struct {
	script Script
	text   string // as typed, in compatibility form
	key    string // as names are compared
	runes  []rune // of key

	// literal says that the text holds a sign that means something in other
	// search engines. Here it stands for itself, and no name holds it.
	literal bool

	sound    sound
	hasSound bool
	words    []latinWord
	pieces   []piece // of a mixed query
}

// read understands a query.
func read(q string) reading {
	rd := reading{text: norm.NFKC.String(strings.ToValidUTF8(q, " ")), key: nameKey(q)}
	rd.runes = []rune(rd.key)
	rd.literal = hasWildcard(rd.text)
	characters, letters := han.Has(rd.key) || strings.ContainsRune(rd.key, '〇'), false
	for _, r := range rd.runes {
		letters = letters || unicode.IsLetter(r) && !han.Is(r)
	}
	switch {
	case characters && letters:
		rd.script = Mixed
		rd.pieces = cutPieces(rd.text)
		rd.words = latinWords(strings.Map(func(r rune) rune {
			if han.Is(r) {
				return ' '
			}
			return r
		}, rd.text))
	case characters:
		rd.script = Characters
	case letters:
		rd.script = Letters
		rd.sound, rd.hasSound = parseSound(rd.text)
		rd.sound.dropNote()
		rd.words = latinWords(rd.text)
		if rd.hasSound && noLatin(&rd.sound, rd.words) {
			rd.words = nil
		}
	case rd.key != "":
		rd.script = Digits
	default:
		rd.script = Nothing
	}
	return rd
}

// noLatin says whether what can be read as pinyin cannot be meant as a
// scientific name: it has tones, or words too short for one (bei mu).
func noLatin(q *sound, words []latinWord) bool {
	short := func(w latinWord) bool { return len(w.text) < minLatinPrefix && !w.short }
	if !q.toned && (len(words) < 2 || !slices.ContainsFunc(words, short)) {
		return false
	}
	return q.isPinyin()
}

// hasWildcard says whether an asterisk stands beside a letter or another sign.
// One between spaces is the hybrid sign of those who have no ×.
func hasWildcard(text string) bool {
	for _, word := range strings.Fields(text) {
		if word != "*" && strings.Contains(word, "*") {
			return true
		}
	}
	return false
}

// syllables returns the query's syllables as far as they can be told.
func (rd *reading) syllables() []string {
	switch rd.script {
	case Letters:
		if rd.hasSound && rd.sound.isPinyin() {
			return rd.sound.syllables()
		}
	case Mixed:
		var out []string
		for _, p := range rd.pieces {
			if p.char != 0 {
				out = append(out, string(p.char))
			} else {
				out = append(out, p.sound.syllables()...)
			}
		}
		return out
	case Characters:
		return strings.Fields(untrained().Read(rd.key))
	}
	return nil
}
