package names

import (
	"bytes"

	"bencao/names/internal/parse"
)

// doubt says how likely a name that differs in letters is another name, which
// the checklists lack, because a word of it is a good one as it stands.
type doubt uint8

const (
	noDoubt    doubt = iota
	doubtShort       // a known epithet, that letters were left out of or put into
	doubtWord        // a known epithet, in which letters were exchanged
	doubtGenus       // a known genus
)

// doubts says whether a word of the name asked for that h would change is a
// good one as it stands: a genus, or an epithet of some other species. A slip
// of the pen seldom makes one. It is sure of another name if the words differ
// in their meaning or if the genus is far off.
func (m *matcher) doubts(k parse.Key, h hit) (d doubt, sure bool) {
	ix := m.ix
	if h.genusEdits > 0 {
		if _, ok := ix.FindGenus(k.Text[:k.Genus]); ok {
			d = doubtGenus
			if h.genusEdits > 1 {
				return d, true
			}
		}
	}
	a, b := k.Text[min(k.Genus+1, len(k.Text)):], ix.Rest(h.key)
	for len(a) > 0 && len(b) > 0 {
		i, j := wordEnd(a), wordEnd(b)
		if x, y := a[:i], b[:j]; string(x) != string(y) {
			if opposites(x, y) {
				return doubtWord, true
			}
			if ix.IsEpithet(x) && !sameOrtho(x, y) {
				if oneRun(x, y) {
					d = max(d, doubtShort)
				} else {
					d = max(d, doubtWord)
				}
			}
		}
		a, b = a[min(i+1, len(a)):], b[min(j+1, len(b)):]
	}
	return d, false
}

// sameOrtho says whether two epithets have one orthographic key.
func sameOrtho(x, y []byte) bool {
	var a, b [maxWord]byte
	return string(appendOrthoWord(a[:0], x, false)) == string(appendOrthoWord(b[:0], y, false))
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

// judge decides among the fuzzy candidates from first on.
func (m *matcher) judge(first int) {
	cands := m.cands[first:]
	agree := false
	for i := range cands {
		agree = agree || cands[i].author.Agrees()
	}
	kept := cands[:0]
	best := costly * 2
	for _, c := range cands {
		switch {
		case another(&c), agree && !c.author.Agrees():
			continue
		case agree && c.cost >= best+1, !agree && c.cost >= best+0.75:
			continue // a nearer name is meant
		}
		best = min(best, c.cost)
		kept = append(kept, c)
	}
	m.cands = m.cands[:first+len(kept)]
	m.authorFound = agree
}

// another says whether c is rather another name than the one asked for, which
// the checklists lack.
func another(c *candidate) bool {
	switch {
	case c.author == fitDiffers:
		return c.edits >= 2 || c.doubt != noDoubt
	case c.doubt == doubtGenus:
		return c.edits >= 2 || !c.author.AgreesWell() && c.author != fitNotGiven
	case c.doubt == doubtWord:
		return c.edits >= 2
	case c.doubt == doubtShort:
		return c.edits >= 2 && c.author != fitSame
	}
	return false
}
