package spelling

import "bytes"

// placeStem returns an epithet without the ending of those that are formed from the names of places,
// and without hyphens. It returns "" if the epithet has no such ending.
func placeStem(w []byte) string {
	for _, end := range []string{"iensis", "iense", "ensis", "ense"} {
		if stem, ok := bytes.CutSuffix(w, []byte(end)); ok {
			return string(bytes.ReplaceAll(stem, []byte("-"), nil))
		}
	}
	return ""
}

// OtherPlace reports whether two epithets are formed from the names of places that differ: plattensis,
// platensis.
func OtherPlace(x, y []byte) bool {
	a, b := placeStem(x), placeStem(y)
	other := a != b && a != "" && b != ""
	if other {
		OtherSpellings(x, func(spelling []byte, place bool) { other = other && !(place && bytes.Equal(spelling, y)) })
	}
	return other
}

// OtherNamesake reports whether two epithets are formed from the names of persons or places and
// differ in one consonant that is seldom read or heard as the other: virgiliana, virginiana. They are
// then probably two words.
func OtherNamesake(x, y []byte) bool {
	i := CommonPrefix(x, y)
	if len(x) != len(y) || i == len(x) || string(x[i+1:]) != string(y[i+1:]) || isVowel(x[i]) || isVowel(y[i]) {
		return false
	}
	stem := len(Person(y))
	if place := placeStem(y); place != "" {
		stem = len(place)
	}
	if i >= stem || stem == len(y) {
		return false
	}
	for _, alike := range []string{"bp", "bv", "ckgq", "cszx", "dt", "fv", "hk", "hn", "il", "jg", "lr", "mn", "nr", "nu", "vw", "pf"} {
		if bytes.IndexByte([]byte(alike), x[i]) >= 0 && bytes.IndexByte([]byte(alike), y[i]) >= 0 {
			return false
		}
	}
	return true
}

// OtherSex reports whether one of two epithets honours a man and the other a woman: curtisii,
// curtisiae.
func OtherSex(x, y []byte) bool {
	woman := func(w []byte) bool { return bytes.HasSuffix(w, []byte("ae")) }
	man := func(w []byte) bool { return bytes.HasSuffix(w, []byte("i")) && !bytes.HasSuffix(w, []byte("ai")) }
	return woman(x) && man(y) || man(x) && woman(y)
}

// OtherNumber reports whether one of two epithets honours a person and the other several: hartmanii,
// hartmanniorum.
func OtherNumber(x, y []byte) bool {
	several := func(w []byte) bool { return bytes.HasSuffix(w, []byte("orum")) || bytes.HasSuffix(w, []byte("arum")) }
	return several(x) != several(y) && IsGenitive(x) && IsGenitive(y)
}

// LeafOrLove reports whether one of two epithets has -phyll-, of leaves, where the other has -phil-, of
// loving: chrysophylla, chrysophila. macrophilla is neither.
func LeafOrLove(x, y []byte) bool {
	loves := func(w []byte) bool {
		return bytes.Contains(w, []byte("phil")) && !bytes.Contains(w, []byte("phill"))
	}
	leaf := func(w []byte) bool { return bytes.Contains(w, []byte("phyll")) }
	return loves(x) && leaf(y) || leaf(x) && loves(y)
}

// IsGreek reports whether an epithet has a Greek ending: micranthos, chlorops.
func IsGreek(w []byte) bool {
	return bytes.HasSuffix(w, []byte("os")) || bytes.HasSuffix(w, []byte("ops"))
}

// IsGenitive reports whether an epithet has the ending of a genitive, which is how most epithets
// are formed from the names of persons: davidii, gracilium. Such an ending is no gender ending.
func IsGenitive(w []byte) bool {
	for _, e := range []string{"orum", "arum", "ae", "i"} {
		if bytes.HasSuffix(w, []byte(e)) {
			var buf [64]byte
			return len(e) < 4 || !isAdjective(AppendSound(buf[:0], w))
		}
	}
	return false
}

// Gender is a set of grammatical genders.
type Gender uint8

const (
	masculine Gender = 1 << iota
	feminine
	neuter
)

// GenderOf returns the genders that an adjective with the ending of w has. It returns 0 if the
// ending tells no gender.
func GenderOf(w []byte) Gender {
	if IsGenitive(w) {
		return 0
	}
	for _, row := range []struct {
		ending string
		gender Gender
	}{
		{"us", masculine}, {"er", masculine}, {"um", neuter}, {"is", masculine | feminine}, {"e", neuter}, {"a", feminine},
	} {
		if bytes.HasSuffix(w, []byte(row.ending)) {
			return row.gender
		}
	}
	return 0
}
