package editdistance

// Deletions calls f with w and with every form of w without one or two of its letters, some of them
// twice: the deletion neighbourhood of [SymSpell]. Two words within two edits share such a form, so
// a table of these forms finds near words without comparing all. f must not keep its argument.
// Words of fewer than four letters lose none, and words of fewer than seven lose only one, because
// edits of short words find too much.
//
// [SymSpell]: https://github.com/wolfgarbe/SymSpell
func Deletions(w []byte, f func(less []byte)) {
	f(w)
	if len(w) < 4 || len(w) > MaxWord {
		return
	}
	var one, two [MaxWord]byte
	for i := range w {
		if i > 0 && w[i] == w[i-1] {
			continue // the same form as before
		}
		s := append(append(one[:0], w[:i]...), w[i+1:]...)
		f(s)
		if len(w) < 7 {
			continue
		}
		for j := i; j < len(s); j++ {
			if j > i && s[j] == s[j-1] {
				continue
			}
			f(append(append(two[:0], s[:j]...), s[j+1:]...))
		}
	}
}
