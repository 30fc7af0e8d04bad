package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// row is a line of a table with a header, by column.
type row map[string]string

// sources holds the data from which the sample is made.
type sources struct {
	plants, herbSpecies, papersRead, paperLinks, nepal []row
	names                                              []row // names of WCVP and WFO
	formulasRead                                       []formula
	hand                                               map[string][]row // handwritten tables by name, without .tsv
}

// formula is an entry of formulas.jsonl.
type formula struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	Dynasty        string `json:"dynasty"`
	Year           int    `json:"year"`
	OriginalAuthor string `json:"original_author"`
	OriginalSource string `json:"original_source"`
	Section        string `json:"section"`
	Indications    string `json:"indications"`
	Composition    string `json:"composition"`
	Preparation    string `json:"preparation"`
	Ingredients    []struct {
		Name, Dose, Note string
	} `json:"ingredients"`
}

func read(src, hand fs.FS) (*sources, error) {
	s := &sources{hand: map[string][]row{}}
	for _, f := range []struct {
		name string
		into *[]row
	}{
		{"species.csv", &s.plants},
		{"herb_species.csv", &s.herbSpecies},
		{"papers.csv", &s.papersRead},
		{"species_paper_links.csv", &s.paperLinks},
		{"plant_uses.csv", &s.nepal},
		{"wcvp_wfo_names.tsv", &s.names},
	} {
		rows, err := readTable(src, f.name)
		if err != nil {
			return nil, err
		}
		*f.into = rows
	}
	files, err := fs.Glob(hand, "handwritten/*.tsv")
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		rows, err := readTable(hand, name)
		if err != nil {
			return nil, err
		}
		s.hand[strings.TrimSuffix(strings.TrimPrefix(name, "handwritten/"), ".tsv")] = rows
	}
	s.formulasRead, err = readFormulas(src)
	return s, err
}

// readTable reads a CSV file or a file of tab-separated values. Files of tab-separated values have
// no quoting. Their lines that start with # are comments.
func readTable(from fs.FS, name string) ([]row, error) {
	f, err := from.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	next := csv.NewReader(f).Read
	if strings.HasSuffix(name, ".tsv") {
		next = tabs(f)
	}
	return readRows(name, next)
}

// readRows reads the header and all following rows from next.
func readRows(name string, next func() ([]string, error)) ([]row, error) {
	head, err := next()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var rows []row
	for {
		cells, err := next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(cells) > len(head) {
			return nil, fmt.Errorf("%s: %q has %d cells, the header %d", name, cells, len(cells), len(head))
		}
		r := row{}
		for i, cell := range cells {
			r[head[i]] = cell
		}
		rows = append(rows, r)
	}
}

// tabs returns a function that reads one line of tab-separated cells. Cells at the end of a line
// may be missing.
func tabs(r io.Reader) func() ([]string, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	return func() ([]string, error) {
		for lines.Scan() {
			line := strings.TrimRight(lines.Text(), "\r")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			return strings.Split(line, "\t"), nil
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
}

func readFormulas(from fs.FS) ([]formula, error) {
	f, err := from.Open("formulas.jsonl")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []formula
	for dec := json.NewDecoder(f); ; {
		var one formula
		if err := dec.Decode(&one); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("formulas.jsonl: after %d entries: %w", len(all), err)
		}
		all = append(all, one)
	}
}
