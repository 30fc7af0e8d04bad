package bulk

import (
	"slices"
	"testing"
)

// TestWordsOfCells looks at a cell for each ending of epithets, mark of a rank and ditto mark. Without it in
// its list the cell must look like something else.
func TestWordsOfCells(t *testing.T) {
	examples := []string{
		"alba", "albus", "album", "viridis", "smithii", "carolinae", "elegans", "repens", "jasminoides", "cynanchodes", "chinense", "officinale", "humile",
		"vulgare", "sylvestre", "megalops", "anceps", "nudipes", "fallax", "simplex", "felix",
	}
	eachOf(t, &epithetEndings, func(i int, _ string) bool { return looksLike(examples[i]) == kindEpithet })
	eachOf(t, &dittoMarks, func(_ int, mark string) bool { return isDitto(mark) })
	for cell, mark := range map[string]string{"亚种": "subsp.", "变种": "var.", "变型": "f.", "s.": "subsp.", "ssp.": "subsp."} {
		if got := rankMark(cell); got != mark {
			t.Errorf("rankMark(%q) = %q, want %q", cell, got, mark)
		}
	}
}

// eachOf takes each word out of a list in turn. is must hold with the word, and not without.
func eachOf(t *testing.T, list *[]string, is func(i int, word string) bool) {
	t.Helper()
	all := *list
	defer func() { *list = all }()
	for i, word := range all {
		*list = all
		with := is(i, word)
		if *list = slices.Delete(slices.Clone(all), i, i+1); !with || is(i, word) {
			t.Errorf("%s: %v; also without it in the list", word, with)
		}
	}
}
