package match

import (
	"bencao/names/internal/answer"
	"bencao/names/internal/family"
	"bencao/names/internal/file"
)

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
		}
	}
}

// inFamily reports whether some list places the taxon of a candidate in the family that hint names.
// known is false if no list gives a family for the taxon.
func (v view) inFamily(c *candidate, hint string) (known, in bool) {
	is := func(usage uint32) bool {
		f := v.Word(v.Usages[usage].Family)
		known = known || f != ""
		return f != "" && family.Same(f, hint)
	}
	if is(c.concept) || is(c.usage) {
		return true, true
	}
	for i, to := v.Namesakes(c.usage); i < to; i++ {
		if v.Usages[i].Group == v.Usages[c.usage].Group && !v.hidden(&v.Usages[i]) && is(i) {
			return true, true
		}
	}
	for _, n := range v.MembersOf(c.concept) {
		if n != file.None && is(n) {
			return true, true
		}
	}
	return known, false
}
