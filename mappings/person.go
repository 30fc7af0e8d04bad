package mappings

import (
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"strings"
	"sync"

	"bencao/names/han"
)

//go:embed othernames.txt
var otherNamesText string

// otherNames maps other titles of books and other names of physicians, such as courtesy names, to the
// titles, and to the names under which their books are listed. All are folded.
type otherNames struct{ books, persons map[string]string }

var readOtherNames = sync.OnceValue(func() otherNames {
	t := otherNames{map[string]string{}, map[string]string{}}
	var into map[string]string
	for line := range strings.Lines(otherNamesText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "## books":
			into = t.books
		case line == "## authors":
			into = t.persons
		case line == "" || strings.HasPrefix(line, "#"):
		default:
			cells := strings.Split(line, "|")
			if len(cells) != 3 {
				panic(fmt.Sprintf("mappings/othernames.txt: %q has not three fields", line)) // the file is embedded in the program, and a test reads it
			}
			for name := range strings.FieldsSeq(cells[0]) {
				into[han.Fold(name)] = han.Fold(strings.TrimSpace(cells[1]))
			}
		}
	}
	return t
})

// PersonKey returns the name under which a physician's books are listed: 李杲 for 东垣. The argument is
// a folded name. Unknown names are returned unchanged.
func PersonKey(name string) string {
	if full, ok := readOtherNames().persons[name]; ok {
		return full
	}
	return name
}

// TitleKey returns the title of a book: 备急千金要方 for 千金方. The argument is a folded title. Unknown
// titles are returned unchanged.
func TitleKey(title string) string {
	if full, ok := readOtherNames().books[title]; ok {
		return full
	}
	return title
}

// OtherPersonNames yields the other names of physicians with the names under which their books are
// listed.
func OtherPersonNames() iter.Seq2[string, string] { return maps.All(readOtherNames().persons) }

// OtherTitles yields other titles of books with their titles. Parts of titles are not among them.
func OtherTitles() iter.Seq2[string, string] { return maps.All(readOtherNames().books) }
