package ranks_test

import (
	"strings"
	"testing"

	"bencao/names/ranks"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		word, mark, full string
		usual            bool
	}{
		{"subsp", "subsp.", "subspecies", true},
		{"ssp.", "subsp.", "subspecies", false}, // the word without its full stop is a usual one
		{"varietas", "var.", "variety", false},
		{"forma", "f.", "form", true},
		{"nothof", "nothof.", "nothoform", false},
		{"convar", "convar.", "convariety", true},
		{"proles", "prol.", "", false},
		{"sp.", "", "species", false},
		{"nothosp", "", "nothospecies", false},
		{"ginseng", "", "", false},
		{"", "", "", false},
	} {
		mark, marks := ranks.Mark(tt.word)
		full, known := ranks.Full(tt.word)
		if mark != tt.mark || marks != (tt.mark != "") || full != tt.full || known != (tt.full != "") || ranks.Usual(tt.word) != tt.usual {
			t.Errorf("%q: mark %q %v, in full %q %v, usual %v; want %q, %q, %v", tt.word, mark, marks, full, known, ranks.Usual(tt.word), tt.mark, tt.full, tt.usual)
		}
	}
	for full, mark := range map[string]string{"subspecies": "subsp.", "form": "f.", "species": "", "ssp": "", "": ""} {
		if got := ranks.MarkOf(full); got != mark {
			t.Errorf("the mark of %q is %q, want %q", full, got, mark)
		}
	}
	// The ranks below species of the Code of nomenclature (Art. 4), of cultivated plants (convar.) and of WCVP,
	// with their words in use.
	for mark, words := range map[string]string{
		"subsp.": "subsp ssp subspecies", "var.": "var v variety varietas", "f.": "f fo fm fma form forma",
		"subvar.": "subvar subvariety subvarietas", "subf.": "subf subform subforma",
		"nothosubsp.": "nothosubsp nothossp nothosubspecies nsubsp", "nothovar.": "nothovar nothovarietas nvar", "nothof.": "nothof nothoforma",
		"convar.": "convar", "prol.": "prol proles", "lusus": "lusus lus", "monstr.": "monstr", "ab.": "ab", "race": "race", "stirps": "stirps st", "morpha": "morpha morph", "grex": "gr",
	} {
		for _, word := range strings.Fields(words) {
			if got, _ := ranks.Mark(word); got != mark {
				t.Errorf("Mark(%q) = %q, want %q", word, got, mark)
			}
		}
	}
	for full, words := range map[string]string{
		"species": "sp spec", "nothospecies": "nothosp", "cultivar": "cv", "series": "ser", "section": "sect", "subgenus": "subg", "genus": "gen", "family": "fam",
	} {
		for _, word := range strings.Fields(words) {
			if got, _ := ranks.Full(word); got != full {
				t.Errorf("Full(%q) = %q, want %q", word, got, full)
			}
		}
	}
}
