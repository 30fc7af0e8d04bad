package match

import (
	"bytes"

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
	a, b := k.Text[min(k.Genus+1, len(k.Text)):], f.Rest(h.key)
	for len(a) > 0 && len(b) > 0 {
		x, y, restA, restB := nextWords(a, b)
		a, b = restA, restB
		switch {
		case string(x) == string(y):
		case opposites(x, y):
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
	i := commonPrefix(a, b)
	return len(a) < len(b) && string(a[i:]) == string(b[len(b)-(len(a)-i):])
}

// oppositeParts are parts of epithets that are as near in letters as they are
// far in meaning: where two names differ just so, both are meant.
var oppositeParts = [...][2]string{
	{"macr", "micr"}, {"flor", "foli"}, {"hyper", "hypo"}, {"lati", "alti"}, {"uni", "tri"}, {"uni", "bi"}, {"bi", "tri"}, {"di", "tri"}, {"mono", "homo"},
}

// opposites says whether two epithets differ in nothing but such parts, or in
// the prefix that denies: marginata and emarginata.
func opposites(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) > 4 && len(a) < len(b) && bytes.HasSuffix(b, a) {
		switch string(b[:len(b)-len(a)]) {
		case "e", "a", "in", "im", "ex":
			return true
		}
	}
	// The first letters that differ stand in the parts.
	i := commonPrefix(a, b)
	for _, p := range oppositeParts {
		if replaces(a, b, i, p[0], p[1]) || replaces(a, b, i, p[1], p[0]) {
			return true
		}
	}
	return false
}

// replaces says whether b is a with a part from that letter at stands in
// replaced by to.
func replaces(a, b []byte, at int, from, to string) bool {
	if len(a)-len(from) != len(b)-len(to) {
		return false
	}
	for i := max(0, at-len(from)+1); i <= at && i+len(from) <= len(a) && i+len(to) <= len(b); i++ {
		if string(a[i:i+len(from)]) == from && string(b[i:i+len(to)]) == to && string(a[i+len(from):]) == string(b[i+len(to):]) {
			return true
		}
	}
	return false
}
