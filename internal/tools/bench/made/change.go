package made

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bencao/internal/rows"
)

// changes lists, for each file, the column that [Change] edits.
var changes = []struct {
	file, column string
	comma        rune
}{
	{filepath.Join(PackageDir, "species.csv"), "author", ','},
	{filepath.Join(PackageDir, "synonyms.csv"), "author", ','},
	{filepath.Join(PackageDir, "aliases.csv"), "name", ','},
	{filepath.Join(PackageDir, "flora.csv"), "name_in_flora", ','},
	{filepath.Join(PackageDir, "formulas.csv"), "indications", ','},
	{filepath.Join(PackageDir, "formula_ingredients.csv"), "note", ','},
	{filepath.Join(PackageDir, "papers.csv"), "title", ','},
	{filepath.Join(PackageDir, "uses.csv"), "description", ','},
	{filepath.Join(WCVPDir, "wcvp_names.csv"), "taxon_authors", '|'},
}

// Change copies sources that [Write] has made into a new folder. It changes a share of the records
// of each table, either at random places or, if inOnePiece is set, in one consecutive block. A
// changed record has some words more than before.
func Change(from, to string, share float64, inOnePiece bool) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	for _, c := range changes {
		rows, err := count(filepath.Join(from, c.file), c.comma)
		if err != nil {
			return err
		}
		rnd := random(c.file)
		chosen := func(int) bool { return rnd.Float64() < share }
		if first, n := rows/3, max(1, int(share*float64(rows))); inOnePiece {
			chosen = func(row int) bool { return row >= first && row < first+n }
		}
		if err := change(filepath.Join(from, c.file), filepath.Join(to, c.file), c.comma, c.column, chosen, rnd); err != nil {
			return fmt.Errorf("%s: %w", c.file, err)
		}
	}
	return nil
}

// Rows calls row for each row of a file that [Write] has made, the header first. comma separates
// the cells. If it is ',', cells may be quoted.
func Rows(name string, comma rune, row func(cells []string) error) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r := rows.NewPlain(f, name, string(comma))
	if comma == ',' {
		r = rows.NewCSV(f, name, rows.CSV{})
	}
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = row(cells)
		}
		if err != nil {
			return err
		}
	}
}

// count returns the number of records in a file.
func count(name string, comma rune) (rows int, err error) {
	err = Rows(name, comma, func([]string) error { rows++; return nil })
	return rows - 1, err
}

// change copies a file and adds words to a column of the chosen rows.
func change(from, to string, comma rune, column string, chosen func(row int) bool, rnd *rand.Rand) (err error) {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := csv.NewWriter(f)
	w.Comma = comma
	at, row := -1, -1
	err = Rows(from, comma, func(cells []string) error {
		switch {
		case row < 0:
			if at = slices.Index(cells, column); at < 0 {
				return fmt.Errorf("it has no column %s", column)
			}
		case chosen(row):
			cells[at] = strings.TrimSpace(cells[at] + " " + added[rnd.IntN(len(added))] + added[rnd.IntN(len(added))])
		}
		row++
		return w.Write(cells)
	})
	w.Flush()
	return errors.Join(err, w.Error())
}

// added lists syllables from which added words are made.
var added = strings.Fields("ri mo lan tse gu ver ani cor bel tha")
