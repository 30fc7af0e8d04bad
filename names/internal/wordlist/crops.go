package wordlist

import (
	_ "embed" // the crops
	"strings"
)

//go:embed crops.txt
var cropsText string

// crops maps the common names of crops to the names that floras use.
var crops = func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(cropsText) {
		flora, everyday, ok := strings.Cut(line, "=")
		if !ok || line[0] == '#' {
			continue
		}
		for name := range strings.SplitSeq(everyday, ",") {
			name = strings.TrimSpace(name)
			m[name] = append(m[name], strings.TrimSpace(flora))
		}
	}
	return m
}()

// Crop returns the names that floras use for a crop. name is its common name in simplified
// characters.
func Crop(name string) []string { return crops[name] }
