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

// changes are the texts of records that a night changes, by the file.
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

// Change copies sources that [Write] has made into a folder that is not there,
// and changes that share of the records of each table: one here and one there, or
// those of one piece. A record that is changed has some words more.
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

// Rows reads a file that [Write] has made row by row, the head first. Comma is what
// parts its cells; a comma alone leaves room for quotation marks.
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

// count is how many records a file has.
func count(name string, comma rune) (rows int, err error) {
	err = Rows(name, comma, func([]string) error { rows++; return nil })
	return rows - 1, err
}

// change writes a file again, with other words in a column of the rows that are
// chosen.
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

// added are syllables that words are added of.
var added = strings.Fields("ri mo lan tse gu ver ani cor bel tha")
