package match

import (
	"cmp"

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
		if f := v.SharedText(v.Usages[n].Family); f != "" {
			return spelling.FoldFamily(f)
		}
	}
	return ""
}

// wideFamilies are families that WCVP sees as parts of others (Christenhusz &
// Chase 2014, for ferns): each with the one that it is a part of there.
var wideFamilies = map[string]string{
	"arthropteridaceae": "polypodiaceae", "davalliaceae": "polypodiaceae", "didymochlaenaceae": "polypodiaceae", "dryopteridaceae": "polypodiaceae",
	"hypodematiaceae": "polypodiaceae", "lomariopsidaceae": "polypodiaceae", "nephrolepidaceae": "polypodiaceae", "oleandraceae": "polypodiaceae",
	"pteridryaceae": "polypodiaceae", "tectariaceae": "polypodiaceae",
	"athyriaceae": "aspleniaceae", "blechnaceae": "aspleniaceae", "cystopteridaceae": "aspleniaceae", "diplaziopsidaceae": "aspleniaceae",
	"onocleaceae": "aspleniaceae", "rhachidosoraceae": "aspleniaceae", "thelypteridaceae": "aspleniaceae", "woodsiaceae": "aspleniaceae",
	"cibotiaceae": "cyatheaceae", "dicksoniaceae": "cyatheaceae", "plagiogyriaceae": "cyatheaceae", "lygodiaceae": "schizaeaceae",
}

// wideFamily is the family that a folded one is a part of, or itself.
func wideFamily(f string) string {
	if w := wideFamilies[f]; w != "" {
		return w
	}
	return f
}
