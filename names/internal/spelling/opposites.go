package spelling

import "bytes"

// oppositeParts lists pairs of parts of epithets that have similar letters and opposite or
// different meanings. Two names that differ only in such a pair are different names, not two
// spellings of one name.
var oppositeParts = [...][2]string{
	{"macr", "micr"}, {"macr", "acr"}, {"flor", "foli"}, {"flor", "flav"}, {"hyper", "hypo"}, {"lati", "alti"}, {"uni", "tri"}, {"uni", "bi"}, {"bi", "tri"}, {"di", "tri"}, {"mono", "homo"},
}

// Opposites reports whether two epithets differ only in a pair of oppositeParts or in a negating
// prefix: marginata and emarginata.
func Opposites(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) > 4 && len(a) < len(b) && bytes.HasSuffix(b, a) {
		switch string(b[:len(b)-len(a)]) {
		case "e", "a", "in", "im", "ex":
			return true
		}
	}
	// Find the part that contains the first difference.
	i := CommonPrefix(a, b)
	for _, p := range oppositeParts {
		if replaces(a, b, i, p[0], p[1]) || replaces(a, b, i, p[1], p[0]) {
			return true
		}
	}
	return false
}

// replaces reports whether a becomes b if the letters in from are replaced by the letters in to at
// one place. The replaced part must contain the position at.
func replaces(a, b []byte, at int, from, to string) bool {
	if len(a)-len(from) != len(b)-len(to) {
		return false
	}
	for i := max(0, at-len(from)+1); i <= at && i+len(from) <= len(a) && i+len(to) <= len(b); i++ {
		if string(a[i:i+len(from)]) == from && string(b[i:i+len(to)]) == to && string(a[i+len(from):]) == string(b[i+len(to):]) {
			return true
		}
	}
	return false
}

// FlowerLeaf reports whether two epithets differ only in flor for foli. Even the authors of names
// confuse these two.
func FlowerLeaf(a, b []byte) bool {
	i := CommonPrefix(a, b)
	return replaces(a, b, i, "flor", "foli") || replaces(a, b, i, "foli", "flor")
}

// OtherVowel reports whether two epithets differ in one letter that is u in one and v in the other,
// between two vowels. There u is a vowel of the stem: jauanum is of Jaú, javanum of Java.
func OtherVowel(a, b []byte) bool {
	i := CommonPrefix(a, b)
	if len(a) != len(b) || i == 0 || i+1 >= len(a) || string(a[i+1:]) != string(b[i+1:]) || !isVowel(a[i-1]) || !isVowel(a[i+1]) {
		return false
	}
	return a[i] == 'u' && b[i] == 'v' || a[i] == 'v' && b[i] == 'u'
}

// ofPerson lists the endings of epithets that are formed from the names of persons. A longer ending
// comes before the shorter endings with which it ends.
var ofPerson = [...]string{"ianus", "iana", "ianum", "anus", "ana", "anum", "iorum", "iarum", "orum", "iae", "eae", "ae", "ii", "ei", "i"}

// Person returns an epithet without its ending if the ending is one of ofPerson: david for davidii
// and davidianus. It returns the whole epithet if too few letters would remain.
func Person(w []byte) []byte {
	for _, end := range ofPerson {
		if stem, ok := bytes.CutSuffix(w, []byte(end)); ok && len(stem) >= 4 {
			return stem
		}
	}
	return w
}

// CommonPrefix returns the length of the common prefix of two words.
func CommonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
