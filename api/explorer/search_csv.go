package explorer

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// searchCSV returns the results of a search as CSV, with the columns of the API and in the order of
// the page. It has at most mostRows rows. It changes cells that look like spreadsheet formulas, so
// that no spreadsheet executes them. The table of all records of a kind is made once for each
// snapshot.
//
// Of formulas the parameter "doses" names a herb: the file then has a row for each ingredient that is
// this herb, with its dose.
func searchCSV(v *visit) (*page, error) {
	k := cmp.Or(kindNamed(v.query.Get("kind")), kinds()[0])
	if !v.may(k.scope) {
		return nil, refusal(v, k.scope)
	}
	params := append([]string{"q", v.query.Get("q")}, k.narrowed(v, ofRecords)...)
	whole := true
	for i := 1; i < len(params); i += 2 {
		whole = whole && params[i] == ""
	}
	if k.name == "formulas" && !v.query.Has("group") { // the pages of records list formulas one by one
		params = append(params, "group", "name")
	}
	herb := ""
	if k.name == "formulas" {
		herb = v.query.Get("doses")
	}
	if herb != "" && !v.may(compositions) {
		return nil, refusal(v, compositions)
	}
	write := func() (*file, error) { return searchFile(v, k, params, herb) }
	if !whole || herb != "" {
		f, err := write()
		return &page{file: f}, err
	}
	f, err := v.tables.GetOrMake(v.ctx, v.Tag("all "+k.op, values(params).Encode()), write)
	return &page{file: f}, err
}

// searchFile asks for all results of a search and writes them row by row, compressed. If herb is not
// "", the rows are the ingredients of the formulas that are this herb.
func searchFile(v *visit, k *kind, params []string, herb string) (f *file, err error) {
	op, name, atOnce, herbs := k.op, k.name, rowsAtOnce, -1
	if herb != "" {
		op, name, atOnce = "formulas.ingredients", "doses", ingredientsAtOnce
	}
	var out bytes.Buffer
	packed := writers.Get().(*gzip.Writer)
	defer writers.Put(packed)
	packed.Reset(&out)
	counted := &sized{w: packed}
	table, err := newSpreadsheet(counted)
	if err != nil {
		return nil, err
	}
	params = append(params, "pageSize", strconv.Itoa(atOnce))
	written := 0
	for page := 1; written <= mostRows; page++ { // the names of the fields are a row too
		part, err := v.AskCSV(v.ctx, op, values(append(params, "page", strconv.Itoa(page))))
		if err != nil {
			return nil, err
		}
		r := csv.NewReader(bytes.NewReader(part))
		r.ReuseRecord = true
		rows := 0
		for ; ; rows++ {
			row, err := r.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil && herb != "" && rows == 0 {
				herbs = slices.Index(row, "herbsName")
			}
			skip := rows == 0 && page > 1 || // the names of the fields come once
				rows > 0 && herbs >= 0 && !slices.Contains(strings.Split(row[herbs], "; "), herb)
			if err == nil && !skip {
				err = table.write(row)
				written++
			}
			if err != nil {
				return nil, err
			}
		}
		if rows <= atOnce {
			break
		}
	}
	if err := errors.Join(table.flush(), packed.Close()); err != nil {
		return nil, err
	}
	return &file{name: "bencao-" + name + ".csv", kind: csvType, content: out.Bytes(), unpacked: counted.n}, nil
}

// sized counts the bytes that are written to w.
type sized struct {
	w io.Writer
	n int
}

func (s *sized) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.n += n
	return n, err
}
