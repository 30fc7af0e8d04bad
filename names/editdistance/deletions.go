package editdistance

// Deletions calls f with w and with every form of w that lacks one or two of its letters. These
// forms are the deletion neighbourhood of [SymSpell]. Deletions may call f twice with the same
// form. f must not keep its argument.
//
// If the edit distance of two words is at most 2, they have such a form in common. A table of the
// forms therefore finds near words without comparing all words. In words of fewer than four
// letters, no letter is left out; in words of fewer than seven letters, only one. More edits of
// short words would find too many words.
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
			continue // of equal neighbouring letters, leave out only one, because each gives the same form
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
