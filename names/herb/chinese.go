package herb

import (
	_ "embed"
	"iter"
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

// words maps each kind in processing.txt to its folded words.
var words = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for kind, list := range wordLines(processing) {
		if all[kind] == nil {
			all[kind] = map[string]bool{}
		}
		for _, w := range list {
			all[kind][han.Fold(w)] = true
		}
	}
	return all
})

// Words returns the folded words of a kind in processing.txt, which describes the kinds. The map must
// not be changed.
func Words(kind string) map[string]bool { return words()[kind] }

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
	if Words("tells")[string(name[0])] {
		return false
	}
	for i := 1; i < len(name); i++ {
		if end := string(name[i:]); Words("part")[end] || i == len(name)-1 && Words("stuff")[end] || i < len(name)-1 && Lookup(end) != nil {
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
	out := []Reading{{Base: whole}}
	seen := map[string]bool{whole: true}
	for i := 0; i < len(out) && len(out) < maxReadings; i++ {
		r := out[i]
		if Words("whole")[r.Base] {
			continue
		}
		for _, less := range shorten(r, Words("listed")[whole]) {
			if !seen[less.Base] {
				seen[less.Base] = true
				out = append(out, less)
			}
		}
	}
	slices.SortStableFunc(out[1:], func(a, b Reading) int { return len(b.Base) - len(a.Base) })
	return out
}

// Cut is a name without a word at one of its ends.
type Cut struct {
	Word, Rest string
	Front      bool // whether the word is at the start
}

// Cuts yields the name without each word of at most maxCutWord characters at its start or its end, the
// shortest words first.
func Cuts(name string) iter.Seq[Cut] {
	return func(yield func(Cut) bool) {
		begins, ends := 0, len(name)
		for range maxCutWord {
			_, first := utf8.DecodeRuneInString(name[begins:])
			_, last := utf8.DecodeLastRuneInString(name[:ends])
			if begins, ends = begins+first, ends-last; begins >= len(name) {
				return
			}
			if !yield(Cut{name[:begins], name[begins:], true}) || !yield(Cut{name[ends:], name[:ends], false}) {
				return
			}
		}
	}
}

// shorten returns the readings that remove one more word from r. listed is true if processing.txt
// lists the whole name.
func shorten(r Reading, listed bool) []Reading {
	var out []Reading
	before, after, part := Words("before"), Words("after"), Words("part")
	beforeListed, partListed := Words("before-listed"), Words("part-listed")
	for c := range Cuts(r.Base) {
		if c.Front && (before[c.Word] || listed && beforeListed[c.Word]) || !c.Front && after[c.Word] {
			out = append(out, Reading{c.Rest, append(slices.Clone(r.Processing), c.Word), r.Parts})
		}
		if !c.Front && (part[c.Word] || listed && partListed[c.Word]) {
			out = append(out, Reading{c.Rest, r.Processing, append([]string{c.Word}, r.Parts...)})
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
// else those to which names.txt gives the name, or else those with this folk name. A herb with this main
// name comes with those that have the name in other years, unless the pharmacopoeia has an item of the
// name. If words were removed from the text, a base of one character is only looked up as a main name:
// 花 names no herb.
func LookupReading(r Reading) []Match {
	t := loaded()
	list := t.proven(r)
	if len(list) == 0 && (r.Uncut() || utf8.RuneCountInString(r.Base) > 1) {
		list = t.folk[r.Base]
	}
	return under(list, r)
}

// proven returns the herbs whose name is the base of a reading, without folk names.
func (t *table) proven(r Reading) []named {
	if list := t.names[r.Base]; len(list) > 0 {
		return slices.Concat(list, t.elsewhen[r.Base])
	}
	if !r.Uncut() && utf8.RuneCountInString(r.Base) < 2 {
		return nil
	}
	return t.stated[r.Base]
}

// under returns the herbs of list as matches. If some of them are sure, it omits the unsure ones.
func under(list []named, r Reading) []Match {
	sure := slices.ContainsFunc(list, func(n named) bool { return !n.unsure })
	dated := slices.ContainsFunc(list, func(n named) bool { return n.dated })
	var out []Match
	for _, n := range list {
		if n.unsure && sure {
			continue
		}
		out = append(out, Match{Herb: n.herb, Reading: r, By: n.kind, Unsure: n.unsure, Dated: dated})
	}
	return out
}
