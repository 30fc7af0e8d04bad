package explorer

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// searchCSV returns the results of a search as CSV, with the columns of the API and in the order of
// the page. It has at most mostRows rows. It changes cells that look like spreadsheet formulas, so
// that no spreadsheet executes them. The table of all records of a kind is made once for each
// snapshot.
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
	write := func() (*file, error) { return searchFile(v, k, params) }
	if !whole {
		f, err := write()
		return &page{file: f}, err
	}
	f, err := v.tables.GetOrMake(v.ctx, v.Tag("all "+k.op, values(params).Encode()), write)
	return &page{file: f}, err
}

// searchFile asks for all results of a search and writes them row by row, compressed.
func searchFile(v *visit, k *kind, params []string) (f *file, err error) {
	var out bytes.Buffer
	packed := writers.Get().(*gzip.Writer)
	defer writers.Put(packed)
	packed.Reset(&out)
	counted := &sized{w: packed}
	table, err := newSpreadsheet(counted)
	if err != nil {
		return nil, err
	}
	params = append(params, "pageSize", strconv.Itoa(rowsAtOnce))
	for page := 1; page <= mostRows/rowsAtOnce; page++ {
		part, err := v.AskCSV(v.ctx, k.op, values(append(params, "page", strconv.Itoa(page))))
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
			if err == nil && (rows > 0 || page == 1) { // the names of the fields come once
				err = table.write(row)
			}
			if err != nil {
				return nil, err
			}
		}
		if rows <= rowsAtOnce {
			break
		}
	}
	if err := errors.Join(table.flush(), packed.Close()); err != nil {
		return nil, err
	}
	return &file{name: "bencao-" + k.name + ".csv", kind: csvType, content: out.Bytes(), unpacked: counted.n}, nil
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
