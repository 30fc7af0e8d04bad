package rows

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/xuri/excelize/v2"

	"bencao/internal/say"
)

// maxSheet is how large a workbook may be when it is unpacked.
const maxSheet = 1 << 30

// What is wrong with a workbook.
var (
	bookOld    = say.Sentence("book-old", "is an old Excel workbook (xls); save it as xlsx, or as CSV in UTF-8")
	bookBroken = say.Sentence("book-broken", "begins like an Excel workbook and is none: %w; save it as CSV in UTF-8")
	bookEmpty  = say.Sentence("book-empty", "is a workbook without a sheet")
)

// Sheet makes CSV of the first sheet of an Excel workbook (xlsx), and returns
// all else as it is. Every row has as many cells as the first.
func Sheet(r io.Reader) (in io.Reader, isSheet bool, err error) {
	b := bufio.NewReader(r)
	switch head, _ := b.Peek(8); { // a shorter list is none
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		return nil, false, bookOld.With()
	default:
		return b, false, nil
	}
	book, err := excelize.OpenReader(b, excelize.Options{UnzipSizeLimit: maxSheet, RawCellValue: true})
	if err != nil {
		return nil, false, bookBroken.With(err)
	}
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return nil, false, errors.Join(bookEmpty.With(), book.Close())
	}
	rows, err := book.Rows(sheets[0])
	if err != nil {
		return nil, false, errors.Join(err, book.Close())
	}
	out, pipe := io.Pipe()
	go func() {
		err := writeSheet(pipe, rows)
		pipe.CloseWithError(errors.Join(err, rows.Close(), book.Close()))
	}()
	return out, true, nil
}

// writeSheet writes the rows of a sheet.
func writeSheet(w io.Writer, rows *excelize.Rows) error {
	out := csv.NewWriter(w)
	width := 0
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			return err
		}
		if width == 0 {
			width = len(cells)
		}
		for len(cells) < width { // empty cells at the end are left out
			cells = append(cells, "")
		}
		if width == 0 {
			continue // empty rows above the header
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return errors.Join(rows.Error(), out.Error())
}

// WriteSheet writes an Excel workbook (xlsx) of one sheet. All cells are text,
// and such as cause no spreadsheet to compute when they are pasted elsewhere.
func WriteSheet(w io.Writer, name string, all [][]string) error {
	book := excelize.NewFile()
	err := fillSheet(book, name, all)
	if err == nil {
		err = book.Write(w)
	}
	return errors.Join(err, book.Close())
}

// fillSheet makes rows the only sheet of a new workbook.
func fillSheet(book *excelize.File, name string, all [][]string) error {
	if err := book.SetSheetName(book.GetSheetName(0), name); err != nil {
		return err
	}
	out, err := book.NewStreamWriter(name)
	if err != nil {
		return err
	}
	for i, row := range all {
		cells := make([]any, len(row))
		for j, cell := range row {
			cells[j] = Defuse(cell)
		}
		if err := out.SetRow(fmt.Sprintf("A%d", i+1), cells); err != nil {
			return err
		}
	}
	return out.Flush()
}
