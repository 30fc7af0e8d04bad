package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/util"
	"golang.org/x/sync/errgroup"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// fewestDocuments is the minimum number of documents in an index. Tables with fewer records get
// additional, empty documents. Bleve's builder merges only two or more segments, and only merged
// segments are compact (see merge.go).
const fewestDocuments = 2

// batchSize is the maximum number of records in a segment before the segments are merged.
const batchSize = 4096

// progressStep is the number of records between two calls of the progress function.
const progressStep = 500

// Build writes the index of a table into the directory dir, which must not exist. The records must
// be in answer order, because the number of a record becomes the number of its document. Build uses
// two goroutines and leaves no files outside dir. If progress is not nil, Build calls it after
// every 500 records.
func Build[R any](ctx context.Context, dir string, fields []mappings.Field[R], records []R, progress ...func(done, total int)) (err error) {
	// Bleve renames the finished files from tmp to dir, so both must be on the same file system.
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".build-")
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	defer os.RemoveAll(tmp)
	b, err := newBuilder(dir, tmp, len(records))
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	fields = mappings.Expand(fields)
	rows := mappings.Rows(fields)
	values, err := newValuesWriter(dir, rows, len(records))
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	orders, identifiers := ordersOf(fields, records), doiPrefixesOf(fields, records)
	// One goroutine makes documents, and the other passes them to Bleve. Each takes about half of
	// the processor time of a build.
	documents := make(chan *document, batchSize)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(documents)
		for i := range records {
			if err := ctx.Err(); err != nil {
				return err
			}
			d := terms.NewDocument(fields, rows, &records[i])
			for row, order := range orders {
				d.Values[row] = orderStep(order, i)
			}
			for row, of := range identifiers {
				d.Begin(row, of.dois[i], of.lengths[i])
			}
			if err := values.add(&d); err != nil {
				return fmt.Errorf("values of record %d: %w", i, err)
			}
			select {
			case documents <- newDocument(documentID(store.Num(i)), &d, rows):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	g.Go(func() error {
		i := 0
		for d := range documents {
			if i%progressStep == 0 {
				for _, f := range progress {
					f(i, len(records))
				}
			}
			if err := b.Index(d); err != nil {
				return fmt.Errorf("record %d: %w", i, err)
			}
			i++
		}
		return nil
	})
	if err := errors.Join(g.Wait(), values.close()); err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	for n := len(records); n < fewestDocuments; n++ {
		if err := b.Index(&document{id: documentID(store.Num(n))}); err != nil {
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

// ordersOf returns, for each row with the analyzer [mappings.Order], the record numbers in the
// order of that row.
func ordersOf[R any](fields []mappings.Field[R], records []R) map[int][]uint32 {
	orders := make(map[int][]uint32)
	for row, f := range fields {
		if f.Compare == nil {
			continue
		}
		order := make([]uint32, len(records))
		for i := range order {
			order[i] = uint32(i)
		}
		compare := f.Compare(records)
		slices.SortStableFunc(order, func(a, b uint32) int { return compare(int(a), int(b)) })
		orders[row] = order
	}
	return orders
}

// doiPrefixes holds the DOI of each record, and the prefixes of each DOI that are terms.
type doiPrefixes struct {
	dois    []string
	lengths []terms.Beginnings
}

// doiPrefixesOf returns the DOIs of the records and their prefixes, by row.
func doiPrefixesOf[R any](fields []mappings.Field[R], records []R) map[int]doiPrefixes {
	out := make(map[int]doiPrefixes)
	for row, f := range fields {
		if f.Analyzer != mappings.DOI {
			continue
		}
		b := doiPrefixes{dois: make([]string, len(records))}
		for i := range records {
			for _, doi := range f.Values(&records[i]) { // at most one DOI
				b.dois[i] = terms.Value(f.Analyzer, doi)
			}
		}
		b.lengths = terms.BeginningsOf(b.dois)
		out[row] = b
	}
	return out
}

// documentID returns the ID of a record's document. IDs have the order of the record numbers.
func documentID(n store.Num) string { return fmt.Sprintf("%08x", n) }

// newBuilder returns a builder that writes an index of records documents into dir.
// Segments are stored in tmp until they are merged.
func newBuilder(dir, tmp string, records int) (*scorch.Builder, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	// Bleve reads these files when it opens an index. It does not use the mapping in them, because
	// documents are passed to it with their terms.
	if err := os.WriteFile(filepath.Join(dir, metaFile), []byte(`{"storage":"scorch","index_type":"scorch"}`), 0o644); err != nil {
		return nil, err
	}
	mapping, err := json.Marshal(bleve.NewIndexMapping())
	if err != nil {
		return nil, err
	}
	return scorch.NewBuilder(map[string]any{
		"path": filepath.Join(dir, "store"), "internal": map[string][]byte{string(util.MappingInternalKey): mapping}, "buildPathPrefix": tmp,
		// All segments are merged at once. Merging in steps would write them several
		// times.
		"batchSize": min(batchSize, max(records, fewestDocuments)/2), "mergeMax": 10_000,
	})
}

// readable lets every user read the files of the index, so that a mirror can copy them. Bleve
// creates files that only the owner can read.
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
