// Command dictionary makes the dictionaries with which the store compresses API responses, from the
// snapshot of the embedded sample. A dictionary contains as many responses of one kind as fit. See
// the README in store/dictionary.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"bencao/store"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: dictionary SNAPSHOT/store.bolt store/dictionary")
		os.Exit(2)
	}
	if err := store.View(os.Args[1], func(tx *store.Tx) error { return write(tx, os.Args[2]) }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// most is the maximum length of a dictionary in the S2 format, in bytes.
const most = 64 << 10

// links matches the links in the detail of a formula. The store does not contain them.
var links = regexp.MustCompile(`"(species|herbs)":\[\{[^\]]*\]`)

// write writes a dictionary for each kind of responses in a store.
func write(tx *store.Tx, dir string) error {
	whole := func(list store.Rows) []byte { return list.Append(nil, "", 0) }
	for _, kind := range []struct {
		name   string
		table  store.Table
		answer func(store.Num) []byte
	}{
		{"species.summary", store.TableSpecies, func(n store.Num) []byte { return tx.SpeciesSummary(n) }},
		{"species.detail", store.TableSpecies, func(n store.Num) []byte { return tx.SpeciesDetail(n) }},
		{"species.flora", store.TableSpecies, func(n store.Num) []byte { return whole(tx.SpeciesFlora(n)) }},
		{"species.uses", store.TableSpecies, func(n store.Num) []byte { return whole(tx.SpeciesUses(n)) }},
		{"formulas.summary", store.TableFormulas, func(n store.Num) []byte { return tx.FormulaSummary(n) }},
		{"formulas.detail", store.TableFormulas, func(n store.Num) []byte {
			return links.ReplaceAll(tx.FormulaDetail(n, store.Composition), []byte(`"$1":[]`))
		}},
		{"herbs.detail", store.TableHerbs, func(n store.Num) []byte { return tx.HerbDetail(n) }},
		{"papers.summary", store.TablePapers, func(n store.Num) []byte { return tx.PaperSummary(n) }},
	} {
		var out []byte
		for n := range store.Num(tx.Count(kind.table)) {
			if one := kind.answer(n); len(out)+len(one) <= most {
				out = append(out, one...)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, kind.name), out, 0o644); err != nil {
			return err
		}
	}
	return nil
}
