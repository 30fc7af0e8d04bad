package herb

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"bencao/names/editdistance"
)

// closedWord is a word to which a misspelt word can be corrected, with its [editdistance.Mask].
type closedWord struct {
	text string
	mask uint32
}

// closedList lists the words to which misspelt words can be corrected: parts, links and qualities,
// then the words of the stems in the table.
var closedList = sync.OnceValue(func() []closedWord {
	var all, stems []string
	for kind, words := range wordLines(latinWords) {
		for _, w := range words {
			if kind != "english" && isWord(w) {
				all = append(all, w)
			}
		}
	}
	for w := range loaded().words {
		if wordKinds()[w] == stemWord && isWord(w) {
			stems = append(stems, w)
		}
	}
	slices.Sort(stems)
	var list []closedWord
	for _, w := range append(all, stems...) {
		list = append(list, closedWord{w, editdistance.Mask([]byte(w))})
	}
	return list
})

// byNominative maps a word in the nominative to the stems of one word that may be its genitive:
// ephedra to ephedrae.
var byNominative = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for stem := range loaded().latin {
		if stem == "" || strings.Contains(stem, " ") {
			continue
		}
		for n := range nominatives(stem) {
			if n != stem {
				m[n] = append(m[n], stem)
			}
		}
	}
	return m
})

// MendLatin corrects slips in a text and returns its readings as pharmaceutical Latin, the surest
// first. The first reading splits words that are written as one and corrects all words except those
// of the stem. The second reading also corrects words of the stem, if another word is right or was
// corrected by the first reading. Each reading corrects at most two more words, and at most two
// letters of a word. Words are only corrected to words of the table. MendLatin returns nil if no
// reading is a pharmaceutical Latin name.
func MendLatin(text string) []LatinName {
	given := strings.Fields(text)
	parts := false
	for i, w := range given {
		given[i] = strings.Trim(foldLatin(w), ".,;")
		if i >= maxLatinWords || !isWord(given[i]) && wordKinds()[given[i]] != linkWord {
			return nil
		}
		parts = parts || mayHavePart(given[i])
	}
	if !parts {
		return nil // most texts are not pharmaceutical Latin
	}
	var words []string
	for _, w := range given {
		if pieces := unglue(w); pieces != nil {
			words = append(words, pieces...)
		} else {
			words = append(words, w)
		}
	}
	near := make([]string, len(words)) // for each word that the table lacks, the word it is corrected to
	right := 0
	for i, w := range words {
		if !isKnown(w) {
			near[i] = nearest(w)
		} else if wordKinds()[w] != linkWord {
			right++
		}
	}
	var out []LatinName
	for _, stems := range []bool{false, true} {
		slips, corrected := 0, 0
		for i, n := range near {
			if n == "" || !stems && wordKinds()[n] == stemWord {
				continue
			}
			words[i], near[i] = n, ""
			slips++
			if wordKinds()[n] != linkWord {
				corrected++
			}
		}
		n, ok := ParseLatin(strings.Join(words, " "))
		glued := len(words) == 2 && !strings.Contains(text, " ") // the whole text was two words written as one: Dioscoreaebulbiferae
		if slips <= 2 && (ok && (right > 0 || !stems) || glued && right == 2) {
			out = append(out, n)
		}
		right += corrected // for the second reading, corrected words count as right
	}
	return out
}

// LookupLoosely works like Lookup and also accepts two incomplete forms. One is a genus in the
// nominative. The other is a genus without an epithet, if only one herb of the genus has the part.
func (n LatinName) LookupLoosely() []Match {
	found := n.Lookup()
	if found == nil && len(n.Parts) == 0 {
		for _, s := range loaded().latin[n.stem()] {
			found = append(found, Match{Herb: s.herb, By: StandardName, Unsure: s.herb.Unsure})
		}
	}
	if found == nil && len(n.Stem) == 1 {
		found = n.completed()
	}
	if len(found) > 0 && found[0].PartDiffers {
		return nil
	}
	return found
}

// NearSpecies returns the species of the table that a stem of two words means. The first word must
// be a genitive of the genus. The second word may differ from a genitive of the epithet in two
// letters, if the epithet has seven letters or more. NearSpecies returns "" if no species or more
// than one fits.
func (n LatinName) NearSpecies() string {
	if len(n.Stem) != 2 {
		return ""
	}
	genera, epithets := slices.Collect(nominatives(n.Stem[0])), slices.Collect(nominatives(n.Stem[1]))
	only := ""
	for _, d := range loaded().herbs {
		for _, s := range d.Species {
			for _, name := range s.Names {
				genus, epithet, _ := strings.Cut(strings.ToLower(name), " ")
				if len(epithet) < 7 || name == only || !d.IsPlant() || !slices.Contains(genera, genus) {
					continue
				}
				if slices.ContainsFunc(epithets, func(e string) bool { return editdistance.WithBlocks([]byte(e), []byte(epithet), 2) <= 2 }) {
					if only != "" {
						return ""
					}
					only = name
				}
			}
		}
	}
	return only
}

// completed returns the herbs of a name whose stem is one word. If the word is a genus in the
// nominative, completed returns the herbs of this genus. Otherwise it returns the herb whose stem
// starts with the word and that has one of the parts, if it is the only one.
func (n LatinName) completed() []Match {
	for _, stem := range byNominative()[n.Stem[0]] {
		m := n
		m.Stem = []string{stem}
		if found := m.Lookup(); len(found) > 0 && !found[0].PartDiffers {
			return found
		}
	}
	var only *latinNamed
	for _, s := range byGenus()[n.Stem[0]] {
		if !slices.ContainsFunc(n.Parts, func(p string) bool { return slices.Contains(s.name.Parts, p) }) {
			continue
		}
		if only != nil && only.herb != s.herb {
			return nil
		}
		only = s
	}
	if only == nil {
		return nil
	}
	return []Match{{Herb: only.herb, Reading: Reading{Parts: n.Parts, Processing: n.Qualities}, By: StandardName, Unsure: true}}
}

// byGenus maps each genus, in the genitive, to the Latin names that consist of this genus and an
// epithet.
var byGenus = sync.OnceValue(func() map[string][]*latinNamed {
	m := map[string][]*latinNamed{}
	for _, list := range loaded().latin {
		for i := range list {
			if stem := list[i].name.Stem; len(stem) > 1 {
				m[stem[0]] = append(m[stem[0]], &list[i])
			}
		}
	}
	return m
})

// partWords lists the Latin words for parts of herbs.
var partWords = sync.OnceValue(func() []closedWord {
	var list []closedWord
	for w, kind := range wordKinds() {
		if kind == partWord || kind == productWord {
			list = append(list, closedWord{w, editdistance.Mask([]byte(w))})
		}
	}
	return list
})

// mayHavePart reports whether a word may be a word for a part, possibly misspelt or written
// together with another word.
func mayHavePart(w string) bool {
	limit, mask := slipsIn(w), editdistance.Mask([]byte(w))
	for _, p := range partWords() {
		if bits.OnesCount32(mask^p.mask) <= 2*limit && editdistance.WithBlocks([]byte(w), []byte(p.text), limit) <= limit ||
			len(w) >= leastGlued && p.mask&^mask == 0 && strings.Contains(w, p.text) {
			return true
		}
	}
	return false
}

func isKnown(w string) bool {
	_, kind := wordKinds()[w]
	return kind || loaded().words[w]
}

// unglue splits a word into two to four known words. The last of them may be misspelt. unglue
// returns nil if the word cannot be split.
func unglue(w string) []string {
	if isKnown(w) || len(w) < leastGlued {
		return nil
	}
	return split(w, 4)
}

// leastGlued is the minimum length of a word that unglue tries to split.
const leastGlued = 8

// slipsIn returns the maximum number of letters that are corrected in a word.
func slipsIn(w string) int {
	if len(w) <= 5 {
		return 1
	}
	return 2
}

// split splits w into at most n known words. It tries long first words before short ones. It
// returns nil if w cannot be split.
func split(w string, n int) []string {
	if isKnown(w) {
		return []string{w}
	}
	if n == 1 {
		return nil
	}
	for i := len(w) - 3; i >= 3; i-- {
		if !isKnown(w[:i]) {
			continue
		}
		if rest := split(w[i:], n-1); rest != nil {
			return append([]string{w[:i]}, rest...)
		}
	}
	for i := len(w) - 7; i >= 4; i-- {
		if isKnown(w[:i]) {
			if near := nearest(w[i:]); near != "" && near[0] == w[i] {
				return []string{w[:i], near}
			}
		}
	}
	return nil
}

// nearest returns the word of the closed list with the least edit distance from w. The distance is
// at most 1 for a word of up to five letters, and at most 2 for a longer word. If two stems have
// the same distance, nearest returns "". If other words have the same distance, it returns the
// first of them.
func nearest(w string) string {
	limit := slipsIn(w)
	best, at, several := "", limit+1, false
	mask := editdistance.Mask([]byte(w))
	for _, other := range closedList() {
		if bits.OnesCount32(mask^other.mask) > 2*limit {
			continue
		}
		switch d := editdistance.WithBlocks([]byte(w), []byte(other.text), limit); {
		case d < at:
			best, at, several = other.text, d, false
		case d == at && d <= limit:
			several = several || wordKinds()[best] == stemWord
		}
	}
	if several {
		return ""
	}
	return best
}

// String returns the name in lower case: stem, parts, qualities.
func (n LatinName) String() string {
	return strings.Join(slices.Concat(n.Stem, n.Parts, n.Qualities), " ")
}
