package index

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
)

// valuesFile is the name of the file with the data that the index stores besides terms. It starts
// with the number of records. Blocks of valuesBlock records follow. Each block has the lengths of
// the titles and the values of each row that stores values:
//
//	records ─┬─ weights   a byte each
//	         └─ each row: lengths of the values, then the values
//
// The file is compressed with gzip, whose checksum is a CRC-32, as in Bleve's segments.
const valuesFile = "values.gz"

// valuesBlock is the number of records in a block. Within a block, the values of one field are
// stored together, because they compress well.
const valuesBlock = 4096

// valuesLevel is the level of compression.
const valuesLevel = 5

// keptRows returns the rows whose values are stored.
func keptRows(rows []mappings.Row) (kept []int) {
	for i, r := range rows {
		if terms.Keeps(r.Analyzer) {
			kept = append(kept, i)
		}
	}
	return kept
}

// valuesWriter writes the values of records in ascending order.
type valuesWriter struct {
	file    *os.File
	to      *gzip.Writer
	kept    []int
	weights []byte
	lengths [][]byte // by index in kept
	texts   [][]byte
}

// newValuesWriter creates the file for a number of records.
func newValuesWriter(dir string, rows []mappings.Row, records int) (*valuesWriter, error) {
	f, err := os.Create(filepath.Join(dir, valuesFile))
	if err != nil {
		return nil, err
	}
	w := &valuesWriter{file: f, kept: keptRows(rows)}
	w.lengths, w.texts = make([][]byte, len(w.kept)), make([][]byte, len(w.kept))
	if w.to, err = gzip.NewWriterLevel(f, valuesLevel); err == nil {
		_, err = w.to.Write(binary.AppendUvarint(nil, uint64(records)))
	}
	return w, errors.Join(err, closeIf(err, f))
}

// closeIf closes a file if err is not nil. It returns the error of closing the file.
func closeIf(err error, f io.Closer) error {
	if err == nil {
		return nil
	}
	return f.Close()
}

// add writes the values of the next record.
func (w *valuesWriter) add(d *terms.Document) error {
	w.weights = append(w.weights, d.Weight)
	for k, row := range w.kept {
		w.lengths[k] = binary.AppendUvarint(w.lengths[k], uint64(len(d.Values[row])))
		w.texts[k] = append(w.texts[k], d.Values[row]...)
	}
	if len(w.weights) < valuesBlock {
		return nil
	}
	return w.flush()
}

func (w *valuesWriter) flush() error {
	_, err := w.to.Write(w.weights)
	w.weights = w.weights[:0]
	for k := range w.kept {
		for _, part := range []*[]byte{&w.lengths[k], &w.texts[k]} {
			if err == nil {
				_, err = w.to.Write(*part)
			}
			*part = (*part)[:0]
		}
	}
	return err
}

// close writes the last block and closes the file.
func (w *valuesWriter) close() error {
	return errors.Join(w.flush(), w.to.Close(), w.file.Close())
}

// loadValues reads the stored values. It returns an error if the file does not have values for
// exactly documents records.
func (ix *Index) loadValues(dir string, documents uint64) (err error) {
	f, err := os.Open(filepath.Join(dir, valuesFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	unpacked, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return damagedValues(err)
	}
	in := bufio.NewReaderSize(unpacked, 1<<16)
	records, err := binary.ReadUvarint(in)
	if err != nil || max(records, fewestDocuments) != documents {
		return damagedValues(errors.Join(err, fmt.Errorf("it has %d records, the terms are of %d", records, documents)))
	}
	ix.Weights = make([]uint8, records)
	ix.columns = make([]column, len(ix.Rows))
	kept := keptRows(ix.Rows)
	texts := make([]strings.Builder, len(kept))
	for _, row := range kept {
		ix.columns[row].ends = make([]uint32, 0, records)
	}
	for from := 0; from < ix.Len(); from += valuesBlock {
		n := min(valuesBlock, ix.Len()-from)
		if _, err := io.ReadFull(in, ix.Weights[from:from+n]); err != nil {
			return damagedValues(err)
		}
		for k, row := range kept {
			if err := ix.columns[row].read(in, &texts[k], n); err != nil {
				return damagedValues(err)
			}
		}
	}
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) { // gzip verifies the checksum before it returns EOF
		return damagedValues(err)
	}
	for k, row := range kept {
		ix.columns[row].text = texts[k].String()
	}
	return nil
}

func damagedValues(err error) error {
	return fmt.Errorf("%s is damaged (%v); copy the snapshot again or rebuild it", valuesFile, err)
}

// read reads the values of the next n records.
func (c *column) read(in *bufio.Reader, text *strings.Builder, n int) error {
	end := uint64(text.Len())
	for range n {
		length, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		if end += length; length > maxColumn || end > maxColumn {
			return errors.New("a value is too long")
		}
		c.ends = append(c.ends, uint32(end))
	}
	_, err := io.CopyN(text, in, int64(end)-int64(text.Len()))
	return err
}
