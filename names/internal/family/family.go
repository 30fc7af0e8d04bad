// Package family lists the families of plants: their old and new Latin names, their Chinese names,
// and the wider families that some lists include them in. It does not know which taxa belong to a
// family. Start with [Read].
package family

import (
	"cmp"
	_ "embed" // the tables
	"slices"
	"strings"
	"sync"
	"unicode"

	"bencao/names/han"
	"bencao/names/internal/spelling"
)

//go:embed families.txt
var familiesText string

//go:embed wide.txt
var wideText string

// known holds the tables. All families are folded.
type known struct {
	latin   []string            // all families, sorted
	chinese map[string]string   // Chinese name → family
	wide    map[string]string   // family → a wider family that includes it in some list
	old     map[string][]string // old family → today's families that have its genera
}

var tables = sync.OnceValue(func() known {
	k := known{chinese: map[string]string{}, wide: map[string]string{}, old: map[string][]string{}}
	for line := range lines(familiesText) {
		words := strings.Fields(line)
		latin := spelling.FoldFamily(words[0])
		k.latin = append(k.latin, latin)
		for _, name := range words[1:] {
			if name = han.Fold(name); k.chinese[name] == "" {
				k.chinese[name] = latin
			}
		}
	}
	slices.Sort(k.latin)
	for line := range lines(wideText) {
		if wide, parts, ok := strings.Cut(line, "="); ok {
			for part := range strings.SplitSeq(parts, ",") {
				k.wide[fold(part)] = fold(wide)
			}
		} else if old, today, ok := strings.Cut(line, ">"); ok {
			for part := range strings.SplitSeq(today, ",") {
				k.old[fold(old)] = append(k.old[fold(old)], fold(part))
			}
		}
	}
	return k
})

func fold(s string) string { return spelling.FoldFamily(strings.TrimSpace(s)) }

// lines returns the lines of a table without comments and blank lines.
func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// Read returns the folded Latin name of the family that a text names. The text may give an old or
// new Latin name, a Chinese name, or both a Latin and a Chinese name. It may also have a number, or
// abbreviate the Latin name ("Pinac."). Read returns "" if the text names no family.
func Read(text string) string {
	family, _ := read(text)
	return family
}

// IsHeading reports whether a text consists only of the name of a family in a form that [Read]
// accepts.
func IsHeading(text string) bool {
	family, other := read(text)
	return family != "" && !other
}

// read returns the family that a text names. other reports whether the text also has words that are
// not its name.
func read(text string) (family string, other bool) {
	k := tables()
	if latin := spelling.FoldFamily(text); k.has(latin) {
		return latin, false // most texts are the Latin name alone
	}
	chinese, latin := "", ""
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' })
	for i, w := range words {
		from, to := strings.IndexFunc(w, han.Is), strings.LastIndexFunc(w, han.Is)
		if from >= 0 {
			end := to + len(string([]rune(w[to:])[0]))
			f := k.chinese[han.Fold(w[from:end])]
			chinese = cmp.Or(chinese, f)
			other = other || f == ""
			if w = w[:from] + w[end:]; w == "" {
				continue
			}
		}
		folded := spelling.FoldFamily(strings.Trim(w, "."))
		if f := k.abbreviated(folded); i == len(words)-1 && strings.HasSuffix(w, ".") && f != "" {
			folded, other = f, other || !strings.HasSuffix(w, "ac.") // Hook. is an author too
		}
		if k.has(folded) {
			latin = cmp.Or(latin, folded)
		} else if len(folded) > 1 { // if the word is not the letter of a number such as G4
			other = true
		}
	}
	return cmp.Or(latin, chinese), other
}

// subclasses lists the subclasses of plants, whose names end like those of families of animals.
var subclasses = spelling.WordSet(`alismatidae arecidae asteridae bryidae caryophyllidae commelinidae cycadidae dicranidae
	dilleniidae equisetidae funariidae ginkgoidae gnetidae hamamelidae hamamelididae jungermanniidae lamiidae liliidae
	lycopodiidae magnoliidae marattiidae marchantiidae nymphaeidae ophioglossidae pinidae polypodiidae ranunculidae rosidae
	sphagnidae triurididae zingiberidae`)

// IsOfAnimals reports whether a text is the name of a family of animals, which ends in -idae.
func IsOfAnimals(text string) bool {
	text = strings.TrimSpace(text)
	end := len(text) - len("idae")
	if end <= 2 || !strings.EqualFold(text[end:], "idae") {
		return false
	}
	l := strings.ToLower(text)
	return spelling.IsWord(l) && !subclasses[l]
}

func (k *known) has(folded string) bool {
	_, found := slices.BinarySearch(k.latin, folded)
	return found || spelling.IsFamily(folded) && !strings.HasSuffix(folded, "aceae")
}

// abbreviated returns the family whose name starts with begin. begin must have at least four
// letters. abbreviated returns "" if no family or more than one starts with begin.
func (k *known) abbreviated(begin string) string {
	if len(begin) < 4 {
		return ""
	}
	i, _ := slices.BinarySearch(k.latin, begin)
	if i == len(k.latin) || !strings.HasPrefix(k.latin[i], begin) || i+1 < len(k.latin) && strings.HasPrefix(k.latin[i+1], begin) {
		return ""
	}
	return k.latin[i]
}

// Same reports whether some list treats two families, as [Read] returns them, as one: they are
// equal, one is a part of the other, both are parts of a third, or old floras include the genera of
// one in the other.
func Same(a, b string) bool {
	a, b = spelling.FoldFamily(a), spelling.FoldFamily(b)
	return a == b || wide(a) == wide(b) || wasIn(a, b) || wasIn(b, a)
}

// wide returns the wider family that includes f, or f itself.
func wide(f string) string {
	if w := tables().wide[f]; w != "" {
		return w
	}
	return f
}

// wasIn reports whether old floras include genera of the family f in the old family.
func wasIn(f, old string) bool {
	f = wide(f)
	return slices.ContainsFunc(tables().old[old], func(part string) bool { return wide(part) == f })
}
