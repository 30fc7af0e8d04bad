package mappings_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/mappings/search"
	"bencao/names/complaint"
	"bencao/store"
)

// TestUnlike searches for complaints whose names are in words of indications that mean something else. Each
// word of the table has a case: indications from the China-plants package, which do not have the complaint.
func TestUnlike(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "unlike.tsv"))
	must(t, err)
	rows := strings.Split(strings.TrimSpace(string(b)), "\n")[1:]
	var formulas []store.Formula
	add := func(text string) store.Num {
		n := len(formulas)
		formulas = append(formulas, store.Formula{FormulaDetail: store.FormulaDetail{EntryID: int32(n), Name: "甲汤", Indications: store.Text(text)}, Num: store.Num(n)})
		return store.Num(n)
	}
	type unlike struct {
		name, word string
		other, has store.Num // formulas without and with the complaint
	}
	var cases []unlike
	words := map[string][]string{}
	for _, row := range rows {
		cells := strings.Split(row, "\t")
		cases = append(cases, unlike{cells[0], cells[1], add(cells[2]), add(cells[2] + "。治" + cells[0])})
		words[cells[0]] = append(words[cells[0]], cells[1])
	}
	ix := indexOf(t, formulas)
	for _, c := range cases {
		hits := ask(t, ix, search.Query{Text: c.name, In: "indications", Size: len(formulas)})
		if slices.Contains(hits.Nums, c.other) || !slices.Contains(hits.Nums, c.has) {
			t.Errorf("%s finds %q: %t, %q: %t", c.name, formulas[c.other].Indications, slices.Contains(hits.Nums, c.other), formulas[c.has].Indications, slices.Contains(hits.Nums, c.has))
		}
		for _, word := range complaint.Unlike(c.name) {
			if !slices.Contains(words[c.name], word) {
				t.Errorf("%s is unlike %s, and testdata/unlike.tsv has no case of it", word, c.name)
			}
		}
	}
}
