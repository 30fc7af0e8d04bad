package match

import (
	"cmp"
	"slices"
	"strconv"

	"bencao/names/drug"
	"bencao/names/editdistance"
	"bencao/names/internal/author"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// mostHits is how many of the nearest keys are looked at.
const mostHits = 16

// fuzzy looks for names within a few edits, the nearest first. A name two or
// more edits away is only taken if its author agrees, or if none is given and
// no other name is as near; authors that differ rule it out.
func (f *finder) fuzzy(cands []candidate) found {
	k := f.name.Keys[0]
	if f.name.Cultivar != "" {
		k = f.name.Keys[len(f.name.Keys)-1] // that without the cultivar
	}
	if genus := k.Text[:k.Genus]; drug.IsNonPlantGenus(genus) && !f.HasGenus(genus) {
		f.steps.note("fuzzy: this is a genus of animals, fungi or algae")
		return found{candidates: cands}
	}
	hits := f.hits(f.buf.hits[:0], k)
	f.buf.hits = hits
	if len(hits) == 0 {
		f.steps.note("fuzzy: nothing is near")
		return found{candidates: cands}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.key, b.key)) })
	for i, h := range hits[:min(len(hits), mostHits)] {
		if i > 0 && h.key == hits[i-1].key {
			continue
		}
		d, another := f.doubts(k, h)
		if another {
			continue
		}
		flags := k.Flags
		if h.genusEdits > 0 {
			flags |= vocabulary.GenusCorrected
		}
		if h.edits > h.genusEdits {
			flags |= vocabulary.EpithetCorrected
		}
		if f.steps != nil {
			f.steps.found("fuzzy:", f.AppendKey(nil, h.key), " is "+strconv.Itoa(h.edits)+" edits away")
		}
		first := len(cands)
		cands = f.fromKey(cands, f.FirstOf(h.key), f.name, difference{like: fuzzy, edits: h.edits, cost: h.cost, flags: flags})
		for i := range cands[first:] {
			cands[first+i].doubt = d
		}
	}
	return judge(cands)
}

// farther is how much more than the nearest name another may cost and still
// be meant, when the author asked for is that of both, and when of neither.
const (
	fartherAgreeing = 1
	farther         = 0.75
)

// judge decides among fuzzy candidates, the nearest first.
func judge(cands []candidate) found {
	agree := slices.ContainsFunc(cands, func(c candidate) bool { return c.author.Agrees() })
	most := farther
	if agree {
		most = fartherAgreeing
	}
	nearest := float64(2 * maxEdits)
	kept := cands[:0]
	for _, c := range cands {
		if another(&c) || agree && !c.author.Agrees() || c.cost >= nearest+most {
			continue
		}
		nearest = min(nearest, c.cost)
		kept = append(kept, c)
	}
	return found{candidates: kept, author: agree}
}

// another says whether c is rather another name than the one asked for, which
// the checklists lack.
func another(c *candidate) bool {
	switch {
	case c.author == author.Differs:
		return c.edits >= 2 || c.doubt != noDoubt
	case c.doubt == doubtGenus:
		return c.edits >= 2 || !c.author.AgreesWell() && c.author != author.NotGiven
	case c.doubt == doubtSlip:
		return c.author != author.Same
	case c.doubt == doubtWord:
		return c.edits >= 2 && c.author != author.Same
	case c.doubt == doubtShort:
		return c.edits >= 2 && c.author != author.Same
	}
	return false
}

// doubts says whether a word of the name asked for that h would change is a
// good one as it stands: a genus, or an epithet of some other species. A slip
// of the pen seldom makes one. It is sure of another name if the words differ
// in their meaning or if the genus is far off.
func (f *finder) doubts(k parse.Key, h hit) (d doubt, sure bool) {
	if h.genusEdits > 0 && f.HasGenus(k.Text[:k.Genus]) {
		d = doubtGenus
		if h.genusEdits > 1 {
			return d, true
		}
	}
	if h.slip {
		d = doubtSlip
	}
	a, b := k.Text[min(k.Genus+1, len(k.Text)):], f.Rest(h.key)
	for len(a) > 0 && len(b) > 0 {
		x, y, restA, restB := nextWords(a, b)
		a, b = restA, restB
		switch {
		case string(x) == string(y):
		case spelling.FlowerLeaf(x, y):
			d = doubtSlip
		case spelling.Opposites(x, y):
			return doubtWord, true
		case !f.HasEpithet(x) || sameOrtho(x, y):
		case oneRun(x, y):
			d = max(d, doubtShort)
		default:
			d = max(d, doubtWord)
		}
	}
	return d, false
}

// sameOrtho says whether two epithets have one orthographic key.
func sameOrtho(x, y []byte) bool {
	var a, b [editdistance.MaxWord]byte
	return string(spelling.AppendOrthoWord(a[:0], x, false)) == string(spelling.AppendOrthoWord(b[:0], y, false))
}

// oneRun says whether the longer of two words is the other one with a run of
// letters put in.
func oneRun(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := spelling.CommonPrefix(a, b)
	return len(a) < len(b) && string(a[i:]) == string(b[len(b)-(len(a)-i):])
}
