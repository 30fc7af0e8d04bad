package match

import (
	"regexp"
	"strings"
	"testing"
)

// TestGenera checks that the list of genera that are no vascular plants has genera only, no families
// of birds, and each under one heading.
func TestGenera(t *testing.T) {
	genus := regexp.MustCompile(`^[A-Z][a-zëïöü-]+$`)
	headings := map[string]string{}
	heading := ""
	for line := range strings.Lines(generaText) {
		if strings.HasPrefix(line, "#") {
			heading = line
			continue
		}
		for g := range strings.FieldsSeq(line) {
			if !genus.MatchString(g) || strings.HasSuffix(g, "idae") {
				t.Errorf("%s is no genus", g)
			}
			if before, twice := headings[g]; twice {
				t.Errorf("%s stands under %s and %s", g, strings.TrimSpace(before), strings.TrimSpace(heading))
			}
			headings[g] = heading
		}
	}
}
