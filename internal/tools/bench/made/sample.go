package made

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"bencao/indexer/sample"
)

// source is the sample, split into columns.
type source struct {
	header map[string][]string            // by table: its header
	column map[string]map[string][]string // by table and column: the cells
	wcvp   map[string][]string            // columns of WCVP by name
}

func readSample() (*source, error) {
	s := &source{header: map[string][]string{}, column: map[string]map[string][]string{}, wcvp: map[string][]string{}}
	files, err := fs.Glob(sample.Package(), "*.csv")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		b, err := fs.ReadFile(sample.Package(), file)
		if err != nil {
			return nil, err
		}
		all, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		table := strings.TrimSuffix(path.Base(file), ".csv")
		s.header[table] = all[0]
		s.column[table] = columns(all)
	}
	b, err := fs.ReadFile(sample.FS(), "checklists/wcvp/wcvp_names.csv")
	if err != nil {
		return nil, err
	}
	var all [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		all = append(all, strings.Split(line, "|"))
	}
	s.wcvp = columns(all)
	return s, nil
}

// columns returns the columns of rows by their names in the header.
func columns(rows [][]string) map[string][]string {
	out := map[string][]string{}
	for i, name := range rows[0] {
		for _, row := range rows[1:] {
			out[name] = append(out[name], row[i])
		}
	}
	return out
}

// filled returns the cells of a column that are not empty. Repeated values are kept.
func (s *source) filled(table, column string) []string {
	return filled(s.column[table][column])
}

func filled(cells []string) []string {
	var out []string
	for _, c := range cells {
		if c != "" {
			out = append(out, c)
		}
	}
	return out
}

// writeCSV writes a row. w returns any error when it is flushed.
func writeCSV(w *bufio.Writer, cells []string) {
	for i, c := range cells {
		if i > 0 {
			w.WriteByte(',')
		}
		if strings.ContainsAny(c, ",\"\r\n") {
			w.WriteByte('"')
			w.WriteString(strings.ReplaceAll(c, `"`, `""`))
			w.WriteByte('"')
			continue
		}
		w.WriteString(c)
	}
	w.WriteByte('\n')
}
