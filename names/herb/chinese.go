package herb

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"bencao/names/han"
)

//go:embed processing.txt
var processing string

// Reading is one way to read a Chinese name as the name of a herb.
type Reading struct {
	// Base is the name without the words for processing and parts. It is folded by [han.Fold].
	Base string
	// Processing has the words for processing in the order of the text, such as 炙 in 炙甘草 and 炭 in
	// 荆芥炭. It is nil if there are none.
	Processing []string
	// Parts has the words for parts of the plant. It is nil if there are none.
	Parts []string
}

// Uncut reports whether Base is the whole name, so that no word was removed.
func (r Reading) Uncut() bool { return len(r.Processing) == 0 && len(r.Parts) == 0 }

// cuts holds the words of processing.txt.
type cuts struct {
	before, after, part      map[string]bool
	beforeListed, partListed map[string]bool
	whole, listed            map[string]bool
	stuff, tells             map[string]bool // stuff: last characters of names of herbs; tells: first characters that no name of a herb has
}

var cutWords = sync.OnceValue(func() cuts {
	sets := map[string]map[string]bool{}
	for _, kind := range []string{"before", "after", "part", "before-listed", "part-listed", "whole", "listed", "stuff", "tells"} {
		sets[kind] = map[string]bool{}
	}
	for kind, words := range wordLines(processing) {
		for _, w := range words {
			sets[kind][han.Fold(w)] = true
		}
	}
	return cuts{sets["before"], sets["after"], sets["part"], sets["before-listed"], sets["part-listed"], sets["whole"], sets["listed"], sets["stuff"], sets["tells"]}
})

// ProcessingBefore returns the folded words for processing that may precede the name of a herb: 炙,
// 蜜炙, 熟 … Their order is random.
func ProcessingBefore() []string { return slices.Collect(maps.Keys(cutWords().before)) }

// LooksLikeHerb reports whether a Chinese word has the form of a herb's name: the table has it, or
// its end is a name in the table, a word for a part of a plant, or a character for a substance.
// Fragments of sentences, such as 充皮肤 and 去桂心, do not have this form.
func LooksLikeHerb(word string) bool {
	if Lookup(word) != nil {
		return true
	}
	name := []rune(han.Fold(word))
	if len(name) < 2 || len(name) > maxHerbName {
		return false
	}
	c := cutWords()
	if c.tells[string(name[0])] {
		return false
	}
	for i := 1; i < len(name); i++ {
		if end := string(name[i:]); c.part[end] || i == len(name)-1 && c.stuff[end] || i < len(name)-1 && Lookup(end) != nil {
			return true
		}
	}
	return false
}

// wordLines yields the lines of a word list. Each line has a kind and the words of this kind.
func wordLines(text string) func(yield func(kind string, words []string) bool) {
	return func(yield func(string, []string) bool) {
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			if len(fields) < 2 || strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(fields[0], fields[1:]) {
				return
			}
		}
	}
}

const (
	// maxCutWord is the maximum length, in characters, of a word that is removed from a name.
	maxCutWord = 5
	// maxReadings is the maximum number of readings of a text. maxHerbName is the maximum length of
	// a text in characters.
	maxReadings = 32
	maxHerbName = 20
)

// Readings returns the ways to read a Chinese name. The whole name comes first, then the readings
// by the length of their base, longest first. A base may be a word that names no herb; see
// [Lookup]. Readings returns nil for a text without Chinese characters or longer than maxHerbName.
func Readings(text string) []Reading {
	whole := han.Fold(text)
	if !han.Has(whole) || utf8.RuneCountInString(whole) > maxHerbName {
		return nil
	}
	c := cutWords()
	out := []Reading{{Base: whole}}
	seen := map[string]bool{whole: true}
	for i := 0; i < len(out) && len(out) < maxReadings; i++ {
		r := out[i]
		if c.whole[r.Base] {
			continue
		}
		for _, less := range c.shorten(r, c.listed[whole]) {
			if !seen[less.Base] {
				seen[less.Base] = true
				out = append(out, less)
			}
		}
	}
	slices.SortStableFunc(out[1:], func(a, b Reading) int { return len(b.Base) - len(a.Base) })
	return out
}

// shorten returns the readings that remove one more word from r. listed is true if processing.txt
// lists the whole name.
func (c cuts) shorten(r Reading, listed bool) []Reading {
	var out []Reading
	name, begins, ends := r.Base, 0, len(r.Base)
	for range maxCutWord {
		_, first := utf8.DecodeRuneInString(name[begins:])
		_, last := utf8.DecodeLastRuneInString(name[:ends])
		if begins, ends = begins+first, ends-last; begins >= len(name) {
			break
		}
		front, back := name[:begins], name[begins:]
		if c.before[front] || listed && c.beforeListed[front] {
			out = append(out, Reading{back, append(slices.Clone(r.Processing), front), r.Parts})
		}
		front, back = name[:ends], name[ends:]
		if c.after[back] {
			out = append(out, Reading{front, append(slices.Clone(r.Processing), back), r.Parts})
		}
		if c.part[back] || listed && c.partListed[back] {
			out = append(out, Reading{front, r.Processing, append([]string{back}, r.Parts...)})
		}
	}
	return out
}

// Lookup calls [LookupReading] for the readings of text in the order of [Readings], the longest
// base first. It returns the first result, or nil if no reading has a result.
func Lookup(text string) []Match {
	for _, r := range Readings(text) {
		if found := LookupReading(r); len(found) > 0 {
			return found
		}
	}
	return nil
}

// LookupProven does the same as [Lookup], but ignores folk names.
func LookupProven(text string) []Match {
	for _, r := range Readings(text) {
		if found := LookupReading(r); len(found) > 0 && found[0].By != FolkName {
			return found
		}
	}
	return nil
}

// LookupReading returns the herbs whose name is the base of a reading: those with this main name, or
// else those to which names.txt gives the name, or else those with this folk name. If words were
// removed from the text, a base of one character is only looked up as a main name: 花 names no herb.
func LookupReading(r Reading) []Match {
	t := loaded()
	if list := t.names[r.Base]; len(list) > 0 {
		return under(list, r)
	}
	if !r.Uncut() && utf8.RuneCountInString(r.Base) < 2 {
		return nil
	}
	if list := t.stated[r.Base]; len(list) > 0 {
		return under(list, r)
	}
	return under(t.folk[r.Base], r)
}

// under returns the herbs of list as matches. If some of them are sure, it omits the unsure ones.
func under(list []named, r Reading) []Match {
	sure := slices.ContainsFunc(list, func(n named) bool { return !n.unsure })
	var out []Match
	for _, n := range list {
		if n.unsure && sure {
			continue
		}
		out = append(out, Match{Herb: n.herb, Reading: r, By: n.kind, Unsure: n.unsure})
	}
	return out
}
