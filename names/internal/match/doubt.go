package match

import (
	"bencao/names/editdistance"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

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
