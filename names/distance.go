package names

// maxWord is the longest word whose distance is computed; botanical words
// have up to about 40 letters.
const maxWord = 96

// Distance returns the number of edits that turn a into b: a letter put in,
// left out, changed, two neighbours exchanged, or two neighbouring blocks of
// two letters exchanged, which counts 2 (serrulatus, serratulus). It returns
// limit+1 as soon as it is clear that the distance is larger.
func Distance(a, b string, limit int) int {
	return distance([]rune(a), []rune(b), limit)
}

// distance works on bytes of folded keys and on runes of other text.
func distance[T byte | rune](a, b []T, limit int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > limit || len(b) > maxWord {
		return limit + 1
	}
	if len(a) == 0 {
		return len(b)
	}
	if limit == 0 {
		return 1
	}
	// The last five rows suffice: a block of two letters looks back four.
	var rows [5][maxWord + 1]uint8
	for j := range b {
		rows[0][j+1] = uint8(j + 1)
	}
	for i := 1; i <= len(a); i++ {
		row, up := &rows[i%5], &rows[(i+4)%5]
		row[0] = uint8(i)
		best := row[0]
		// Only the diagonal band within limit can matter.
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
			if i > 3 && j > 3 && a[i-1] == b[j-3] && a[i-2] == b[j-4] && a[i-3] == b[j-1] && a[i-4] == b[j-2] {
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
	if d := int(rows[len(a)%5][len(b)]); d <= limit {
		return d
	}
	return limit + 1
}
