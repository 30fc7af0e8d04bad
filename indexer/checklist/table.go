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

// Dialect describes how a file separates its cells. The zero value means that the dialect is
// detected from the first line.
type Dialect struct {
	Separator string
	// Quote is the character that encloses cells: a double or a single quotation mark. Zero means
	// that cells are not quoted.
	Quote byte
	// Lazy accepts an unescaped quotation mark inside a cell.
	Lazy bool
}

// Table is an open file of an archive whose header has been read. The caller must close it.
type Table struct {
	File   string
	Rows   *rows.Reader
	Header rows.Header

	io.Closer
}

// OpenTable opens a file and reads its header. rename maps column names of the file to those of
// this program.
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

// Reader returns a reader of rows in the dialect.
func (d Dialect) Reader(r io.Reader, file string) *rows.Reader {
	if d.Quote == 0 {
		return rows.NewPlain(r, file, d.Separator)
	}
	return rows.NewCSV(r, file, rows.CSV{Comma: []rune(d.Separator)[0], Quote: d.Quote, Lazy: d.Lazy})
}

// sniff detects the dialect of a file with a header. The separator is the most frequent one in the
// header. If it is a tab or a vertical bar, cells count as quoted only if the header contains
// quotation marks.
func sniff(in *bufio.Reader) (Dialect, error) {
	line, err := in.Peek(32 << 10)
	if err != nil && err != io.EOF {
		return Dialect{}, err
	}
	line, below, _ := bytes.Cut(line, []byte("\n"))
	best := Dialect{Separator: rows.Separator(line, below)}
	if best.Separator == "," || best.Separator == ";" {
		best.Quote = '"'
	}
	if bytes.ContainsRune(line, '"') {
		best.Quote = '"'
	}
	return best, nil
}

// File is a file of a list, with a description of how to read it.
type File struct {
	Name  string
	Table profile.Table
}

// HeadedFile returns a file with a header. key lists the columns that identify its rows.
func HeadedFile(name string, d Dialect, rename map[string]string, key ...string) File {
	return File{name, profile.Table{Rename: rename, Key: key, Open: func(r io.Reader) *rows.Reader {
		in, own := bufio.NewReaderSize(r, 64<<10), d
		if own.Separator == "" {
			// Ignore the error: if the file cannot be read, the row reader returns the same error
			// later.
			own, _ = sniff(in)
			if own.Separator == "" {
				own = Dialect{Separator: ",", Quote: '"'}
			}
		}
		return own.Reader(in, name)
	}}}
}
