package herb

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

// wordKind is the role of a word in pharmaceutical Latin.
type wordKind uint8

const (
	stemWord wordKind = iota
	partWord
	productWord
	linkWord
	qualityWord
)

// wordKinds maps the Latin words of words.txt to their roles. englishWords has the English words of
// the file, and obliqueWords the words that only say of what the part is.
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
	englishWords = sync.OnceValue(func() map[string]bool { return wordsOf("english") })
	obliqueWords = sync.OnceValue(func() map[string]bool { return wordsOf("oblique") })
)

// wordsOf returns the words of words.txt of a kind.
func wordsOf(kind string) map[string]bool {
	m := map[string]bool{}
	for k, words := range wordLines(latinWords) {
		for _, w := range words {
			if k == kind {
				m[w] = true
			}
		}
	}
	return m
}

// LatinName is a pharmaceutical Latin name, split into words. All words are in lower case and
// without diacritics.
type LatinName struct {
	// Stem has the words for the plant in the genitive: salviae miltiorrhizae. It is empty if there
	// are none.
	Stem []string
	// Parts has the words for parts in the order of the text: radix, rhizoma.
	Parts []string
	// Qualities has the words that describe the part, such as rubra and praeparata.
	Qualities []string
	// Product is true if some part is one that plants do not have, such as concha or cornu.
	Product bool
	// First is true if the name starts with a part, as it did before 2010.
	First bool
}

// Used returns the parts that the name says are used: cortex for zingiberis rhizomatis cortex.
func (n LatinName) Used() (parts []string) {
	for _, p := range n.Parts {
		if !obliqueWords()[p] {
			parts = append(parts, p)
		}
	}
	return parts
}

// maxLatinWords is the maximum number of words in the name of a herb.
const maxLatinWords = 12

// ParseLatin splits a pharmaceutical Latin name in either word order. It reports whether the text
// has the form of such a name: a few words of letters, among them a part and a stem. Names without
// a part, such as Moschus, are found only by [LookupLatin].
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
			w = strings.TrimRight(w, ".") // the full stop ends the text and is not part of an abbreviation
		}
		kind := kinds[w]
		if w == "herb." && len(n.Stem) > 1 {
			kind = stemWord // after a scientific name, Herb. is the author William Herbert
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

// MayBeLatin reports whether a text may be a pharmaceutical Latin name. It is a fast check that
// returns true for every text that [ParseLatin] or [LookupLatin] accepts, and false for most
// others.
func MayBeLatin(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return true
		}
	}
	kinds, words := wordKinds(), loaded().words
	known := true // all words so far occur in names of herbs
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
			word = bytes.TrimRight(word, ".") // the full stop may end the text instead of an abbreviation
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

// HasPart reports whether a text contains a Latin word for a part of a herb. It is a fast check
// that rejects most texts.
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
				word = append(word, '.') // some words for parts have a full stop: herb.
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
	maxLatinWord = 32 // the maximum length of a word in names of herbs
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

// foldLatin returns a word in lower case without diacritics.
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

// stem returns the key under which the table stores a name: the sorted words of the stem or, if
// there is no stem, of the parts and qualities.
func (n LatinName) stem() string {
	words := slices.Clone(n.Stem)
	if len(words) == 0 {
		words = slices.Concat(n.Parts, n.Qualities)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// quality returns a quality in its usual spelling, without the gender ending.
func quality(w string) string {
	w = strings.Replace(w, "prae", "pre", 1)
	for _, end := range []string{"us", "um", "a"} {
		if s, ok := strings.CutSuffix(w, end); ok {
			return s
		}
	}
	return w
}

// fit returns a score that says how well the parts and qualities of asked agree with those of n.
// Both names must have the same stem.
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

// LookupLatin returns the herbs with a pharmaceutical Latin name in either word order. If several
// herbs have the stem, it returns those whose parts and qualities fit best. If no herb with the
// stem has one of the parts, it returns all herbs with the stem and sets PartDiffers. It returns
// nil if no herb has the stem.
func LookupLatin(text string) []Match {
	n, _ := ParseLatin(text)
	return n.Lookup()
}

// Lookup returns the herbs with the name n, as [LookupLatin] does.
func (n LatinName) Lookup() []Match {
	list := loaded().latin[n.stem()]
	if len(list) == 0 {
		return nil
	}
	if len(n.Parts) == 0 {
		// A name without a part finds only herbs whose own name has no part.
		list = slices.DeleteFunc(slices.Clone(list), func(s latinNamed) bool { return len(s.name.Parts) > 0 })
	}
	shares := func(s latinNamed) bool {
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
		if !loose && s.name.fit(n) < best || slices.ContainsFunc(out, func(f Match) bool { return f.Herb == s.herb }) {
			continue
		}
		out = append(out, Match{Herb: s.herb, Reading: Reading{Parts: n.Parts, Processing: n.Qualities}, By: StandardName, PartDiffers: loose, Unsure: s.herb.Unsure})
	}
	return out
}

// CutEnglish removes words for parts and preparations, in lower case, from the end of a text: Panax
// ginseng root extract. It returns the removed words as parts. If there are none, it returns the
// text and nil.
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
