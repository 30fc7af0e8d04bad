package spelling

// AppendOrtho appends the orthographic key of a key. Two names with the same orthographic key
// differ only in letters that are often confused: double letters, i/y/j, v/u/w, c/k/ck, ph/f, th/t,
// rh/r, ae/oe/e, hyphens, and the endings for gender, number and genitive.
func AppendOrtho(dst []byte, key []byte) []byte {
	first := true
	for len(key) > 0 {
		n := 0
		for n < len(key) && key[n] != ' ' {
			n++
		}
		if !first {
			dst = append(dst, ' ')
		}
		dst = AppendOrthoWord(dst, key[:n], first)
		first = false
		key = key[min(n+1, len(key)):]
	}
	return dst
}

// AppendOrthoWord appends the orthographic key of one word. genus is true if the word is a genus,
// whose endings differ from those of epithets.
func AppendOrthoWord(dst, w []byte, genus bool) []byte {
	start := len(dst)
	dst = AppendSound(dst, w)
	if genus {
		return trimGenusEnding(dst, start)
	}
	return trimEpithetEnding(dst, start)
}

// AppendSound appends w with all letters of the same sound replaced by one of them. It does not
// change the ending of the word.
func AppendSound(dst, w []byte) []byte {
	start := len(dst)
	add := func(c byte) {
		if len(dst) == start || dst[len(dst)-1] != c {
			dst = append(dst, c)
		}
	}
	at := func(i int) byte {
		if i < len(w) {
			return w[i]
		}
		return 0
	}
	for i := 0; i < len(w); i++ {
		switch c := w[i]; c {
		case '-', '\'', '.':
		case 'a', 'o':
			switch {
			case at(i+1) != 'e':
				add(c)
			case c == 'a' && compounds(w[i+2:]):
				// -ae- before a second stem should be -i- (ICN Art. 60.10).
				add('i')
				i++
			default:
				add('e')
				i++
			}
		case 'y', 'j':
			add('i')
		case 'v', 'w':
			add('u')
		case 'k', 'q':
			add('c')
		case 'c':
			add('c')
			if at(i+1) == 'k' {
				i++
			}
		case 'p':
			if at(i+1) == 'h' {
				add('f')
				i++
			} else {
				add('p')
			}
		case 'h':
			// An h is mute after a consonant.
			if i == 0 || isVowel(w[i-1]) {
				add('h')
			}
		default:
			add(c)
		}
	}
	return dst
}

func isVowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

// compounds reports whether w starts with a word stem that is the second part of compounds.
func compounds(w []byte) bool {
	for _, stem := range []string{"carp", "foli", "flor", "form", "phyll", "oid", "col"} {
		if len(w) > len(stem) && string(w[:len(stem)]) == stem {
			return true
		}
	}
	return false
}

// trimEpithetEnding removes the ending of gender, number and case from the word dst[start:]. It
// leaves at least two letters.
func trimEpithetEnding(dst []byte, start int) []byte {
	w := dst[start:]
	cut := 0
	for _, e := range []string{"iorum", "iarum", "orum", "arum", "ius", "ium", "ior", "us", "um", "is", "os", "on", "ie", "ii", "ai", "a", "e", "i", "o"} {
		if len(w) >= len(e)+2 && string(w[len(w)-len(e):]) == e {
			cut = len(e)
			if (e == "orum" || e == "arum") && isAdjective(w) {
				cut = len("um")
			}
			if e == "ius" || e == "ium" || e == "ior" {
				cut = 2 // keep the i, which belongs to the stem
				if e == "ior" {
					cut = 0
				}
			}
			break
		}
	}
	w = w[:len(w)-cut]
	// The endings -er and -r become equal: ruber, rubra, rubrum.
	if n := len(w); n > 3 && w[n-1] == 'r' && w[n-2] == 'e' && !isVowel(w[n-3]) {
		w[n-2] = 'r'
		w = w[:n-1]
	}
	return dst[:start+len(w)]
}

// isAdjective reports whether w, which ends in -orum or -arum, is a neuter adjective rather than a
// genitive: grandiflorum, but not officinarum.
func isAdjective(w []byte) bool {
	for _, e := range []string{"florum", "forum", "odorum", "clorum", "sporum", "uorum", "amarum", "rarum", "clarum", "barbarum"} {
		if len(w) >= len(e) && string(w[len(w)-len(e):]) == e {
			return true
		}
	}
	return false
}

// trimGenusEnding replaces endings of genera that authors confuse by one ending. Agropyron and
// Agropyrum become equal, and so do names in -us and -os.
func trimGenusEnding(dst []byte, start int) []byte {
	w := dst[start:]
	if n := len(w); n > 4 {
		switch string(w[n-2:]) {
		case "us", "um", "on", "os":
			return append(dst[:start+n-2], 'u')
		}
	}
	return dst
}

// AppendOrthoRest works like AppendOrtho, for the part of a key after the genus.
func AppendOrthoRest(dst, rest []byte) []byte {
	for len(rest) > 0 {
		n := 0
		for n < len(rest) && rest[n] != ' ' {
			n++
		}
		dst = append(AppendOrthoWord(dst, rest[:n], false), ' ')
		rest = rest[min(n+1, len(rest)):]
	}
	return dst
}
