package match

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"bencao/names/editdistance"
	"bencao/names/internal/answer"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// maxNearKeys is the maximum number of similar keys whose names are considered. The nearest keys
// are used.
const maxNearKeys = 16

// fuzzy yields the names within a few edits, the nearest first. It excludes names that are
// certainly other names than the query.
func (f *finder) fuzzy(yield func([]hit) bool) bool {
	if f.noFuzzy {
		return true
	}
	k := f.name.Keys[0]
	if f.name.Cultivar != "" {
		k = f.name.Keys[len(f.name.Keys)-1] // use the key without the cultivar
	}
	near := f.nearKeys(f.buf.nearKeys[:0], k)
	flags := k.Flags
	if end := f.autonymEnd(k); end > 0 && len(near) == 0 {
		// Look up the species of an autonym: both epithets may have the same error, or no list may
		// have this autonym.
		k.Text = k.Text[:end]
		flags |= answer.AutonymOfSpecies
		near = f.nearKeys(near, k)
	}
	f.buf.nearKeys = near
	if len(near) == 0 {
		f.steps.note("fuzzy: no similar name")
		return true
	}
	slices.SortFunc(near, func(a, b nearKey) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.key, b.key)) })
	hits := f.buf.hits[:0]
	for _, n := range near[:min(len(near), maxNearKeys)] {
		doubt, another := f.doubtOf(k, n)
		if another {
			continue
		}
		how := difference{like: fuzzy, edits: n.edits, genusEdits: n.genusEdits, cost: n.cost, flags: flags, doubt: doubt}
		if n.genusEdits > 0 {
			how.flags |= answer.GenusCorrected
		}
		if n.edits > n.genusEdits {
			how.flags |= answer.EpithetCorrected
		}
		if f.steps != nil {
			f.steps.found("fuzzy:", f.AppendKey(nil, n.key), " is "+strconv.Itoa(n.edits)+" edits away")
		}
		hits = append(hits, hit{f.FirstOf(n.key), how})
	}
	f.buf.hits = hits
	return yield(hits)
}

// doubtOf compares the words of k and h. d is a reason for doubt if a word of k that differs from
// the word of h exists as it is written: as a genus, or as an epithet of another species.
// Misspellings seldom produce an existing word. sure is true if h is certainly another name, because
// two words have opposite meanings.
func (f *finder) doubtOf(k parse.Key, h nearKey) (d doubt, sure bool) {
	if h.genusEdits > 0 && f.HasGenus(k.Text[:k.Genus]) && !sameOrtho(k.Text[:k.Genus], f.Genus(f.GenusOf(h.key))) {
		d = doubtGenus
	}
	if h.slip {
		d = doubtSlip
	}
	a, b := k.Text[min(k.Genus+1, len(k.Text)):], f.Rest(h.key)
	for len(a) > 0 && len(b) > 0 {
		x, y, restA, restB := nextWords(a, b)
		a, b = restA, restB
		switch {
		case spelling.FlowerLeaf(x, y):
			d = doubtSlip
		case spelling.Opposites(x, y):
			return doubtWord, true
		case sameOrtho(x, y) || sameStem(x, y) || sameUmlaut(x, y) || !f.HasEpithet(x) && !(h.edits == 1 && spelling.OtherNamesake(x, y)):
		case oneRun(x, y):
			d = max(d, doubtShort)
		default:
			d = max(d, doubtWord)
		}
	}
	return d, false
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

// oneRun reports whether the longer of two words is the shorter one with a single run of letters
// inserted.
func oneRun(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := spelling.CommonPrefix(a, b)
	return len(a) < len(b) && string(a[i:]) == string(b[len(b)-(len(a)-i):])
}
