package rows

import "strings"

// Header maps columns to cells.
type Header struct {
	// Labels are the names of the columns in the file, trimmed.
	Labels []string
	// Names are the names of the columns in the program, after renaming.
	Names []string

	index map[string]int
}

// NewHeader parses a header row. rename maps labels of the file to names in the program. Case does
// not matter, nor do spaces at the ends of a label. If two columns have the same name, the first is
// used.
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

// Index returns the index of a column's cell, or -1.
func (h Header) Index(name string) int {
	if i, ok := h.index[name]; ok {
		return i
	}
	return -1
}

// Cell returns the trimmed cell of a column, or "" if the column or the cell is missing.
func (h Header) Cell(cells []string, name string) string {
	i := h.Index(name)
	if i < 0 || i >= len(cells) {
		return ""
	}
	return strings.TrimSpace(cells[i])
}
