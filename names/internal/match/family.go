package match

import (
	"cmp"
	_ "embed" // the families
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// hintFamily compares the families of the candidates with the family beside the name, or in the
// name.
func (v view) hintFamily(cands []candidate, beside, within string) {
	given := cmp.Or(beside, within)
	if given == "" {
		return
	}
	hint := wideFamily(spelling.FoldFamily(given))
	for i := range cands {
		c := &cands[i]
		c.flags |= vocabulary.FamilyHint
		if own := v.familyOf(c); own != "" && wideFamily(own) != hint {
			c.flags |= vocabulary.FamilyDiffers
		}
	}
}

// familyOf returns the family of the accepted name of a candidate, or that of the candidate
// itself.
func (v view) familyOf(c *candidate) string {
	for _, n := range []uint32{c.concept, c.usage} {
		if f := v.Word(v.Usages[n].Family); f != "" {
			return spelling.FoldFamily(f)
		}
	}
	return ""
}

//go:embed families.txt
var familiesText string

// wideFamilies maps a family to the wider family that some list includes it in, both folded.
var wideFamilies = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(familiesText) {
		wide, parts, ok := strings.Cut(line, "=")
		if !ok || line[0] == '#' {
			continue
		}
		for part := range strings.SplitSeq(parts, ",") {
			m[spelling.FoldFamily(strings.TrimSpace(part))] = spelling.FoldFamily(strings.TrimSpace(wide))
		}
	}
	return m
}()

// SameFamily reports whether two families are the same in some list: equal, one a part of the
// other, or both parts of a third.
func SameFamily(a, b string) bool {
	return wideFamily(spelling.FoldFamily(a)) == wideFamily(spelling.FoldFamily(b))
}

// wideFamily returns the wider family that includes f, or f.
func wideFamily(f string) string {
	if w := wideFamilies[f]; w != "" {
		return w
	}
	return f
}
