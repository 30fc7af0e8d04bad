package names

// Misspelt genera are found by leaving letters out: two words within two
// edits share a form with as many letters left out.

// deletions calls f with w and every form of it with one or two letters left
// out, some of them twice. f must not keep its argument. Short words keep
// their letters: nothing within two edits of them means anything.
func deletions(w []byte, f func(less []byte)) {
	f(w)
	if len(w) < 4 || len(w) > maxWord {
		return
	}
	var one, two [maxWord]byte
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
