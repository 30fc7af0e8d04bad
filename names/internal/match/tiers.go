package match

import (
	"bytes"
	"slices"
	"strings"

	"bencao/names/editdistance"
	"bencao/names/internal/author"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// finder looks up one name.
type finder struct {
	view
	name  *parse.Name
	cited *author.Cited
	steps *steps
	buf   *buffers
	// noFuzzy, if true, excludes names that differ from the query in more than orthography.
	noFuzzy bool
}

// lookUp looks the name up. The candidates are valid until the next lookup with the same buffers.
func (f *finder) lookUp() found {
	s := f.tiers(f.buf.candidates[:0])
	f.buf.candidates = s.candidates[:0]
	return s
}

// tiers tries the tiers in this order: exact, variant, fuzzy, higher rank. It stops at the first
// tier with a candidate.
func (f *finder) tiers(cands []candidate) found {
	switch {
	case f.name.Abbreviated:
		return f.expandGenus(cands)
	case f.name.OpenGenus:
		return found{candidates: f.atGenus(cands)}
	}
	if cands = f.exact(cands); len(cands) > 0 {
		s := f.preferAuthor(cands)
		if !s.author && f.name.Author != "" && s.candidates[0].author == author.Differs {
			// The exact name has another author than the query. Perhaps a name in another spelling
			// has the query's author.
			n := len(s.candidates)
			s.candidates = keepAgreeing(f.variants(s.candidates), n)
		}
		return s
	}
	if cands = f.autonym(cands); len(cands) == 0 {
		cands = f.variants(cands)
	}
	if len(cands) > 0 {
		return f.preferAuthor(cands)
	}
	if !f.noFuzzy {
		if s := f.fuzzy(cands); len(s.candidates) > 0 {
			return s
		}
	}
	return found{candidates: f.fallBack(cands)}
}

// exact looks up the keys of the name, one after the other, until the file has one.
func (f *finder) exact(cands []candidate) []candidate {
	for i, k := range f.name.Keys {
		usage, ok := k.Usage, k.Known
		if !ok {
			usage, ok = f.FindKey(k.Text)
		}
		if !ok {
			continue
		}
		if f.name.Phrase != "" && i > 0 {
			f.steps.note("the checklists lack this phrase name")
			return f.atRank(cands, usage, 1)
		}
		f.steps.found("exact:", k.Text, " is in the index")
		how := difference{like: exact, flags: k.Flags}
		if k.Flags.Has(vocabulary.Orthography) {
			how = difference{like: variant, edits: 1, cost: 1, flags: k.Flags} // the key differs from the query only in a hyphen
		}
		cands = f.fromKey(cands, usage, f.name, how)
		if cands = f.onlyCultivars(cands, k); len(cands) > 0 {
			return cands
		}
	}
	f.steps.note("exact: not in the index")
	return cands
}

// onlyCultivars drops candidates that are not cultivars if k is the key of a cultivar. This is
// needed because 'Alba' and f. alba have the same key.
func (f *finder) onlyCultivars(cands []candidate, k parse.Key) []candidate {
	if !k.Cultivar {
		return cands
	}
	return slices.DeleteFunc(cands, func(c candidate) bool { return !strings.Contains(f.Name(c.usage), "'") })
}

// preferAuthor finds out whether some candidate's author agrees with the query. If none agrees, it
// keeps all candidates. If some author is the same, it keeps the candidates with the same author;
// otherwise it keeps those whose author agrees. It also keeps accepted names whose checklist gives
// an author.
func (f *finder) preferAuthor(cands []candidate) found {
	s := found{}
	for i := range cands {
		s.author = s.author || cands[i].author.Agrees()
		s.sameAuthor = s.sameAuthor || cands[i].author == author.Same
	}
	s.candidates = cands
	if !s.author {
		return s
	}
	kept := cands[:0]
	for _, c := range cands {
		right := c.author == author.Same || c.author.Agrees() && !s.sameAuthor
		if right || f.accepted(c.usage) && c.author != author.Unknown {
			kept = append(kept, c)
		}
	}
	s.candidates = kept
	return s
}

// keepAgreeing drops those of the candidates cands[n:] whose author does not agree with the query.
func keepAgreeing(cands []candidate, n int) []candidate {
	return append(cands[:n], slices.DeleteFunc(cands[n:], func(c candidate) bool { return !c.author.Agrees() })...)
}

// autonym finds the species for an autonym that no checklist has, such as Rosa canina var. canina.
// An autonym has the same type as its species.
func (f *finder) autonym(cands []candidate) []candidate {
	k := f.name.Keys[0]
	end := f.autonymEnd(k)
	if end == 0 {
		return cands
	}
	usage, ok := f.FindKey(k.Text[:end])
	if !ok {
		return cands
	}
	f.steps.note("autonym: the species is in the index")
	species := *f.name
	species.Rank = ""
	return f.fromKey(cands, usage, &species, difference{like: exact, flags: k.Flags | vocabulary.AutonymOfSpecies})
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

// atGenus matches a name without an epithet. It finds the section or the cultivar if the name has
// one, or otherwise the genus.
func (f *finder) atGenus(cands []candidate) []candidate {
	if f.name.Infragenus != "" || f.name.Cultivar != "" {
		if usage, ok := f.FindKey(f.name.Keys[0].Text); ok {
			cands = f.onlyCultivars(f.fromKey(cands, usage, f.name, difference{like: exact}), f.name.Keys[0])
			if len(cands) > 0 {
				return cands
			}
		}
	}
	if f.name.Cultivar != "" {
		f.name.Flags |= vocabulary.CultivarIgnored
	}
	if cands = f.fallBack(cands); len(cands) > 0 || f.noFuzzy {
		return cands
	}
	return f.nearGenus(cands)
}

// nearGenus finds the genus that is one letter away from an unknown genus: Dilwynia sp. is
// Dillwynia. It finds nothing if there are several such genera.
func (f *finder) nearGenus(cands []candidate) []candidate {
	k := f.name.Keys[0]
	genus := k.Text[:k.Genus]
	if other, _ := f.otherLife(genus); other || f.HasGenus(genus) {
		return cands
	}
	only, found := uint32(0), false
	for _, g := range f.nearGenera(nil, genus) {
		key := f.Genera[g.genus].Key
		if g.edits != 1 || len(f.Rest(key)) > 0 {
			continue
		}
		if found {
			return cands
		}
		only, found = f.FirstOf(key), true
	}
	if !found {
		return cands
	}
	f.name.Flags |= vocabulary.GenusCorrected
	return f.atRank(cands, only, 2)
}

// fallBack finds the species that an infraspecific name belongs to, or otherwise the genus of the
// name.
func (f *finder) fallBack(cands []candidate) []candidate {
	k := f.name.Keys[0]
	for end := len(k.Text) - 1; end > k.Genus+1; end-- {
		if k.Text[end] != ' ' {
			continue
		}
		if usage, ok := f.FindKey(k.Text[:end]); ok {
			f.steps.found("higherRank:", k.Text[:end], " is in the index")
			return f.atRank(cands, usage, 1)
		}
	}
	if usage, ok := f.FindKey(k.Text[:k.Genus]); ok {
		f.steps.found("higherRank: genus", k.Text[:k.Genus], " is in the index")
		return f.atRank(cands, usage, 2)
	}
	return cands
}

// atRank appends one name of a higher rank than the query: a name with the same key as usage. It
// ignores authors and ranks. Of several homonyms, it takes the one with the best status.
func (f *finder) atRank(cands []candidate, usage uint32, up uint8) []candidate {
	name := parse.Name{Canonical: f.name.Canonical, Misapplied: f.name.Misapplied, Flags: f.name.Flags}
	n := len(cands)
	cands = f.fromKey(cands, usage, &name, difference{like: higherRank})
	best := n
	for i := n; i < len(cands); i++ {
		if f.Usages[cands[i].usage].Status < f.Usages[cands[best].usage].Status {
			best = i
		}
	}
	if best == len(cands) {
		return cands
	}
	c := cands[best]
	c.up = up
	c.flags &^= vocabulary.HybridSignIgnored | vocabulary.RankMissing
	return append(cands[:n], c)
}

// expandGenus finds the species that have the query's epithet and whose genus starts with the
// letters of the abbreviated genus. If some of them are species of the database, it drops the
// others.
func (f *finder) expandGenus(cands []candidate) found {
	k := f.name.Keys[0]
	rest := k.Text[min(k.Genus+1, len(k.Text)):]
	if len(rest) == 0 {
		return found{candidates: cands}
	}
	short := bytes.TrimSuffix(k.Text[:k.Genus], []byte("."))
	for key := range f.Expansions(short, rest) {
		if f.steps != nil {
			f.steps.found("genus expanded:", f.AppendKey(nil, key), "")
		}
		cands = f.fromKey(cands, f.FirstOf(key), f.name, difference{like: exact, flags: vocabulary.GenusExpanded})
	}
	s := f.preferAuthor(cands)
	own := func(c candidate) bool { return f.inDatabase(c.concept) }
	if slices.ContainsFunc(s.candidates, own) {
		s.candidates = slices.DeleteFunc(s.candidates, func(c candidate) bool { return !own(c) })
	}
	s.candidates = s.candidates[:min(len(s.candidates), 4*vocabulary.MaxLimit)]
	return s
}

// maxVariantEdits is the maximum number of edits between names with the same orthographic key. The
// orthographic key drops repeated letters, so without a limit names could differ in any number of
// them.
const maxVariantEdits = 9

// variants looks up the orthographic keys of the name, one after the other, until the file has one.
func (f *finder) variants(cands []candidate) []candidate {
	before := len(cands)
	for _, k := range f.name.Keys {
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
			cands = f.fromKey(cands, f.FirstOf(n), f.name,
				difference{like: variant, edits: d, cost: float64(d), flags: k.Flags | orthoFlags(k.Text, other)})
		}
		if len(cands) == before {
			cands = f.otherPlaces(cands, k)
		}
		if len(cands) > before {
			break
		}
	}
	if len(cands) == before || f.name.Author == "" {
		return cands
	}
	// If the genus of the query exists, a name in another genus does not count if its author
	// differs.
	if k := f.name.Keys[0]; !f.HasGenus(k.Text[:k.Genus]) {
		return cands
	}
	other := func(c candidate) bool { return c.flags.Has(vocabulary.GenusCorrected) && c.author == author.Differs }
	return append(cands[:before], slices.DeleteFunc(cands[before:], other)...)
}

// otherPlaces finds names whose epithet starts with the same place name as the query's, but in
// another spelling: songarica for soongorica.
func (f *finder) otherPlaces(cands []candidate, k parse.Key) []candidate {
	for at := k.Genus + 1; at < len(k.Text); {
		end := at + spelling.WordEnd(k.Text[at:])
		spelling.PlaceVariants(k.Text[at:end], func(other []byte) {
			f.buf.key = append(append(append(f.buf.key[:0], k.Text[:at]...), other...), k.Text[end:]...)
			usage, ok := f.FindKey(f.buf.key)
			if !ok {
				for n := range f.Variants(f.buf.key) {
					usage, ok = f.FirstOf(n), true
				}
			}
			if !ok {
				return
			}
			f.steps.found("variant:", f.buf.key, " spells the place name differently")
			d := min(editdistance.WithBlocks(k.Text[at:end], other, maxVariantEdits), maxVariantEdits)
			cands = f.fromKey(cands, usage, f.name, difference{like: variant, edits: d, cost: float64(d), flags: k.Flags | vocabulary.Orthography})
		})
		at = end + 1
	}
	return cands
}

// orthoFlags returns flags that say where two keys with the same orthographic key differ: in the
// genus, in the endings of epithets, or in other letters.
func orthoFlags(a, b []byte) vocabulary.Flags {
	var flags vocabulary.Flags
	for first := true; len(a) > 0 && len(b) > 0; first = false {
		x, y, restA, restB := nextWords(a, b)
		if string(x) != string(y) {
			switch {
			case first:
				flags |= vocabulary.GenusCorrected | vocabulary.Orthography
			case spelling.CommonPrefix(x, y) >= min(len(x), len(y))-3 && string(spelling.AppendSound(nil, x)) != string(spelling.AppendSound(nil, y)):
				flags |= vocabulary.GenderEnding
			default:
				flags |= vocabulary.Orthography
			}
		}
		a, b = restA, restB
	}
	return flags
}
