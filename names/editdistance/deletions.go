package editdistance

// Deletions calls f with w and every form of it with one or two letters left
// out, some of them twice: the deletion neighbourhood of [SymSpell]. Two words
// within two edits share such a form, so that a table of them finds the near
// words without comparing all. f must not keep its argument. Short words keep
// their letters, for nothing within two edits of them means anything: below
// four letters all, below seven all but one.
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
