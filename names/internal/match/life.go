package match

import (
	_ "embed" // the genera
	"strings"
	"sync"

	"bencao/names/herb"
	"bencao/names/internal/spelling"
)

//go:embed hemihomonyms.txt
var hemihomonymsText string

//go:embed genera.txt
var generaText string

// hemihomonyms lists the folded names that belong both to a genus of plants and to a genus of
// animals.
var hemihomonyms = func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.Lines(hemihomonymsText) {
		if genus, _, ok := strings.Cut(line, "="); ok && line[0] != '#' {
			m[strings.ToLower(strings.TrimSpace(genus))] = true
		}
	}
	return m
}()

// lifeLists holds the genera of animals, fungi, algae and bacteria.
type lifeLists struct {
	// written maps the folded names of the genera to whether they are well known, or only this
	// spelling counts.
	written map[string]bool
	// sounds has the orthographic keys of the well-known genera.
	sounds map[string]bool
}

var otherLife = sync.OnceValue(func() lifeLists {
	l := lifeLists{map[string]bool{}, map[string]bool{}}
	asWritten, littleKnown := false, false
	for line := range strings.Lines(strings.ToLower(generaText)) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			asWritten, littleKnown = strings.HasPrefix(heading, "as written"), strings.HasPrefix(heading, "little known")
		}
		if line[0] == '#' {
			continue
		}
		for genus := range strings.FieldsSeq(line) {
			l.written[genus] = l.written[genus] || !littleKnown
			if !asWritten && !littleKnown {
				l.sounds[string(spelling.AppendOrthoWord(nil, []byte(genus), true))] = true
			}
		}
	}
	return l
})

// otherLife reports whether a folded genus is a genus of animals, fungi, algae or bacteria. It
// returns false for a genus of the checklists. known is true if the genus is well known, in this or
// another spelling, or if only this spelling counts.
func (v view) otherLife(genus []byte) (is, known bool) {
	if v.HasGenus(genus) {
		return false, false
	}
	var buf [64]byte
	l := otherLife()
	known, is = l.written[string(genus)]
	known = known || herb.IsNonPlantGenus(genus) || l.sounds[string(spelling.AppendOrthoWord(buf[:0], genus, true))]
	return is || known, known
}

// isWrittenLife reports whether a folded genus is, in this spelling, one of these genera.
func isWrittenLife(genus []byte) bool {
	_, is := otherLife().written[string(genus)]
	return is || herb.IsNonPlantGenus(genus)
}

// speciesOfOtherLife reports whether the query is the name of a species in such a genus. A genus
// without a species is looked up, because its score is low anyway.
func (f *finder) speciesOfOtherLife() (is, known bool) {
	k := f.name.Keys[0]
	if k.Genus == len(k.Text) {
		return false, false
	}
	return f.otherLife(k.Text[:k.Genus])
}
