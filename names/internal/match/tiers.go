package match

import (
	"bytes"

	"bencao/names/editdistance"
	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// exact yields the keys of the name that the file has, one after the other.
func (f *finder) exact(yield func([]hit) bool) bool {
	known := false
	for i, k := range f.name.Keys {
		usage, ok := k.Usage, k.Known
		if !ok {
			usage, ok = f.FindKey(k.Text)
		}
		if !ok {
			continue
		}
		known = true
		how := difference{like: exact, flags: k.Flags, cultivar: k.Cultivar}
		switch {
		case f.name.Phrase != "" && i > 0:
			f.steps.note("the checklists lack this phrase name")
			how = difference{like: higherRank, up: 1}
		case k.Flags.Has(answer.Orthography): // the key differs from the query only in a hyphen
			how.like, how.edits, how.cost = variant, 1, 1
			fallthrough
		default:
			f.steps.found("exact:", k.Text, " is in the index")
		}
		if !yield(f.one(usage, how)) {
			return false
		}
	}
	if !known {
		f.steps.note("exact: not in the index")
	}
	return true
}

// autonym yields the species for an autonym that no checklist has, such as Rosa canina var. canina.
// An autonym has the same type as its species.
func (f *finder) autonym(yield func([]hit) bool) bool {
	k := f.name.Keys[0]
	usage, ok := f.FindKey(k.Text[:f.autonymEnd(k)])
	if !ok {
		return true
	}
	f.steps.note("autonym: the species is in the index")
	return yield(f.one(usage, difference{like: exact, flags: k.Flags | answer.AutonymOfSpecies}))
}

// autonymEnd returns the length of the species' name in the key of an autonym. It returns 0 if the
// name is not an autonym.
func (f *finder) autonymEnd(k parse.Key) int {
	n := len(f.name.Epithets)
	if n < 2 || f.name.Epithets[n-1].Word != f.name.Epithets[0].Word {
		return 0
	}
	return k.Genus + 1 + spelling.WordEnd(k.Text[k.Genus+1:])
}

// belowGenus yields the section or the cultivar if a name without an epithet has one.
func (f *finder) belowGenus(yield func([]hit) bool) bool {
	if f.name.Infragenus == "" && f.name.Cultivar == "" {
		return true
	}
	k := f.name.Keys[0]
	usage, ok := f.FindKey(k.Text)
	return !ok || yield(f.one(usage, difference{like: exact, cultivar: k.Cultivar}))
}

// nearGenus yields the genus that is one letter away from an unknown genus: Dilwynia sp. is
// Dillwynia. It yields nothing if there are several such genera.
func (f *finder) nearGenus(yield func([]hit) bool) bool {
	k := f.name.Keys[0]
	genus := k.Text[:k.Genus]
	if other, _ := f.otherLife(genus); other || f.noFuzzy || f.HasGenus(genus) {
		return true
	}
	only, found := uint32(0), false
	for _, g := range f.nearGenera(nil, genus) {
		key := f.Genera[g.genus].Key
		if g.edits != 1 || len(f.Rest(key)) > 0 {
			continue
		}
		if found {
			return true
		}
		only, found = f.FirstOf(key), true
	}
	if !found {
		return true
	}
	how := f.genusOnly()
	how.flags |= answer.GenusCorrected
	return yield(f.one(only, how))
}

// genusOnly returns the difference between the name and its genus.
func (f *finder) genusOnly() difference {
	how := difference{like: higherRank, up: 2}
	if f.name.OpenGenus && f.name.Cultivar != "" {
		how.flags = answer.CultivarIgnored
	}
	return how
}

// higherRanks yields the species that an infraspecific name belongs to, and then the genus of the
// name.
func (f *finder) higherRanks(yield func([]hit) bool) bool {
	k := f.name.Keys[0]
	for end := len(k.Text) - 1; end > k.Genus+1; end-- {
		if k.Text[end] != ' ' {
			continue
		}
		if usage, ok := f.FindKey(k.Text[:end]); ok {
			f.steps.found("higherRank:", k.Text[:end], " is in the index")
			if !yield(f.one(usage, difference{like: higherRank, up: 1})) {
				return false
			}
		} else if usage, how, ok := f.nearSpecies(k.Text[:end], k.Genus); ok && !yield(f.one(usage, how)) {
			return false
		}
	}
	if usage, ok := f.FindKey(k.Text[:k.Genus]); ok {
		f.steps.found("higherRank: genus", k.Text[:k.Genus], " is in the index")
		return yield(f.one(usage, f.genusOnly()))
	}
	return true
}

// nearSpecies looks up the species that an infraspecific name belongs to, in another orthography or
// with slips: Malus silvestris subsp. orientalis belongs to M. sylvestris. key is the key of the
// species. It returns false if the species as a name of its own would need a review.
func (f *finder) nearSpecies(key []byte, genus int) (usage uint32, how difference, ok bool) {
	if len(f.name.Epithets) < 2 || f.name.Abbreviated || bytes.Count(key, []byte(" ")) != 1 {
		return 0, how, false
	}
	species := parse.Name{Genus: f.name.Genus, Epithets: f.name.Epithets[:1], Keys: []parse.Key{{Text: key, Genus: genus}}}
	near := finder{view: f.view, name: &species, cited: new(author.Cited), buf: f.buf, noFuzzy: f.noFuzzy}
	s := found{}
	for hits := range near.likeTiers {
		if s = near.choose(near.expand(nil, hits)); len(s.candidates) > 0 {
			break
		}
	}
	w := weigher{view: f.view, name: &species, found: s, cited: near.cited}
	best := scored{}
	for _, c := range w.weigh(nil) {
		if c.score > best.score {
			best = c
		}
	}
	if best.score < scoreWeak {
		return 0, how, false
	}
	f.steps.found("higherRank:", f.AppendKey(nil, f.KeyOf(best.usage)), " is like the species")
	corrected := best.flags & (answer.GenusCorrected | answer.EpithetCorrected | answer.Orthography | answer.GenderEnding)
	return best.usage, difference{like: higherRank, up: 1, edits: best.edits, flags: corrected}, true
}

// likeTiers yields the names that are spelt like the name of f.
func (f *finder) likeTiers(yield func([]hit) bool) {
	_ = f.variants(yield) && f.fuzzy(yield)
}

// expansions yields the names that have the query's epithet and whose genus starts with the letters
// of the abbreviated genus.
func (f *finder) expansions(yield func([]hit) bool) bool {
	k := f.name.Keys[0]
	rest := k.Text[min(k.Genus+1, len(k.Text)):]
	if len(rest) == 0 {
		return true
	}
	hits := f.buf.hits[:0]
	for key := range f.Expansions(bytes.TrimSuffix(k.Text[:k.Genus], []byte(".")), rest) {
		if f.steps != nil {
			f.steps.found("genus expanded:", f.AppendKey(nil, key), "")
		}
		hits = append(hits, hit{f.FirstOf(key), difference{like: exact, flags: answer.GenusExpanded}})
	}
	f.buf.hits = hits
	return yield(hits)
}

// maxVariantEdits is the maximum number of edits between names with the same orthographic key. The
// orthographic key drops repeated letters, so without a limit names could differ in any number of
// them.
const maxVariantEdits = 9

// variants yields the names that have the orthographic keys of the name, key by key. If there are
// none, it yields the names that spell a place or an end of the epithet in another way.
func (f *finder) variants(yield func([]hit) bool) bool {
	for _, k := range f.name.Keys {
		hits := f.buf.hits[:0]
		for n := range f.Variants(k.Text) {
			f.buf.key = f.AppendKey(f.buf.key[:0], n)
			other := f.buf.key
			if string(other) == string(k.Text) {
				continue
			}
			d := editdistance.WithBlocks(k.Text, other, maxVariantEdits)
			if d > maxVariantEdits || d > 1 && k.Genus == len(k.Text) {
				continue // the names differ in too many repeated letters
			}
			f.steps.found("variant:", other, " differs in orthography")
			hits = append(hits, hit{f.FirstOf(n), difference{like: variant, edits: d, cost: float64(d), flags: k.Flags | orthoFlags(k.Text, other)}})
		}
		if f.buf.hits = hits; len(hits) > 0 && !yield(hits) {
			return false
		}
		f.buf.hits = f.otherSpellings(f.buf.hits[:0], k)
		if hits = f.buf.hits; len(hits) > 0 && !yield(hits) {
			return false
		}
	}
	return true
}

// otherSpellings appends the names with another spelling of an epithet that the orthographic key
// keeps apart: songarica for soongorica, macdonnelliensis for macdonnellensis.
func (f *finder) otherSpellings(hits []hit, k parse.Key) []hit {
	for at := k.Genus + 1; at < len(k.Text); {
		end := at + spelling.WordEnd(k.Text[at:])
		spelling.OtherSpellings(k.Text[at:end], func(other []byte, place bool) {
			f.buf.key = append(append(append(f.buf.key[:0], k.Text[:at]...), other...), k.Text[end:]...)
			usage, ok := f.FindKey(f.buf.key)
			if !ok && place {
				for n := range f.Variants(f.buf.key) {
					usage, ok = f.FirstOf(n), true
				}
			}
			if !ok {
				return
			}
			f.steps.found("variant:", f.buf.key, " spells an epithet differently")
			d := min(editdistance.WithBlocks(k.Text[at:end], other, maxVariantEdits), maxVariantEdits)
			hits = append(hits, hit{usage, difference{like: variant, edits: d, cost: float64(d), flags: k.Flags | answer.Orthography}})
		})
		at = end + 1
	}
	return hits
}

// orthoFlags returns flags that say where two keys with the same orthographic key differ: in the
// genus, in the endings of epithets, or in other letters.
func orthoFlags(a, b []byte) answer.Flags {
	var flags answer.Flags
	for first := true; len(a) > 0 && len(b) > 0; first = false {
		x, y, restA, restB := nextWords(a, b)
		if string(x) != string(y) {
			switch {
			case first:
				flags |= answer.GenusCorrected | answer.Orthography
			case spelling.CommonPrefix(x, y) >= min(len(x), len(y))-3 && string(spelling.AppendSound(nil, x)) != string(spelling.AppendSound(nil, y)):
				flags |= answer.GenderEnding
			default:
				flags |= answer.Orthography
			}
		}
		a, b = restA, restB
	}
	return flags
}
