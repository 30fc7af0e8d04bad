package wordlist_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"bencao/names/han"
	"bencao/names/herb"
)

// TestCropsOfSeveralPlants checks that a name of a crop that drugs have, too, has a line in crops.txt
// for the plant of each of these drugs.
func TestCropsOfSeveralPlants(t *testing.T) {
	text, err := os.ReadFile("crops.txt")
	if err != nil {
		t.Fatal(err)
	}
	floras := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		flora, everyday, ok := strings.Cut(line, "=")
		if !ok || line[0] == '#' {
			continue
		}
		for name := range strings.SplitSeq(everyday, ",") {
			floras[strings.TrimSpace(name)] = append(floras[strings.TrimSpace(name)], strings.TrimSpace(flora))
		}
	}
	delete(floras, "开心果") // pistachios for everybody; only dictionaries of folk names have it for 娑罗子
	for name, plants := range floras {
		for _, d := range herb.All() {
			names := []string{d.Name}
			called := false
			for _, a := range d.Aliases {
				names = append(names, a.Name)
				called = called || han.Fold(a.Name) == han.Fold(name) && !a.Unsure
			}
			if called && !slices.ContainsFunc(plants, func(p string) bool { return slices.Contains(names, p) }) {
				t.Errorf("%s = %v, but %s has this name, too", name, plants, d.Name)
			}
		}
	}
}
