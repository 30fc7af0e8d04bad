// Package editdistance computes the edit distance of two words and helps to find near words.
//
//	Distance    insertions, deletions, substitutions, transpositions   ginesng → ginseng  1
//	WithBlocks  and transpositions of blocks of two letters, cost 2    serrulatus → serratulus  2
//	Mask        letters as bits: excludes most words without computing the distance
//	Deletions   the deletion neighbourhood, for an index of near words
//
// The package knows nothing of names: words are bytes or runes. Start with [Distance].
package editdistance

// MaxWord is the maximum length of a word, after the prefix and the suffix that both words share
// are removed. Longer words count as farther apart than any limit. Botanical words have at most
// about 40 letters.
const MaxWord = 96

// Distance returns the [optimal string alignment distance] of a and b (restricted
// Damerau–Levenshtein distance): the least number of edits that turn a into b. An edit inserts,
// deletes or replaces a letter, or transposes two neighbouring letters. If the distance exceeds
// limit, Distance stops early and returns limit+1.
//
// [optimal string alignment distance]: https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance#Optimal_string_alignment_distance
func Distance[T byte | rune](a, b []T, limit int) int { return align(a, b, limit, false) }

// WithBlocks is [Distance] with one more edit: the transposition of two neighbouring blocks of two
// letters, which costs 2. Such errors are frequent in long Latin words. The idea comes from
// [Taxamatch].
//
// [Taxamatch]: https://doi.org/10.1371/journal.pone.0107510
func WithBlocks[T byte | rune](a, b []T, limit int) int { return align(a, b, limit, true) }

// align fills the table of distances between all prefixes of a and b, row by row. It fills only the
// cells whose distance from the diagonal is at most limit ([Ukkonen's cut-off]).
//
// [Ukkonen's cut-off]: https://doi.org/10.1016/S0019-9958(85)80046-2
func align[T byte | rune](a, b []T, limit int, blocks bool) int {
	a, b = trimCommon(a, b)
	if len(a) > len(b) {
		a, b = b, a
	}
	switch {
	case len(b)-len(a) > limit || len(b) > MaxWord:
		return limit + 1
	case len(a) == 0:
		return len(b)
	case limit == 0:
		return 1
	}
	// The table needs only five rows at a time, because the transposition of blocks uses the row
	// four above.
	var rows [5][MaxWord + 1]uint8
	for j := range b {
		rows[0][j+1] = uint8(j + 1)
	}
	for i := 1; i <= len(a); i++ {
		row, up := &rows[i%5], &rows[(i+4)%5]
		row[0] = uint8(i)
		best := row[0]
		lo, hi := max(1, i-limit), min(len(b), i+limit)
		if lo > 1 {
			row[lo-1] = uint8(limit + 1)
		}
		for j := lo; j <= hi; j++ {
			d := up[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			if j < i+limit {
				d = min(d, up[j]+1)
			}
			d = min(d, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[(i+3)%5][j-2]+1)
			}
			if blocks && i > 3 && j > 3 && a[i-1] == b[j-3] && a[i-2] == b[j-4] && a[i-3] == b[j-1] && a[i-4] == b[j-2] {
				d = min(d, rows[(i+1)%5][j-4]+2)
			}
			row[j] = d
			best = min(best, d)
		}
		if hi < len(b) {
			row[hi+1] = uint8(limit + 1)
		}
		if int(best) > limit && i > 4 {
			return limit + 1
		}
	}
	return min(int(rows[len(a)%5][len(b)]), limit+1)
}

// trimCommon removes the common prefix and the common suffix, which do not change the distance.
func trimCommon[T byte | rune](a, b []T) ([]T, []T) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// Mask returns a bit for each letter that occurs in s. An edit changes at most two bits. If two
// masks differ in more than 2·d bits, the edit distance of the words is more than d.
func Mask(s []byte) uint32 {
	var m uint32
	for _, c := range s {
		m |= 1 << (c & 31)
	}
	return m
}
