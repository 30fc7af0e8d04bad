package spelling

import "bytes"

// oppositeParts are parts of epithets that are as near in letters as they are
// far in meaning: where two names differ just so, both are meant.
var oppositeParts = [...][2]string{
	{"macr", "micr"}, {"flor", "foli"}, {"flor", "flav"}, {"hyper", "hypo"}, {"lati", "alti"}, {"uni", "tri"}, {"uni", "bi"}, {"bi", "tri"}, {"di", "tri"}, {"mono", "homo"},
}

// Opposites says whether two epithets differ in nothing but such parts, or in
// the prefix that denies: marginata and emarginata.
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
	// The first letters that differ stand in the parts.
	i := CommonPrefix(a, b)
	for _, p := range oppositeParts {
		if replaces(a, b, i, p[0], p[1]) || replaces(a, b, i, p[1], p[0]) {
			return true
		}
	}
	return false
}

// replaces says whether b is a with a part from that letter at stands in
// replaced by to.
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

// FlowerLeaf says whether two epithets differ in nothing but flor for foli,
// which even their author exchanges.
func FlowerLeaf(a, b []byte) bool {
	i := CommonPrefix(a, b)
	return replaces(a, b, i, "flor", "foli") || replaces(a, b, i, "foli", "flor")
}

// ofPerson are endings by which an epithet is formed from a person's name, the
// longest first.
var ofPerson = [...]string{"ianus", "iana", "ianum", "anus", "ana", "anum", "iorum", "iarum", "orum", "iae", "eae", "ae", "ii", "ei", "i"}

// Person returns what an epithet has before the ending that it was formed from
// a person's name by, davidi- of davidii and davidianus; all of it if it is too
// short.
func Person(w []byte) []byte {
	for _, end := range ofPerson {
		if stem, ok := bytes.CutSuffix(w, []byte(end)); ok && len(stem) >= 4 {
			return stem
		}
	}
	return w
}

// CommonPrefix returns how many letters two words begin with in common.
func CommonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
