package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"bencao/mappings"
)

// Index is the open index of one table. It is read-only and safe for concurrent use
// until it is closed.
type Index struct {
	Rows    []mappings.Row
	Weights []uint8    // number of words of each title, by record
	Lengths [][]uint64 // for each length of a title, in ascending order, the bit set of its records

	AverageWeight float64

	columns []column // by row; empty for rows whose values are not stored
	bleve   bleve.Index
	reader  index.IndexReader
	segment *scorch.SegmentSnapshot
}

// metaFile is the file from which Bleve reads the type of an index.
const metaFile = "index_meta.json"

// Open opens an index that [Build] wrote. rows are the rows of its table. The files may be
// read-only, and other processes may have them open. The caller must have verified them against the
// manifest, because Bleve does not verify the checksums in them: a damaged length could make it
// allocate so much memory that the process ends.
func Open(dir string, rows []mappings.Row) (*Index, error) {
	ix, err := open(dir, rows)
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", dir, legible(err))
	}
	return ix, nil
}

func open(dir string, rows []mappings.Row) (ix *Index, err error) {
	// Bleve's error for a missing directory does not name the directory.
	if _, err := os.Stat(filepath.Join(dir, metaFile)); err != nil {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			ix, err = nil, fmt.Errorf("index is damaged (%v); copy the snapshot again or rebuild it", p)
		}
	}()
	b, err := bleve.OpenUsing(dir, map[string]any{"read_only": true, "bolt_timeout": "2s"})
	if err != nil {
		return nil, err
	}
	ix = &Index{Rows: rows, bleve: b}
	if err := ix.load(dir); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// load reads the lengths of titles and the stored values into memory.
func (ix *Index) load(dir string) error {
	advanced, err := ix.bleve.Advanced()
	if err != nil {
		return err
	}
	if ix.reader, err = advanced.Reader(); err != nil {
		return err
	}
	snapshot, ok := ix.reader.(*scorch.IndexSnapshot)
	if !ok || len(snapshot.Segments()) != 1 {
		return errors.New("index has no segment, or several; copy the snapshot again or rebuild it")
	}
	ix.segment = snapshot.Segments()[0]
	documents := ix.segment.Segment().Count()
	if room, err := segmentBytes(dir); err != nil || documents > uint64(room) {
		return errors.Join(err, fmt.Errorf("index of %d bytes has %d documents; it is damaged, rebuild it", room, documents))
	}
	if err := ix.loadValues(dir, documents); err != nil {
		return err
	}
	for _, weight := range ix.Weights {
		ix.AverageWeight += float64(weight) / float64(len(ix.Weights))
	}
	ix.loadLengths()
	return nil
}

// segmentBytes returns the total size of the segments of an index.
func segmentBytes(dir string) (n int64, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "store", "*.zap"))
	for _, f := range files {
		info, statErr := os.Stat(f)
		if err = errors.Join(err, statErr); statErr == nil {
			n += info.Size()
		}
	}
	return n, err
}

// loadLengths fills Lengths from Weights.
func (ix *Index) loadLengths() {
	if !slices.ContainsFunc(ix.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Title }) {
		return
	}
	var byLength [256][]uint64
	for at, w := range ix.Weights {
		if byLength[w] == nil {
			byLength[w] = make([]uint64, (ix.Len()+63)/64)
		}
		byLength[w][at/64] |= 1 << (at % 64)
	}
	for _, b := range byLength {
		if b != nil {
			ix.Lengths = append(ix.Lengths, b)
		}
	}
}

// Close closes the files of the index. It must not be called during a search.
func (ix *Index) Close() error {
	var err error
	if ix.reader != nil {
		err = ix.reader.Close()
	}
	return errors.Join(err, ix.bleve.Close())
}

// Len returns the number of records.
func (ix *Index) Len() int { return len(ix.Weights) }
