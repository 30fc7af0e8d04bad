package build

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
)

// tidyName works like [spelling.Tidy]. It also removes punctuation at the end and separates hybrid
// signs.
func tidyName(s string) string {
	if strings.ContainsRune(s, spelling.HybridSign) {
		s = spelling.Tidy(strings.ReplaceAll(s, "×", " × "))
	}
	return strings.TrimRight(spelling.Latinise(spelling.Tidy(s)), " .,;")
}

// splitName separates a name from an author that follows it, since some checklists write the author
// in the column of the name. It returns the name and the author. If cited, the text of the author
// column, is not empty, it returns name and cited unchanged.
func splitName(name, cited string) (string, string) {
	if cited != "" || strings.Count(name, " ") < 2 || strings.ContainsAny(name, "'\"") {
		return name, cited
	}
	for i, words := 0, 0; i+1 < len(name); i++ {
		if name[i] != ' ' {
			continue
		}
		if words++; words < 2 {
			continue
		}
		if c := name[i+1]; (c >= 'A' && c <= 'Z' || c == '(') && author.IsCitation(name[i+1:]) && !strings.Contains(name[:i], ".") {
			return name[:i], name[i+1:]
		}
	}
	return name, cited
}

// CheckName returns an error if a name cannot be indexed. [ChecklistBuilder.Add] rejects the same
// names. A reader of checklists calls CheckName first, to add the line number to the error.
func CheckName(name string) error { return checkName(tidyName(name)) }

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("name is empty")
	case !utf8.ValidString(name):
		return fmt.Errorf("name %q is not valid UTF-8", name)
	case utf8.RuneCountInString(name) > answer.MaxNameLen:
		return fmt.Errorf("name %.40q… has more than %d characters", name, answer.MaxNameLen)
	}
	if key, _ := spelling.AppendKey(nil, name); len(key) == 0 {
		return fmt.Errorf("name %q has no letters", name)
	}
	return nil
}
