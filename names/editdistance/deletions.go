package editdistance

// Deletions calls f with w and with every form of w that lacks one or two of its letters: the
// deletion neighbourhood of [SymSpell]. It may call f twice with the same form. f must not keep its
// argument.
//
// Two words within two edits share such a form, so a table of these forms finds near words without
// comparing all words. Words of fewer than four letters lose no letter, and words of fewer than
// seven letters lose only one, because edits of short words find too many words.
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
