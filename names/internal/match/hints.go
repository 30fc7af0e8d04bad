package match

import (
	"slices"

	"bencao/names/internal/answer"
	"bencao/names/internal/family"
	"bencao/names/internal/wordlist"
)

// life returns whether the query says that it means a plant, or says that it means another organism.
// within is the family in the text of the name.
func (q question) life(within string) (plant, other bool) {
	plant, known := wordlist.Kingdom(q.query.Kingdom)
	other = known && !plant || family.IsOfAnimals(q.query.Family) || q.query.Family == "" && family.IsOfAnimals(within)
	return plant && !other, other
}

// hintFamily compares the families of the candidates with the family that the query gives, and sets
// their flags. beside is the family in the query's own field, and within is the family in the text
// of the name. hintFamily uses within only if beside is no known family. If neither is a known
// family, it does nothing.
func (v view) hintFamily(cands []candidate, beside, within string) {
	hint := ""
	for _, text := range []string{beside, within} {
		if hint == "" && text != "" {
			hint = family.Read(text)
		}
	}
	if hint == "" {
		return
	}
	for i := range cands {
		c := &cands[i]
		c.flags |= answer.FamilyHint
		if known, in := v.inFamily(c, hint); known && !in {
			c.flags |= answer.FamilyDiffers
			f := v.Word(v.Usages[c.usage].Family)
			c.oldFamily = f != "" && family.Same(f, hint)
		}
	}
}

// inFamily reports whether some list places the taxon of a candidate in the family that hint names.
// known is false if no list gives a family for the taxon. The family of a synonym does not count: an
// answer in another family than its own is perhaps not the plant that the query means.
func (v view) inFamily(c *candidate, hint string) (known, in bool) {
	is := func(usage uint32) bool {
		f := v.Word(v.Usages[usage].Family)
		known = known || f != ""
		return f != "" && family.Same(f, hint)
	}
	in = is(c.concept) || slices.ContainsFunc(v.MembersOf(c.concept), is)
	return known, in
}
