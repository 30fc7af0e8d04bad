package index

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/mapping"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// emptyID is the document of an index without records: Bleve's builder cannot
// write an index without documents.
const emptyID = "-"

// keptSuffix marks the field that keeps another field's values.
const keptSuffix = ".values"

// batchSize is how many records are analysed before they are written away.
const batchSize = 2048

// progressStep is after how many records the progress is told.
const progressStep = 500

// Build writes the index of a table into the directory dir, which must not
// exist. The records stand in answer order, each one's number is that of its
// document. It uses one goroutine and leaves no files elsewhere. A progress function, if
// given, is told now and then how many records are done.
func Build[R any](ctx context.Context, dir string, fields []mappings.Field[R], records []R, progress ...func(done, total int)) (err error) {
	// Bleve renames its work into place: it must be on the same file system.
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".build-")
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	defer os.RemoveAll(tmp)
	rows := mappings.Rows(fields)
	m, err := newMapping(rows)
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	// All segments are merged at once: merging in steps writes them again and again.
	b, err := bleve.NewBuilder(dir, ordered{m}, map[string]any{"buildPathPrefix": tmp, "batchSize": batchSize, "mergeMax": 10_000})
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	orders := ordinals(fields, records)
	for i := range records {
		if i%progressStep == 0 {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("build index %s: %w", dir, err)
			}
			for _, f := range progress {
				f(i, len(records))
			}
		}
		d := terms.NewDocument(fields, rows, &records[i])
		for row, of := range orders {
			d.Values[row] = fmt.Sprintf("%08x", of[i])
		}
		if err := b.Index(documentID(store.Num(i), d.Weight), data(&d, rows)); err != nil {
			return fmt.Errorf("build index %s: record %d: %w", dir, i, err)
		}
	}
	if len(records) == 0 {
		if err := b.Index(emptyID, map[string]any{}); err != nil {
			return fmt.Errorf("build index %s: %w", dir, err)
		}
	}
	if err := b.Close(); err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	for _, f := range progress {
		f(len(records), len(records))
	}
	return readable(dir)
}

// ordinals returns each record's place in the other orders of a table, by row.
func ordinals[R any](fields []mappings.Field[R], records []R) map[int][]uint32 {
	orders := make(map[int][]uint32)
	for row, f := range fields {
		if f.Compare == nil {
			continue
		}
		sorted := make([]uint32, len(records))
		for i := range sorted {
			sorted[i] = uint32(i)
		}
		compare := f.Compare(records)
		slices.SortStableFunc(sorted, func(a, b uint32) int { return compare(int(a), int(b)) })
		orders[row] = make([]uint32, len(records))
		for at, n := range sorted {
			orders[row][n] = uint32(at)
		}
	}
	return orders
}

// data is the document as Bleve wants it.
func data(d *terms.Document, rows []mappings.Row) map[string]any {
	m := make(map[string]any, 2*len(rows))
	for i, r := range rows {
		if d.Terms[i] != "" {
			m[r.Name] = d.Terms[i]
		}
		if d.Values[i] != "" {
			m[r.Name+keptSuffix] = d.Values[i]
		}
	}
	return m
}

// ordered is a mapping that gives a document's fields in one order, so that
// the same records make the same segments: Bleve goes through them as they come
// out of a map.
type ordered struct{ mapping.IndexMapping }

func (o ordered) MapDocument(doc *document.Document, data any) error {
	err := o.IndexMapping.MapDocument(doc, data)
	slices.SortFunc(doc.Fields, func(a, b document.Field) int { return strings.Compare(a.Name(), b.Name()) })
	return err
}

// MarshalJSON is what the index keeps of its mapping.
func (o ordered) MarshalJSON() ([]byte, error) { return json.Marshal(o.IndexMapping) }

// A document's name holds the record's number and the words of its title, so
// that they are read without touching anything else.
func documentID(n store.Num, weight uint8) string { return fmt.Sprintf("%08x%02x", n, weight) }

func parseDocumentID(id []byte) (n store.Num, weight uint8, ok bool) {
	if len(id) != 10 {
		return 0, 0, false
	}
	var v uint64
	for _, c := range id {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | uint64(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | uint64(c-'a'+10)
		default:
			return 0, 0, false
		}
	}
	return store.Num(v >> 8), uint8(v), true
}

// newMapping is the index's mapping as it follows from the table. The terms
// are made by us; the analyzers only split them at spaces.
func newMapping(rows []mappings.Row) (mapping.IndexMapping, error) {
	m := bleve.NewIndexMapping()
	m.IndexDynamic, m.StoreDynamic, m.DocValuesDynamic = false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddSubDocumentMapping("_all", bleve.NewDocumentDisabledMapping())
	defined := make(map[mappings.Analyzer]bool)
	for _, r := range rows {
		if !defined[r.Analyzer] {
			defined[r.Analyzer] = true
			err := m.AddCustomAnalyzer(r.Analyzer.String(), map[string]any{"type": custom.Name, "tokenizer": atSpaces})
			if err != nil {
				return nil, fmt.Errorf("analyzer %s: %w", r.Analyzer, err)
			}
		}
		f := bleve.NewTextFieldMapping()
		f.Analyzer = r.Analyzer.String()
		f.Store, f.IncludeInAll, f.IncludeTermVectors, f.DocValues = false, false, false, false
		doc.AddFieldMappingsAt(r.Name, f)
		if terms.Keeps(r.Analyzer) {
			kept := bleve.NewTextFieldMapping()
			kept.Index, kept.IncludeInAll, kept.IncludeTermVectors, kept.DocValues = false, false, false, false
			kept.Name = r.Name + keptSuffix
			doc.AddFieldMappingsAt(r.Name+keptSuffix, kept)
		}
	}
	m.DefaultMapping = doc
	return m, nil
}

// readable lets everybody read the index, so that a mirror may copy it. Bleve
// keeps it to its owner.
func readable(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}
