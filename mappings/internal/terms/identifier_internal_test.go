package terms

import "testing"

// TestPlainDOI checks that the fast path for plain DOIs gives the same result as the general path.
func TestPlainDOI(t *testing.T) {
	for s, plain := range map[string]bool{
		"10.1038/NM.2471": true, "10.123/a": true, "10.123456789/a_b-c/d": true,
		"10.12/a": false, "10.1234567890/a": false, "10.1038/": false, "10.1038": false, "10.1038/a.": false, "10.1038/a b": false,
		"10.1038/a%2Fb": false, "10.1038/(a)b": true, "10.1038/(a)": false, "10.1002/a<1:b>2.0;c": true, "10.1038/a\tb": false, "10.1038/a–b": false, "11.1038/a": false, "doi:10.1038/a": false, "10.1a8/a": false, "": false,
	} {
		if got := isPlainDOI(s); got != plain {
			t.Errorf("%q is a plain DOI: %v, want %v", s, got, plain)
		}
	}
}

// FuzzPlainDOI compares the fast path for plain DOIs with the general path.
func FuzzPlainDOI(f *testing.F) {
	for _, s := range []string{"10.1038/NM.2471", "10.1/a", "10.1016/S0140-6736(05)66912-1", "10.1038/a–b", "10.1002/a.pdf", "10.1038//-_."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if want := foundDOI(s); isPlainDOI(s) && DOIKey(s) != want {
			t.Errorf("%q is the DOI %q, want %q", s, DOIKey(s), want)
		}
	})
}
