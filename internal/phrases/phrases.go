// Package phrases reads what the program says in another language, and
// translates by it: texts by their English, and messages that were made from
// formats, whose values it takes over.
package phrases

import (
	"fmt"
	"strings"
)

// Catalogue gives, by a text in English, the same in another language.
type Catalogue map[string]string

// Read reads a catalogue: a line of English, then the same in the language,
// indented by a tab. Empty lines and those that begin with # are for people. An
// error names the file and the line.
func Read(name string, text []byte) (Catalogue, error) {
	c := Catalogue{}
	english := ""
	for i, line := range strings.Split(string(text), "\n") {
		said, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !indented && english != "" || indented && (english == "" || c[english] != ""):
			return nil, fmt.Errorf("%s:%d: write a line of English once, and below it one that is indented", name, i+1)
		case indented:
			c[english], english = said, ""
		default:
			english = line
		}
	}
	if english != "" {
		return nil, fmt.Errorf("%s: %q has no line below it", name, english)
	}
	return c, nil
}

// OneLine makes a line of a text that was broken into several for its source,
// which is how a catalogue has it.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
