package match

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"bencao/names/editdistance"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// maxHits is the maximum number of similar keys whose names are considered. The nearest keys are
// used.
const maxHits = 16

// fuzzy finds names within a few edits, the nearest first. If the author of some name agrees with
// the query, only names whose author agrees count. A name with two or more edits does not count if
// its author differs. [isAnotherName] and [selectNearest] have all the conditions.
func (f *finder) fuzzy(cands []candidate) found {
	k := f.name.Keys[0]
	if f.name.Cultivar != "" {
		k = f.name.Keys[len(f.name.Keys)-1] // use the key without the cultivar
	}
	otherLife, wellKnown := f.otherLife(k.Text[:k.Genus])
	genus := noOtherLife
	if otherLife {
		genus = someOtherLife
	}
	if otherLife = otherLife && k.Genus < len(k.Text); otherLife { // a genus without a species is looked up, because its score is low anyway
		f.steps.note("fuzzy: this is a genus of animals, fungi, algae or bacteria")
		if wellKnown && f.name.Author == "" {
			return found{candidates: cands}
		}
	}
	hits := f.hits(f.buf.hits[:0], k)
	autonym := false
	if end := f.autonymEnd(k); end > 0 && len(hits) == 0 {
		k.Text, autonym = k.Text[:end], true // look up the species of an autonym: both epithets may have the same error, or no list may have this autonym
		hits = f.hits(hits, k)
	}
	f.buf.hits = hits
	if len(hits) == 0 {
		f.steps.note("fuzzy: no similar name")
		return found{candidates: cands}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.key, b.key)) })
	for i, h := range hits[:min(len(hits), maxHits)] {
		if i > 0 && h.key == hits[i-1].key {
			continue
		}
		d, another := f.doubtOf(k, h)
		if another {
			continue
		}
		flags := k.Flags
		if autonym {
			flags |= vocabulary.AutonymOfSpecies
		}
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
		cands = f.fromKey(cands, f.FirstOf(h.key), f.name, difference{like: fuzzy, edits: h.edits, genusEdits: h.genusEdits, cost: h.cost, flags: flags})
		for i := range cands[first:] {
			cands[first+i].doubt = d
		}
		if d == doubtWord && h.edits > 1 && f.name.Author != "" {
			// Drop a candidate that has the author of the query if this author also has another
			// name in the genus. The author may have named two species with similar names: Ixora
			// regalis and Ixora pedalis.
			cands = append(cands[:first], slices.DeleteFunc(cands[first:], func(c candidate) bool {
				return c.author == author.Same && f.namesOthers(f.cited, h.key)
			})...)
		}
	}
	if otherLife {
		cands = slices.DeleteFunc(cands, func(c candidate) bool {
			return c.author != author.Same && (wellKnown || c.edits > 1 || c.flags.Has(vocabulary.EpithetCorrected))
		})
	}
	s := selectNearest(cands)
	s.life = genus
	return s
}

// A candidate counts only if its cost exceeds that of the nearest candidate by less than a margin.
// The margin is costMarginAuthor if some candidate's author agrees, and otherwise costMargin.
const (
	costMarginAuthor = 1
	costMargin       = 0.75
)

// selectNearest returns the candidates that are near enough to count. cands must be sorted by cost.
func selectNearest(cands []candidate) found {
	agree := slices.ContainsFunc(cands, func(c candidate) bool { return c.author.Agrees() })
	most := costMargin
	if agree {
		most = costMarginAuthor
	}
	nearest := float64(2 * maxEdits)
	kept := cands[:0]
	for _, c := range cands {
		if isAnotherName(&c) || agree && !c.author.Agrees() || c.cost >= nearest+most {
			continue
		}
		nearest = min(nearest, c.cost)
		kept = append(kept, c)
	}
	return found{candidates: kept, author: agree}
}

// isAnotherName reports whether the query probably means another name than c. The checklists then
// lack this other name.
func isAnotherName(c *candidate) bool {
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

// doubtOf compares the words of k and h. d is a reason for doubt if a word of k that differs from
// the word of h exists as it is written: as a genus, or as an epithet of another species.
// Misspellings seldom produce an existing word. sure is true if h is certainly another name: two
// words have opposite meanings, or the genus exists and differs in two letters or more.
func (f *finder) doubtOf(k parse.Key, h hit) (d doubt, sure bool) {
	if h.genusEdits > 0 && f.HasGenus(k.Text[:k.Genus]) && !sameOrtho(k.Text[:k.Genus], f.Genus(f.GenusOf(h.key))) {
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
		case !f.HasEpithet(x) || sameOrtho(x, y) || sameStem(x, y) || sameUmlaut(x, y):
		case oneRun(x, y):
			d = max(d, doubtShort)
		default:
			d = max(d, doubtWord)
		}
	}
	return d, false
}

// namesOthers reports whether an author has a name other than key in the genus of key.
func (v view) namesOthers(cited *author.Cited, key uint32) bool {
	g := v.GenusOf(key)
	for n := v.Genera[g].Key; n < v.Genera[g+1].Key; n++ {
		if n == key || len(v.Rest(n)) == 0 {
			continue
		}
		usage := v.FirstOf(n)
		for i, to := v.Namesakes(usage); i < to; i++ {
			if cited.Compare(v.Text(i, file.Author)) == author.Same {
				return true
			}
		}
	}
	return false
}

// sameOrtho reports whether two epithets have the same orthographic key.
func sameOrtho(x, y []byte) bool {
	var a, b [editdistance.MaxWord]byte
	return string(spelling.AppendOrthoWord(a[:0], x, false)) == string(spelling.AppendOrthoWord(b[:0], y, false))
}

// sameStem reports whether two epithets differ only in their gender ending. It also finds pairs
// with -vus and -va, which sameOrtho does not.
func sameStem(x, y []byte) bool {
	a, okA := genderStem(x)
	b, okB := genderStem(y)
	return okA && okB && string(a) == string(b)
}

// sameUmlaut reports whether two epithets differ only in an e after a, o or u: huegeliana,
// hugeliana. This e is how botanical Latin writes an umlaut.
func sameUmlaut(x, y []byte) bool {
	if len(x) < len(y) {
		x, y = y, x
	}
	i := spelling.CommonPrefix(x, y)
	return i > 0 && len(x) == len(y)+1 && x[i] == 'e' && bytes.IndexByte([]byte("aou"), x[i-1]) >= 0 && string(x[i+1:]) == string(y[i:])
}

// genderStem returns an epithet without its ending -us, -um or -a, and reports whether it has such
// an ending.
func genderStem(w []byte) ([]byte, bool) {
	for _, e := range []string{"us", "um", "a"} {
		if stem, ok := bytes.CutSuffix(w, []byte(e)); ok && len(stem) >= 4 {
			return stem, true
		}
	}
	return w, false
}

// oneRun reports whether the longer of two words is the shorter one with a single run of letters
// inserted.
func oneRun(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := spelling.CommonPrefix(a, b)
	return len(a) < len(b) && string(a[i:]) == string(b[len(b)-(len(a)-i):])
}
