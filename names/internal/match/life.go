package match

import (
	_ "embed" // the genera
	"strings"
	"sync"

	"bencao/names/herb"
	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
)

//go:embed hemihomonyms.txt
var hemihomonymsText string

//go:embed genera.txt
var generaText string

// hemihomonyms lists the folded names that belong both to a genus of plants and to a genus of
// animals, and the species of these animals.
var hemihomonyms = func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.Lines(strings.ToLower(hemihomonymsText)) {
		genus, animals, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok || line[0] == '#' {
			continue
		}
		m[genus] = true
		_, species, _ := strings.Cut(animals, ": ")
		for epithet := range strings.FieldsSeq(species) {
			m[genus+" "+epithet] = true
		}
	}
	return m
}()

// isAnimal reports whether a name is that of an animal in a genus that plants have too. In such a
// genus a species whose epithet is the name of the genus is an animal, because plants have no such
// names (ICN Art. 23.4).
func isAnimal(canonical string) bool {
	genus, epithets, _ := strings.Cut(strings.ToLower(canonical), " ")
	epithet, _, _ := strings.Cut(epithets, " ")
	return hemihomonyms[genus+" "+epithet] || hemihomonyms[genus] && epithet == genus
}

// ofAnimals reports whether the genus of a name is one of animals too. A year behind the author, as
// zoologists write it, then shows that the animal is meant.
func ofAnimals(canonical string) bool {
	genus, _, _ := strings.Cut(strings.ToLower(canonical), " ")
	return hemihomonyms[genus]
}

// isPlant reports whether the author or the family in the query shows that it means the plant.
func isPlant(c candidate) bool {
	return c.author.Agrees() || c.flags.Has(answer.FamilyHint) && !c.flags.Has(answer.FamilyDiffers)
}

// lifeLists holds the genera of animals, fungi, algae and bacteria.
type lifeLists struct {
	// written maps the folded names of the genera to whether they are well known, or only this
	// spelling counts.
	written map[string]bool
	// sounds has the sounds of the well-known genera.
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
				l.sounds[string(appendSound(nil, []byte(genus)))] = true
			}
		}
	}
	return l
})

// appendSound appends the orthographic key and the last two letters of a folded genus. The key alone
// has no ending: Delphinum is Delphinium misspelt, and no Delphinus.
func appendSound(dst, genus []byte) []byte {
	return append(spelling.AppendOrthoWord(dst, genus, true), genus[max(0, len(genus)-2):]...)
}

// otherLife reports whether a folded genus is a genus of animals, fungi, algae or bacteria. It
// returns false for a genus of the checklists. known is true if the genus is well known, in this or
// another spelling, or if only this spelling counts.
func (v view) otherLife(genus []byte) (is, known bool) {
	if v.HasGenus(genus) {
		return false, false
	}
	var buf [80]byte
	l := otherLife()
	known, is = l.written[string(genus)]
	known = known || herb.IsNonPlantGenus(genus) || l.sounds[string(appendSound(buf[:0], genus))]
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
