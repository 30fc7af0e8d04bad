package match

import (
	"bytes"
	"math/bits"
	"slices"

	"bencao/names/editdistance"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// Limits for the edits in a name. Words shorter than shortWord allow no edits, because they
// resemble too many words.
const (
	maxEdits  = 3 // in all words of a name together
	shortWord = 5 // the least length, in letters, of a word that may have edits
	// Costs that are added to the cost of an edit: for an edit in the first letter of a word, and
	// for edits in the genus.
	firstLetter = 0.5
	genusEdit   = 0.3
)

// allowedEdits returns the number of edits allowed in a word of n letters.
func allowedEdits(n int) int {
	switch {
	case n < shortWord:
		return 0
	case n < 7:
		return 1
	}
	return 2
}

// allowedInPair returns the number of edits allowed between two words of a and b letters. This is
// the number allowed in the longer word, or 0 if the shorter word allows no edits.
func allowedInPair(a, b int) int {
	if min(a, b) < shortWord {
		return allowedEdits(min(a, b))
	}
	return allowedEdits(max(a, b))
}

// nearKeys appends the keys near k. First it looks for similar epithets in the genus itself and in
// genera with nearly the same spelling. If it finds none, it looks for the same epithets in genera
// that are farther away. It adds keys that optical character recognition may have read as k. If
// there is still no key, it allows another gender ending or three edits.
func (f *finder) nearKeys(near []nearKey, k parse.Key) []nearKey {
	genus, rest := k.Text[:k.Genus], k.Text[min(k.Genus+1, len(k.Text)):]
	genera := f.nearGenera(f.buf.nearGenera[:0], genus)
	f.buf.nearGenera = genera
	if len(rest) == 0 {
		for _, g := range genera {
			if key := f.Genera[g.genus].Key; g.edits == 1 && len(f.Rest(key)) == 0 {
				near = append(near, nearKey{key: key, edits: g.edits, genusEdits: g.edits, cost: g.cost})
			}
		}
		return near
	}
	for _, g := range genera {
		near = f.scan(near, g, rest)
	}
	if f.name.Author != "" && len(genera) > 0 && genera[0].edits == 0 {
		near = f.slips(near, genera[0].genus, rest)
	}
	if len(near) == 0 {
		near = f.sameEpithet(near, genus, rest)
	}
	if near = f.misread(near, k); len(near) == 0 {
		near = f.misreadThroughout(near, k)
	}
	if len(near) == 0 && len(genera) > 0 && genera[0].edits == 0 {
		if near = f.otherGender(near, genera[0], rest); len(near) == 0 {
			near = f.far(near, genera[0].genus, rest)
		}
	}
	return near
}

// otherGender appends the names of a genus that are near rest after the gender ending of the last
// epithet of rest is changed. The change counts as one edit: Pterostylis psammophla may be P.
// psammophilus.
func (f *finder) otherGender(near []nearKey, genus nearGenus, rest []byte) []nearKey {
	stem, ok := genderStem(rest)
	if !ok {
		return near
	}
	for _, e := range []string{"us", "um", "a"} {
		if other := append(bytes.Clone(stem), e...); !bytes.Equal(other, rest) {
			n := len(near)
			near = f.scan(near, genus, other)
			kept := near[:n]
			for _, h := range near[n:] {
				if h.edits++; h.edits <= 2 {
					h.cost++
					kept = append(kept, h)
				}
			}
			near = kept
		}
	}
	return near
}

// misread appends the names that optical character recognition may have read as k. It replaces one
// group of letters by another group: in the epithets if the genus exists, and otherwise in the
// genus. A replacement counts as one edit, whatever its length.
func (f *finder) misread(near []nearKey, k parse.Key) []nearKey {
	genus, rest := k.Text[:k.Genus], k.Text[k.Genus:]
	before, word, how := []byte(nil), genus, nearKey{edits: 1, genusEdits: 1, cost: 1 + genusEdit}
	if f.HasGenus(genus) {
		before, word, rest, how = genus, rest, nil, nearKey{edits: 1, cost: 1}
	}
	f.buf.misread = spelling.AppendMisreadings(f.buf.misread[:0], word)
	for _, m := range f.buf.misread {
		f.buf.key = append(m.AppendPrinted(append(f.buf.key[:0], before...), word), rest...)
		usage, ok := f.FindKey(f.buf.key)
		if !ok {
			continue
		}
		how.key = f.KeyOf(usage)
		near = slices.DeleteFunc(near, func(h nearKey) bool { return h.key == how.key && h.cost >= how.cost })
		if !slices.ContainsFunc(near, func(h nearKey) bool { return h.key == how.key }) {
			near = append(near, how)
		}
	}
	return near
}

// misreadThroughout appends the names that become k if one group of letters is misread at every
// place: Rheum palmatum may be read as Rheurn palrnatum.
func (f *finder) misreadThroughout(near []nearKey, k parse.Key) []nearKey {
	spelling.MisreadThroughout(k.Text, func(printed []byte, times int) {
		usage, ok := f.FindKey(printed)
		if !ok {
			return
		}
		h := nearKey{key: f.KeyOf(usage), edits: min(times, maxEdits), cost: float64(times)}
		if genus := f.Genus(f.GenusOf(h.key)); string(genus) != string(k.Text[:k.Genus]) {
			h.genusEdits = 1
			h.cost += genusEdit
		}
		near = append(near, h)
	})
	return near
}

// farWord is the minimum length of an epithet that may have three edits, or letters in another
// order. The letters in another order must lie within a run of farWindow letters.
const (
	farWord   = 9
	farWindow = 5
)

// far appends the names in a genus whose epithet is three edits away from rest, a long epithet:
// Acacia unifillis may be A. unifissilis. It appends nothing if the epithet exists as it is written.
func (f *finder) far(near []nearKey, genus uint32, rest []byte) []nearKey {
	if len(rest) < farWord || bytes.IndexByte(rest, ' ') >= 0 || f.HasEpithet(rest) {
		return near
	}
	mask := editdistance.Mask(rest)
	first := f.Genera[genus].Key
	keys := f.Keys[first : f.Genera[genus+1].Key+1]
	for i := range keys[1:] {
		size := int(keys[i+1].Rest - keys[i].Rest)
		if d := size - len(rest); d > maxEdits || -d > maxEdits || bits.OnesCount32(keys[i].Mask^mask) > maxEdits {
			continue
		}
		n := first + uint32(i)
		other := f.Rest(n)
		if start, end := spelling.CommonPrefix(rest, other), commonSuffix(rest, other); start < 2 || start+end < 6 || bytes.IndexByte(other, ' ') >= 0 {
			continue
		}
		if shuffled(rest, other) || editdistance.WithBlocks(rest, other, maxEdits) <= maxEdits {
			near = append(near, nearKey{key: n, edits: maxEdits, cost: maxEdits})
		}
	}
	return near
}

// shuffled reports whether two words have the same letters and differ only in the order of letters
// within farWindow: aspathaloides, aspalathoides.
func shuffled(x, y []byte) bool {
	if len(x) != len(y) {
		return false
	}
	from := spelling.CommonPrefix(x, y)
	to := len(x) - commonSuffix(x[from:], y[from:])
	if to-from > farWindow {
		return false
	}
	var count [256]int8
	for i := from; i < to; i++ {
		count[x[i]]++
		count[y[i]]--
	}
	return count == [256]int8{}
}

// commonSuffix returns the length of the common suffix of two words.
func commonSuffix(x, y []byte) int {
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// nearGenera appends the genus itself, if it exists, and the genera that differ from it by no more
// than the allowed edits. It finds them by their deletion neighbourhoods, see
// [editdistance.Deletions].
func (f *finder) nearGenera(near []nearGenus, genus []byte) []nearGenus {
	limit := allowedInPair(len(genus), len(genus)+1)
	if g, ok := f.FindGenus(genus); ok {
		near = append(near, nearGenus{genus: g})
	}
	mask := editdistance.Mask(genus)
	hashes := f.buf.hashes[:0]
	editdistance.Deletions(genus, func(less []byte) { hashes = append(hashes, file.Hash(less)) })
	f.buf.hashes = hashes
	for n := range f.ValuesOf(file.ByGenusLess, hashes) {
		if bits.OnesCount32(f.Genera[n].Mask^mask) > 2*limit || slices.ContainsFunc(near, func(g nearGenus) bool { return g.genus == n }) {
			continue
		}
		other := f.Genus(n)
		if d := editdistance.WithBlocks(genus, other, limit); d > 0 && d <= limit {
			near = append(near, nearGenus{n, d, float64(d) + genusEdit})
		}
	}
	return near
}

// scan appends those names of a genus that have epithets near rest.
func (f *finder) scan(near []nearKey, g nearGenus, rest []byte) []nearKey {
	limit := min(maxEdits-g.edits, restLimit(rest))
	mask := editdistance.Mask(rest)
	first := f.Genera[g.genus].Key
	keys := f.Keys[first : f.Genera[g.genus+1].Key+1]
	for i := range keys[1:] {
		// Most names are excluded here by their letters. Without this, misspelt names take twice the time.
		if diff := keys[i].Mask ^ mask; diff != 0 && (bits.OnesCount32(diff) > 2*limit || bits.OnesCount32(diff&mask) > limit || bits.OnesCount32(diff&^mask) > limit) {
			continue
		}
		n := first + uint32(i)
		if edits, cost, ok := compareRests(rest, f.Rest(n), limit, g.cost); ok && g.edits+edits <= maxEdits {
			near = append(near, nearKey{key: n, edits: g.edits + edits, genusEdits: g.edits, cost: cost})
		}
	}
	return near
}

// slips appends names of a genus that differ from rest by a slip in the last epithet: another
// ending of a person's name, or two letters exchanged in a short word. Such a name counts only if
// its author is also the same, see nearKey.slip.
func (f *finder) slips(near []nearKey, genus uint32, rest []byte) []nearKey {
	last := rest[bytes.LastIndexByte(rest, ' ')+1:]
	before, stem := rest[:len(rest)-len(last)], spelling.Person(last)
	person, short := len(stem) < len(last), len(last) > 2 && len(last) < 5
	if !person && !short {
		return near
	}
	whole, needed := editdistance.Mask(rest), editdistance.Mask(before)|editdistance.Mask(stem)
	for n := f.Genera[genus].Key; n < f.Genera[genus+1].Key; n++ {
		mask := f.Keys[n].Mask
		if person && needed&^mask != 0 || !person && mask != whole {
			continue
		}
		other, ok := bytes.CutPrefix(f.Rest(n), before)
		if !ok || len(other) == 0 || bytes.IndexByte(other, ' ') >= 0 || other[0] != last[0] || string(other) == string(last) {
			continue
		}
		formed := person && string(spelling.Person(other)) == string(stem)
		exchanged := short && len(other) == len(last) && editdistance.Mask(last) == editdistance.Mask(other) && editdistance.WithBlocks(last, other, 1) == 1
		if formed || exchanged {
			near = append(near, nearKey{key: n, edits: 1, cost: 1, slip: true})
		}
	}
	return near
}

// restLimit returns the number of edits allowed in all epithets together.
func restLimit(rest []byte) int {
	limit := 0
	for len(rest) > 0 {
		n := spelling.WordEnd(rest)
		limit += allowedInPair(n, n+1)
		rest = rest[min(n+1, len(rest)):]
	}
	return min(limit, maxEdits)
}

// compareRests compares the epithets of two names one by one. ok reports whether each epithet and
// all of them together are near enough. cost includes genus, which is the cost of the edits in the
// genus.
func compareRests(a, b []byte, limit int, genus float64) (edits int, cost float64, ok bool) {
	cost = genus
	for len(a) > 0 && len(b) > 0 {
		x, y, restA, restB := nextWords(a, b)
		allowed := min(limit, allowedInPair(len(x), len(y)))
		d := editdistance.WithBlocks(x, y, allowed)
		if d > allowed && len(x) >= 6 && swapped(x, y) {
			d = min(2, limit) // two letters are exchanged: ridiga, rigida
		} else if d > allowed {
			return 0, 0, false
		}
		edits += d
		cost += float64(d)
		if d > 0 && x[0] != y[0] {
			cost += firstLetter
		}
		a, b = restA, restB
	}
	return edits, cost, len(a) == 0 && len(b) == 0 && edits <= limit
}

// swapped reports whether exchanging two letters of x gives y.
func swapped(x, y []byte) bool {
	if len(x) != len(y) {
		return false
	}
	var at [2]int
	n := 0
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if n == 2 {
			return false
		}
		at[n] = i
		n++
	}
	return n == 2 && x[at[0]] == y[at[1]] && x[at[1]] == y[at[0]]
}

// sameEpithet appends names that have the same epithets, apart from orthography, in genera with a
// similar spelling.
func (f *finder) sameEpithet(near []nearKey, genus, rest []byte) []nearKey {
	limit := 3
	switch {
	case len(genus) < 4 || len(genus) < shortWord && len(rest) < 7:
		return near
	case len(genus) < shortWord:
		limit = 1
	case len(genus) < 8:
		limit = 2
	}
	f.buf.ortho = spelling.AppendOrthoRest(f.buf.ortho[:0], rest)
	for n := range f.Values(file.ByRestOrtho, f.buf.ortho) {
		other := f.Genus(f.GenusOf(n))
		d := editdistance.WithBlocks(genus, other, limit)
		if d > limit || d == 0 {
			continue
		}
		if len(genus) < shortWord {
			d = 2 // an edit in a short genus counts as two edits: Rose soulieana
		}
		if e := editdistance.WithBlocks(rest, f.Rest(n), 3); d+e <= maxEdits {
			near = append(near, nearKey{key: n, edits: d + e, genusEdits: d, cost: float64(d+e) + genusEdit})
		}
	}
	return near
}

// nextWords splits two keys after their first words. It returns the first words and the rests.
func nextWords(a, b []byte) (x, y, restA, restB []byte) {
	i, j := spelling.WordEnd(a), spelling.WordEnd(b)
	return a[:i], b[:j], a[min(i+1, len(a)):], b[min(j+1, len(b)):]
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
