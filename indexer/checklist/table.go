package checklist

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"bencao/indexer/archive"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/internal/rows"
)

// Dialect says how a file parts its cells. The zero value finds out from the
// first line.
type Dialect struct {
	Separator string
	// Quote encloses cells: a double or a single quotation mark. Zero means
	// that nothing is quoted.
	Quote byte
	// Lazy takes a quotation mark inside a cell as it stands.
	Lazy bool
}

// Table is a file of an archive that is open behind its header. The caller
// closes it.
type Table struct {
	File   string
	Rows   *rows.Reader
	Header rows.Header

	io.Closer
}

// OpenTable opens a file and reads its header; rename gives our names for the
// file's labels.
func OpenTable(src *archive.Archive, name string, d Dialect, rename map[string]string) (*Table, error) {
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(f, 64<<10)
	if d.Separator == "" {
		if d, err = sniff(in); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	t := &Table{File: name, Closer: f, Rows: d.Reader(in, name)}
	cells, err := t.Rows.Read()
	if errors.Is(err, io.EOF) {
		err = finding.Finding{Severity: finding.Fatal, Code: finding.Source, File: name, Message: "the file is empty"}
	}
	if err != nil {
		return nil, errors.Join(finding.Of(err), f.Close())
	}
	t.Header = rows.NewHeader(slices.Clone(cells), rename)
	return t, nil
}

// Reader reads rows of the dialect.
func (d Dialect) Reader(r io.Reader, file string) *rows.Reader {
	if d.Quote == 0 {
		return rows.NewPlain(r, file, d.Separator)
	}
	return rows.NewCSV(r, file, rows.CSV{Comma: []rune(d.Separator)[0], Quote: d.Quote, Lazy: d.Lazy})
}

// sniff finds the dialect of a file that has a header: the separator that
// stands most often in it. Files with tabs or bars quote only if the header
// does.
func sniff(in *bufio.Reader) (Dialect, error) {
	line, err := in.Peek(32 << 10)
	if err != nil && err != io.EOF {
		return Dialect{}, err
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	best := Dialect{Separator: rows.Separator(line)}
	if best.Separator == "," || best.Separator == ";" {
		best.Quote = '"'
	}
	if bytes.ContainsRune(line, '"') {
		best.Quote = '"'
	}
	return best, nil
}

// File is a file that a list is read from, and how its shape is taken.
type File struct {
	Name  string
	Table profile.Table
}

// HeadedFile is a file whose header names its columns; key are those that tell
// its rows apart.
func HeadedFile(name string, d Dialect, rename map[string]string, key ...string) File {
	return File{name, profile.Table{Rename: rename, Key: key, Open: func(r io.Reader) *rows.Reader {
		in, own := bufio.NewReaderSize(r, 64<<10), d
		if own.Separator == "" {
			// What can't be read now can't be read as rows either, and they say so.
			own, _ = sniff(in)
			if own.Separator == "" {
				own = Dialect{Separator: ",", Quote: '"'}
			}
		}
		return own.Reader(in, name)
	}}}
}
