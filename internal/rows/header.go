package rows

import (
	"strings"
	"unicode/utf8"

	"bencao/names/editdistance"
)

// Header knows in which cell a column stands.
type Header struct {
	// Labels are the columns' names as the file has them, trimmed.
	Labels []string
	// Names are the labels after renaming: what the program calls them.
	Names []string

	index map[string]int
}

// NewHeader reads a header row. Rename gives the program's name for a label of
// the file; letters' case and spaces at the ends don't matter in it. If two columns have one
// name, the first is taken.
func NewHeader(cells []string, rename map[string]string) Header {
	folded := make(map[string]string, len(rename))
	for label, name := range rename {
		folded[foldLabel(label)] = name
	}
	h := Header{index: map[string]int{}}
	for i, c := range cells {
		label := strings.TrimSpace(c)
		name := label
		if n, ok := folded[foldLabel(label)]; ok {
			name = n
		}
		h.Labels = append(h.Labels, label)
		h.Names = append(h.Names, name)
		if _, twice := h.index[name]; !twice && name != "" {
			h.index[name] = i
		}
	}
	return h
}

func foldLabel(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// Index is the cell in which a column stands, or -1.
func (h Header) Index(name string) int {
	if i, ok := h.index[name]; ok {
		return i
	}
	return -1
}

// Nearest returns the one among some names that want is most likely a misspelling
// of, or "" when none is near: letters' case, spaces, hyphens and underscores
// cost nothing, and a third of the letters may differ.
func Nearest(want string, among []string) string {
	best, least := "", 1+utf8.RuneCountInString(want)/3
	for _, n := range among {
		if d := editdistance.Distance(plain(want), plain(n), least-1); n != "" && d < least {
			best, least = n, d
		}
	}
	return best
}

func plain(s string) []rune {
	return []rune(strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(strings.ToLower(s)))
}

// Cell returns the cell of a column without white space at its ends, or "" if
// the column or the cell is missing.
func (h Header) Cell(cells []string, name string) string {
	i := h.Index(name)
	if i < 0 || i >= len(cells) {
		return ""
	}
	return strings.TrimSpace(cells[i])
}
