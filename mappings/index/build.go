package index

import (
	"context"
	"encoding/binary"
	"encoding/json"
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

// emptyID is the document of an index without records: Bleve's builder cannot
// write an index without documents.
const emptyID = "-"

// batchSize is how many records are analysed before they are written away.
const batchSize = 4096

// progressStep is after how many records the progress is told.
const progressStep = 500

// Build writes the index of a table into the directory dir, which must not
// exist. The records stand in answer order, each one's number is that of its
// document. It uses two goroutines and leaves no files elsewhere. A progress function,
// if given, is told now and then how many records are done.
func Build[R any](ctx context.Context, dir string, fields []mappings.Field[R], records []R, progress ...func(done, total int)) (err error) {
	// Bleve renames its work into place: it must be on the same file system.
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".build-")
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	defer os.RemoveAll(tmp)
	b, err := newBuilder(dir, tmp)
	if err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	rows, met := mappings.Rows(fields), newMet(len(records))
	orders, identifiers := ordinals(fields, records), beginnings(fields, records)
	// Making documents takes about as long as what Bleve does with them.
	documents := make(chan *document, batchSize)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(documents)
		for i := range records {
			d := terms.NewDocument(fields, rows, &records[i])
			for row, of := range orders {
				d.Values[row] = string(binary.BigEndian.AppendUint32(nil, of[i]))
			}
			for row, of := range identifiers {
				d.Begin(row, of.dois[i], of.lengths[i])
			}
			select {
			case documents <- newDocument(documentID(store.Num(i), d.Weight), &d, rows, met):
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
	if err := g.Wait(); err != nil {
		return fmt.Errorf("build index %s: %w", dir, err)
	}
	if len(records) == 0 {
		if err := b.Index(&document{id: emptyID}); err != nil {
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

// begun are the DOIs of a row, and the beginnings of each that are terms.
type begun struct {
	dois    []string
	lengths []terms.Beginnings
}

// beginnings returns the rows of DOIs.
func beginnings[R any](fields []mappings.Field[R], records []R) map[int]begun {
	out := make(map[int]begun)
	for row, f := range fields {
		if f.Analyzer != mappings.DOI {
			continue
		}
		b := begun{dois: make([]string, len(records))}
		for i := range records {
			for _, doi := range f.Values(&records[i]) { // one, or none
				b.dois[i] = terms.Value(f.Analyzer, doi)
			}
		}
		b.lengths = terms.BeginningsOf(b.dois)
		out[row] = b
	}
	return out
}

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

// newBuilder writes an index into the directory dir, whose parts rest in tmp until
// they are merged.
func newBuilder(dir, tmp string) (*scorch.Builder, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	// What Bleve reads when it opens an index: its kind, and a mapping, which is not
	// used, as all fields are made by us.
	if err := os.WriteFile(filepath.Join(dir, metaFile), []byte(`{"storage":"scorch","index_type":"scorch"}`), 0o644); err != nil {
		return nil, err
	}
	mapping, err := json.Marshal(bleve.NewIndexMapping())
	if err != nil {
		return nil, err
	}
	return scorch.NewBuilder(map[string]any{
		"path": filepath.Join(dir, "store"), "internal": map[string][]byte{string(util.MappingInternalKey): mapping}, "buildPathPrefix": tmp,
		// All segments are merged at once: merging in steps writes them again and again.
		"batchSize": batchSize, "mergeMax": 10_000,
	})
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
