package ranks_test

import (
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
}
