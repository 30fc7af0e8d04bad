package spelling

import "strings"

// ranks maps the ways to write an infraspecific rank to the one that a
// canonical name has.
var ranks = map[string]string{
	"subsp": "subsp.", "ssp": "subsp.", "subspec": "subsp.", "subspecies": "subsp.", "sbsp": "subsp.", "susbp": "subsp.", "subssp": "subsp.",
	"var": "var.", "variety": "var.", "varietas": "var.", "v": "var.", "vars": "var.", "varr": "var.",
	"f": "f.", "fo": "f.", "form": "f.", "forma": "f.", "fm": "f.", "fma": "f.",
	"subvar": "subvar.", "subvariety": "subvar.", "subvarietas": "subvar.", "sv": "subvar.", "sbv": "subvar.",
	"subf": "subf.", "subform": "subf.", "subforma": "subf.", "sf": "subf.",
	"nothosubsp": "nothosubsp.", "nothossp": "nothosubsp.", "notosubsp": "nothosubsp.", "nssp": "nothosubsp.", "nsubsp": "nothosubsp.", "nothosubspecies": "nothosubsp.",
	"nothovar": "nothovar.", "nothovarietas": "nothovar.", "nvar": "nothovar.", "nothof": "nothof.", "nothof.": "nothof.", "nothoforma": "nothof.", "nothosp": "", "nothospecies": "",
	"convar": "convar.", "prol": "prol.", "proles": "prol.", "lusus": "lusus", "lus": "lusus", "monstr": "monstr.", "mut": "mut.", "ab": "ab.", "race": "race", "agamosp": "agamosp.",
	"st": "stirps", "nat": "natio", "natio": "natio", "morph": "morpha", "morpha": "morpha", "ecas": "ecas.", "gr": "grex",
	"subsubvar": "subsubvar.", "subsubf": "subsubf.", "microgene": "microgene", "stirps": "stirps", "modif": "modif.", "agamovar": "agamovar.", "nothomorph": "nothomorph.", "nm": "nothomorph.", "nothom": "nothomorph.",
}

// RankWord returns the canonical form of a rank word, with or without its
// full stop.
func RankWord(w string) (string, bool) {
	r, ok := ranks[strings.TrimSuffix(w, ".")]
	return r, ok && r != ""
}

// RankOf returns the last rank word of a canonical name, or "".
func RankOf(name string) string {
	if strings.Count(name, " ") < 3 {
		return "" // almost all names
	}
	last := ""
	for i, rest := 0, name; rest != ""; i++ {
		var w string
		w, rest = NextWord(rest)
		if i < 2 {
			continue
		}
		if r, ok := RankWord(w); ok {
			last = r
		}
	}
	return last
}

// PlainRank takes notho- off a rank word.
func PlainRank(rank string) string { return strings.TrimPrefix(rank, "notho") }
