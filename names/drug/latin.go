package drug

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:embed words.txt
var latinWords string

// wordKind is what a word is in pharmaceutical Latin.
type wordKind uint8

const (
	stemWord wordKind = iota
	partWord
	productWord
	linkWord
	qualityWord
)

// wordKinds says what the words of words.txt are, and englishWords holds the
// English ones.
var (
	wordKinds = sync.OnceValue(func() map[string]wordKind {
		m := map[string]wordKind{}
		kinds := map[string]wordKind{"part": partWord, "product": productWord, "link": linkWord, "quality": qualityWord}
		for kind, words := range wordLines(latinWords) {
			for _, w := range words {
				if k := kinds[kind]; k != stemWord {
					m[w] = k
				}
			}
		}
		return m
	})
	englishWords = sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for kind, words := range wordLines(latinWords) {
			for _, w := range words {
				if kind == "english" {
					m[w] = true
				}
			}
		}
		return m
	})
)

// LatinName is a pharmaceutical Latin name, taken apart. All words are in small
// letters and without marks.
type LatinName struct {
	// Stem are the words that name the plant, in the genitive: salviae
	// miltiorrhizae. Empty for a name that has none.
	Stem []string
	// Parts are the words of parts, in order: radix, rhizoma.
	Parts []string
	// Qualities are words such as rubra and praeparata.
	Qualities []string
	// Product says that a part is one that no plant has: concha, cornu.
	Product bool
	// First says that the name begins with a part, as before 2010.
	First bool
}

// maxLatinWords is the most words that a drug's name has.
const maxLatinWords = 12

// ParseLatin takes a pharmaceutical Latin name apart, in either order. It
// reports whether the text has the form of one: a few words of letters, one of
// them a part, and a stem. Names without a part, such as Moschus, are known to
// [LookupLatin] alone.
func ParseLatin(text string) (LatinName, bool) {
	var n LatinName
	words := strings.FieldsFunc(strings.TrimSuffix(strings.TrimRight(text, " "), " ."), unicode.IsSpace)
	if len(words) == 0 || len(words) > maxLatinWords {
		return n, false
	}
	kinds := wordKinds()
	for i, w := range words {
		w = foldLatin(w)
		if i == len(words)-1 && kinds[w] == stemWord {
			w = strings.TrimRight(w, ".") // the full stop ends the text, it shortens no part
		}
		kind := kinds[w]
		if w == "herb." && len(n.Stem) > 1 {
			kind = stemWord // behind a name it is William Herbert
		}
		switch kind {
		case partWord, productWord:
			n.Parts = append(n.Parts, w)
			n.Product = n.Product || kind == productWord
			n.First = n.First || i == 0
		case qualityWord:
			n.Qualities = append(n.Qualities, w)
		case linkWord:
		default:
			n.Stem = append(n.Stem, w)
			if !isWord(w) {
				return n, false
			}
		}
	}
	return n, len(n.Parts) > 0 && len(n.Stem) > 0
}

// MayBeLatin says whether a text may be a pharmaceutical Latin name: false for
// one that [ParseLatin] refuses and of which [LatinName.Lookup] knows no drug. It
// is quick, for texts of which almost none is one.
func MayBeLatin(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return true
		}
	}
	kinds, words := wordKinds(), loaded().words
	known := true // as the words of the name of a drug without a part
	var buf [maxLatinWord]byte
	for w := range strings.FieldsSeq(text) {
		if len(w) > len(buf) {
			known = false
			continue
		}
		for i := range len(w) {
			buf[i] = w[i]
			if w[i] >= 'A' && w[i] <= 'Z' {
				buf[i] |= 0x20
			}
		}
		word := buf[:len(w)]
		if kinds[string(word)] == stemWord {
			word = bytes.TrimRight(word, ".") // the full stop may end the text
		}
		switch kinds[string(word)] {
		case partWord, productWord:
			return true
		case stemWord:
			known = known && (len(word) == 0 || words[string(word)])
		}
	}
	return known
}

// HasPart says whether some word of a text is a part of a drug in Latin. It is
// quick, for texts of which almost none has one.
func HasPart(text string) bool {
	kinds := wordKinds()
	var buf [maxPartWord + 1]byte
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if n := end - start; n >= minPartWord && n <= maxPartWord {
			for i := range n {
				buf[i] = text[start+i] | 0x20
			}
			word := buf[:n]
			if end < len(text) && text[end] == '.' && kinds[string(word)] == stemWord {
				word = append(word, '.') // herb.
			}
			if k := kinds[string(word)]; k == partWord || k == productWord {
				return true
			}
		}
		start = end + 1
	}
	return false
}

const (
	minPartWord  = 2
	maxPartWord  = 14
	maxLatinWord = 32 // in the name of a drug
)

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWord(w string) bool {
	for i := range len(w) {
		if !isLetter(w[i]) && w[i] != '-' {
			return false
		}
	}
	return len(w) > 2
}

// foldLatin brings a word to small letters without marks.
func foldLatin(w string) string {
	w = strings.ToLower(w)
	for i := range len(w) {
		if w[i] >= 0x80 {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}, norm.NFD.String(w))
		}
	}
	return w
}

// stem is what the table knows a Latin name by, in any order: the words of its
// stem; of a name that is made of parts and qualities only, these.
func (n LatinName) stem() string {
	words := slices.Clone(n.Stem)
	if len(words) == 0 {
		words = slices.Concat(n.Parts, n.Qualities)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// quality is a quality without what only its gender and spelling change.
func quality(w string) string {
	w = strings.Replace(w, "prae", "pre", 1)
	for _, end := range []string{"us", "um", "a"} {
		if s, ok := strings.CutSuffix(w, end); ok {
			return s
		}
	}
	return w
}

// fit says how well a name asked for fits n, which has the same stem.
func (n LatinName) fit(asked LatinName) int {
	fit := 0
	for _, p := range asked.Parts {
		if slices.Contains(n.Parts, p) {
			fit += 10
		} else {
			fit -= 2
		}
	}
	fit -= len(n.Parts)
	for _, q := range asked.Qualities {
		if slices.ContainsFunc(n.Qualities, func(own string) bool { return quality(own) == quality(q) }) {
			fit += 5
		}
	}
	return fit - len(n.Qualities)
}

// LookupLatin returns the drugs that have a pharmaceutical Latin name, in either
// order of its words. If they differ in parts or qualities, those that fit
// best; if none has a part that is asked for, all that have the stem, as loose.
// Nil if the table does not know the name.
func LookupLatin(text string) []Match {
	n, _ := ParseLatin(text)
	return n.Lookup()
}

// Lookup is [LookupLatin] for a name that was read.
func (n LatinName) Lookup() []Match {
	list := loaded().latin[n.stem()]
	if len(list) == 0 {
		return nil
	}
	if len(n.Parts) == 0 {
		// Without a part only a name is one that has none either.
		list = slices.DeleteFunc(slices.Clone(list), func(s styled) bool { return len(s.name.Parts) > 0 })
	}
	shares := func(s styled) bool {
		return len(n.Parts) == 0 || slices.ContainsFunc(n.Parts, func(p string) bool { return slices.Contains(s.name.Parts, p) })
	}
	loose := !slices.ContainsFunc(list, shares)
	best := 0
	for i, s := range list {
		if f := s.name.fit(n); i == 0 || f > best {
			best = f
		}
	}
	var out []Match
	for _, s := range list {
		if !loose && s.name.fit(n) < best || slices.ContainsFunc(out, func(f Match) bool { return f.Drug == s.drug }) {
			continue
		}
		out = append(out, Match{Drug: s.drug, Reading: Reading{Parts: n.Parts, Processing: n.Qualities}, PartDiffers: loose, Unsure: s.drug.Unsure})
	}
	return out
}

// CutEnglish takes words of parts and preparations off the end of a text, in
// small letters as they stand behind a name: Panax ginseng root extract. It
// returns the text as it is, and nil, if there are none.
func CutEnglish(text string) (rest string, parts []string) {
	words := englishWords()
	rest = text
	for {
		i := strings.LastIndexAny(rest, " \t")
		if i < 0 || !words[rest[i+1:]] {
			return rest, parts
		}
		parts = append([]string{rest[i+1:]}, parts...)
		rest = strings.TrimRight(rest[:i], " \t,;")
	}
}
