package names_test

import (
	"testing"

	"bencao/names"
)

func TestCompareAuthors(t *testing.T) {
	tests := []struct{ given, known, want string }{
		{"", "L.", names.AuthorNotGiven},
		{"L.", "", names.AuthorUnknown},
		{"L.", "L.", names.AuthorSame},
		{"Linnaeus", "L.", names.AuthorSame},
		{"Linn.", "L.", names.AuthorSame},
		{"L.", "L.f.", names.AuthorDiffers},
		{"Linnaeus filius", "L.f.", names.AuthorSame},
		{"L.", "Lam.", names.AuthorDiffers},
		{"C. A. Mey.", "C.A.Mey.", names.AuthorSame},
		{"Bge.", "Bunge", names.AuthorCompatible},
		{"DEBX.", "Debeaux", names.AuthorCompatible},
		{"(burk.) f.h. chen ex c.chow", "(Burkill) F.H.Chen", names.AuthorCompatible},
		{"(Juss.) Benth.", "(A.Juss.) Benth.", names.AuthorCompatible},
		{"Nevski", "(L.) Nevski", names.AuthorCompatible},
		{"(L.) Karimba", "(L.) Nevski", names.AuthorDiffers},
		{"Hort.", "Hort. ex S. H. Qiu & al.", names.AuthorCompatible},
		{"Kuntze", "Hayata ex Koidz.", names.AuthorDiffers},
		{"Rehder et E. H. Wilson", "Rehder & E.H.Wilson", names.AuthorSame},
		{"Rehd. et Wils.", "Rehder & E.H.Wilson", names.AuthorCompatible},
		{"Sieb. & Zucc.", "Siebold & Zucc.", names.AuthorCompatible},
		{"de Candolle", "DC.", names.AuthorSame},
		{"Müll.Arg.", "Muell.-Arg.", names.AuthorCompatible},
		{"Mull.Arg.", "Müll.Arg.", names.AuthorSame},
		{"H. Christ", "C. Chr.", names.AuthorDiffers},
		{"Brot. ex Willk. & Lange", "L.", names.AuthorDiffers},
		{"Hult. in J.J.Jones", "Hult.", names.AuthorSame},
		{"Fernald", "Fernald ex J.J.Jones", names.AuthorCompatible},
		{"(L.) W.H.Drury ex Maguire in J.J.Jones", "W.H.Drury", names.AuthorCompatible},
		{"L., 1753", "L.", names.AuthorSame},
		{"L. (1753)", "L.", names.AuthorSame},
		{"Pallas, 1771", "Pimbus, 1771", names.AuthorDiffers},
		{"(L., 1753) Nevski", "(L.) Nevski", names.AuthorSame},
	}
	for _, tt := range tests {
		if got := names.CompareAuthors(tt.given, tt.known); got != tt.want {
			t.Errorf("CompareAuthors(%q, %q) = %s, want %s", tt.given, tt.known, got, tt.want)
		}
	}
}
