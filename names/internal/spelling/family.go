package spelling

import "strings"

// oldFamilies maps the eight family names that do not end in -aceae (ICN Art. 18.5) to their
// alternative names.
var oldFamilies = map[string]string{
	"compositae": "asteraceae", "cruciferae": "brassicaceae", "gramineae": "poaceae", "guttiferae": "clusiaceae",
	"labiatae": "lamiaceae", "leguminosae": "fabaceae", "palmae": "arecaceae", "umbelliferae": "apiaceae",
}

// IsFamily reports whether w is the name of a family.
func IsFamily(w string) bool {
	// Check the ending first. Few words end like a family, so most words need not be folded.
	if n := len(w); n < 6 || w[n-2]|0x20 != 'a' || w[n-1]|0x20 != 'e' {
		return false
	}
	l := strings.ToLower(w)
	return len(l) > 6 && strings.HasSuffix(l, "aceae") || oldFamilies[l] != ""
}

// FoldFamily returns the folded name of a family. For the eight names in oldFamilies, it returns
// the alternative name.
func FoldFamily(w string) string {
	l := strings.ToLower(strings.TrimSpace(w))
	if f, ok := oldFamilies[l]; ok {
		return f
	}
	return l
}
