package rows_test

import (
	"testing"

	"bencao/internal/rows"
)

// TestSeparator checks that commas in labels do not make a table with tabs one with commas, nor stray
// tabs the reverse.
func TestSeparator(t *testing.T) {
	for _, tt := range []struct{ header, below, want string }{
		{"Name,Family", "Panax ginseng,Araliaceae", ","},
		{"Name;Family, order", "Panax ginseng;Araliaceae, Apiales", ","},
		{"Name|Family", "Panax ginseng|Araliaceae", "|"},
		{"Name\tFamily", "Panax ginseng\tAraliaceae", "\t"},
		{"Latin name, family\tPart, use, source", "Panax ginseng\troot", "\t"},
		{"\tLatin name, family\tPart, use, source", "1\tPanax ginseng\troot", "\t"},
		{"Latin name, family\t\tPart, use, source\t", "Panax ginseng\t\troot\t", "\t"},
		{"Name\t", "Panax ginseng\t", "\t"},
		{"Name,Family\t\t\t\r", "Panax ginseng,Araliaceae", ","},
		{"Name,Family\t", "Panax ginseng,Araliaceae\t", ","},
		{"Name,\tFamily", "Panax ginseng,\tAraliaceae", ","},
		{"Name ;\tFamily", "Panax ginseng;Araliaceae", ";"},
		{"Name\t,Family", "Panax ginseng,Araliaceae", ","},
		{"Latin\tname,Family,Author", "Panax ginseng,Araliaceae,C.A.Mey.", ","},
		{"Name,\tFamily\tPart", "Panax ginseng\tAraliaceae\troot", "\t"},
	} {
		if got := rows.Separator([]byte(tt.header), []byte(tt.below)); got != tt.want {
			t.Errorf("%q over %q: separator %q, want %q", tt.header, tt.below, got, tt.want)
		}
	}
}
