package names

// orthoFlags says in what two keys with one orthographic key differ: in the
// genus, in the endings of epithets, or in other letters.
func orthoFlags(a, b []byte) flagSet {
	var f flagSet
	for first := true; len(a) > 0 && len(b) > 0; first = false {
		i, j := wordEnd(a), wordEnd(b)
		x, y := a[:i], b[:j]
		if string(x) != string(y) {
			switch {
			case first:
				f |= fGenusCorrected | fOrthography
			case commonPrefix(x, y) >= min(len(x), len(y))-3 && string(appendSound(nil, x)) != string(appendSound(nil, y)):
				f |= fGenderEnding
			default:
				f |= fOrthography
			}
		}
		a, b = a[min(i+1, len(a)):], b[min(j+1, len(b)):]
	}
	return f
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
