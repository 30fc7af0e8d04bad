package spelling

import "strings"

// oldFamilies are the eight families that do not end in -aceae (ICN
// Art. 18.5), each with its other name.
var oldFamilies = map[string]string{
	"compositae": "asteraceae", "cruciferae": "brassicaceae", "gramineae": "poaceae", "guttiferae": "clusiaceae",
	"labiatae": "lamiaceae", "leguminosae": "fabaceae", "palmae": "arecaceae", "umbelliferae": "apiaceae",
}

// IsFamily says whether w is a family's name.
func IsFamily(w string) bool {
	// Few words end as all families do; the others need not be folded.
	if n := len(w); n < 6 || w[n-2]|0x20 != 'a' || w[n-1]|0x20 != 'e' {
		return false
	}
	l := strings.ToLower(w)
	return len(l) > 7 && strings.HasSuffix(l, "aceae") || oldFamilies[l] != ""
}

// FoldFamily brings a family's name to one form.
func FoldFamily(w string) string {
	l := strings.ToLower(strings.TrimSpace(w))
	if f, ok := oldFamilies[l]; ok {
		return f
	}
	return l
}
