package match

import (
	"slices"
	"strings"

	"bencao/names/internal/answer"
	"bencao/names/internal/family"
)

// kingdoms maps the names of kingdoms, in lower case, to whether they are of plants.
var kingdoms = map[string]bool{
	"plantae": true, "viridiplantae": true, "plants": true, "plant": true, "植物界": true, "植物": true,
	"animalia": false, "metazoa": false, "animals": false, "animal": false, "动物界": false, "动物": false, "動物界": false,
	"fungi": false, "fungus": false, "真菌界": false, "真菌": false, "菌物界": false,
	"bacteria": false, "eubacteria": false, "archaea": false, "monera": false, "细菌界": false, "细菌": false, "古菌界": false,
	"protozoa": false, "chromista": false, "原生动物界": false, "色素界": false, "viruses": false, "virus": false, "病毒": false,
}

// life returns whether the query says that it means a plant, or says that it means another organism.
// within is the family in the text of the name.
func (q question) life(within string) (plant, other bool) {
	known := false
	if q.query.Kingdom != "" {
		plant, known = kingdoms[strings.ToLower(q.query.Kingdom)]
	}
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
// answer in another family than its own is perhaps not what the query means.
func (v view) inFamily(c *candidate, hint string) (known, in bool) {
	is := func(usage uint32) bool {
		f := v.Word(v.Usages[usage].Family)
		known = known || f != ""
		return f != "" && family.Same(f, hint)
	}
	in = is(c.concept) || slices.ContainsFunc(v.MembersOf(c.concept), is)
	return known, in
}
