package author

import (
	"slices"
	"strings"
)

// initialPairs lists pairs of initials that Wade-Giles and pinyin write differently: Ch'eng is
// Cheng or Zheng, Hsi is Xi, Kuo is Guo, Tung is Dong.
const initialPairs = "cz cj cq ct tz td pb kg kj kq hx sx jr iy ow"

// agreeChinese compares two persons with Chinese surnames. A given name of two syllables has two
// initials, which citations never omit or reverse. The initials must therefore be equal. If the
// surnames differ in their romanisation, the initials may differ in the same way.
func (p *person) agreeChinese(q *person, surnamesP, surnamesQ []string) int {
	spelt := p.surname() == q.surname()
	if !spelt && !slices.ContainsFunc(surnamesP, func(s string) bool { return slices.Contains(surnamesQ, s) }) {
		return differ
	}
	a, b := p.initials, q.initials
	switch {
	case len(p.names) > 1 || len(q.names) > 1: // some given name is written in full
		return min(alike, agreeInitials(p.allInitials(), q.allInitials()))
	case a == b && spelt:
		return same
	case a == "" || b == "":
		return alike
	case a == b:
		return same
	case spelt || len(a) != len(b):
		return differ
	}
	for i := range len(a) {
		if a[i] != b[i] && !strings.Contains(initialPairs, a[i:i+1]+b[i:i+1]) && !strings.Contains(initialPairs, b[i:i+1]+a[i:i+1]) {
			return differ
		}
	}
	return same
}

func (p *person) surname() string { return p.names[len(p.names)-1] }
