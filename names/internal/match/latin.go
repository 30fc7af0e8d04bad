package match

import (
	"slices"
	"strings"
	"unicode"

	"bencao/internal/null"
	"bencao/names/herb"
	"bencao/names/internal/answer"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// latinText matches a text without Chinese characters. The text may be a name in the form of the
// checklists, the pharmaceutical name of a herb, or a cell with any number of names. latinText
// removes English words for parts of plants from the end of the text.
func (q question) latinText(text string) result {
	if n, ok := q.buf.parser.Listed(text); ok {
		return q.scientific(n)
	}
	if q.checklistsOnly {
		return q.cell(text)
	}
	clean, _ := parse.Clean(text)
	if herb.MayBeLatin(clean) {
		if r, ok := q.latinHerb(clean); ok {
			return q.orMisspelt(q.orCorrected(r, clean), clean)
		}
	}
	rest, parts := herb.CutEnglish(clean)
	if len(parts) == 0 {
		r := q.cell(text)
		if q.namesSpecies(r) {
			return r
		}
		return q.orCorrected(q.orRewritten(r, clean), clean)
	}
	q.steps.note("set aside: ", strings.Join(parts, " "))
	r := q.latinText(rest)
	r.annotated, r.oneName = true, false
	return r
}

// isHerbLatin reports whether a text is pharmaceutical Latin.
func isHerbLatin(text string) bool {
	l, ok := herb.ParseLatin(text)
	return ok || len(l.Lookup()) > 0
}

// latinHerb matches a text as pharmaceutical Latin, by the table of herbs or by the rules of Latin.
// It returns false for any other text. It does not correct misspelt genitives: a name that neither
// the table nor the rules explain has no candidates.
func (q question) latinHerb(text string) (result, bool) {
	l, isLatin := herb.ParseLatin(text)
	r := nothing(text)
	d := q.fromTable(l.Lookup())
	switch {
	case d != nil:
		q.steps.note("drug: ", d.latin, ", ", d.name, " (", d.kind, ")")
		r = q.plantsAndHerb(r, d, nil)
	case isLatin && l.Product && q.namesInOrder(text):
		return r, false // the author of a species may have the name of a product: Alternanthera tenella Colla
	case isLatin && !l.Product:
		r = q.byRule(r, text, l)
	}
	return r, d != nil || isLatin
}

// orCorrected returns r if r names a species. Otherwise it tries to read the text as pharmaceutical
// Latin with slips. If this gives no answer either, it returns r.
func (q question) orCorrected(r result, text string) result {
	if r.herb != nil || q.query.NoFuzzy || q.namesSpecies(r) || q.namesInOrder(text) || strings.ContainsAny(text, "0123456789()[]&") {
		return r
	}
	for _, l := range herb.MendLatin(text) {
		r.candidates = slices.Clone(r.candidates) // matching the next name reuses the buffer of candidates
		m, ok := q.matchCorrected(text, l)
		if !ok {
			continue
		}
		m.canonical, m.unread = null.Text(text), ""
		for i := range m.candidates {
			m.candidates[i].flags |= answer.Orthography
			m.candidates[i].add("slips in the Latin", -herbSlip)
		}
		return m
	}
	return r
}

// orMisspelt returns r if r names a herb or a plant. Otherwise the text may be a species whose genus
// is misspelt and whose epithet is also the word for a part: Myroxlyon balsamum.
func (q question) orMisspelt(r result, text string) result {
	if r.herb == nil && len(r.candidates) == 0 {
		if species := q.scientific(q.buf.parser.Parse(text)); q.namesSpecies(species) {
			return species
		}
	}
	return r
}

// namesInOrder reports whether a text is a genus of the checklists with an epithet after it, or has
// the word for a rank. Such a text is a scientific name and no herb, even if words of it resemble
// parts of plants: alpina is no spina.
func (q question) namesInOrder(text string) bool {
	genus, rest, _ := strings.Cut(text, " ")
	return rest != "" && unicode.IsLower(rune(rest[0])) && spelling.ShapeOf(genus) == spelling.Title && q.HasGenus([]byte(strings.ToLower(genus)))
}

// matchCorrected matches text as l, its corrected reading.
func (q question) matchCorrected(text string, l herb.LatinName) (result, bool) {
	q.steps.note("drug: read as ", l.String())
	if d := q.fromTable(l.LookupLoosely()); d != nil {
		return q.plantsAndHerb(nothing(text), d, nil), true
	}
	if r := q.byRule(nothing(text), l.String(), l); q.namesSpecies(r) {
		return r, true
	}
	u, ok := q.species([]string{l.NearSpecies()})
	if !ok {
		return result{}, false
	}
	s := q.scored(q.candidateOf(u))
	s.add("a species of drugs", herbRule)
	return result{via: answer.ViaHerbName, candidates: q.order([]scored{s}, false)}, true
}

// byRule matches pharmaceutical Latin that is not in the table. It tries the text itself as a
// scientific name, then the species and genera whose genitive is the stem, then the text without
// the words for parts.
func (q question) byRule(r result, text string, l herb.LatinName) result {
	q.query.NoFuzzy = true
	var all []scored
	q.steps.truncate(0)
	for _, name := range l.Nominatives(func(name string) bool { _, ok := q.FindKey([]byte(name)); return ok }) {
		u, ok := q.species([]string{name})
		if !ok {
			continue
		}
		q.steps.note("drug: ", strings.Join(l.Stem, " "), " may be of ", name)
		s := q.scored(q.candidateOf(u))
		if strings.Contains(name, " ") {
			s.add("name of a drug, by the rules of Latin", herbRule)
		} else {
			s.like, s.up = higherRank, 2
			s.add("genus of a drug", scoreGenus)
		}
		all = append(all, s)
	}
	if len(all) > 0 {
		r.via = answer.ViaHerbName
		if all[0].like == higherRank {
			r.via = answer.ViaHigherRank
		}
		r.candidates = q.order(all, false)
		return r
	}
	return r
}
