package match

import (
	"cmp"
	_ "embed" // the families
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// hintFamily compares the families of the candidates with the one that was
// given beside the name or in it.
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

// familyOf returns the family of the accepted name of a candidate, or its own.
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

// wideFamilies are families that a list sees as parts of others, each with the
// one that it is a part of there, folded.
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

// SameFamily says whether two families are one, or the one a part of the
// other, or both of a third, as some list sees them.
func SameFamily(a, b string) bool {
	return wideFamily(spelling.FoldFamily(a)) == wideFamily(spelling.FoldFamily(b))
}

// wideFamily is the family that a folded one is a part of, or itself.
func wideFamily(f string) string {
	if w := wideFamilies[f]; w != "" {
		return w
	}
	return f
}
