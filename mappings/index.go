package mappings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"bencao/store"
)

// Index answers queries over one table. It is safe for use by many goroutines
// until it is closed.
type Index struct {
	rows    []row
	total   int
	numbers []store.Num       // by place
	columns []column          // per row; empty where values are not kept
	weights []uint8           // words of each title, by place
	lengths []*roaring.Bitmap // the places of titles of each length that there is, the shortest first

	averageWeight float64

	lexicons []lexicon     // per row
	sounds   []nearSounds  // per row
	others   []otherSounds // per row of names in characters
	slow     chan struct{} // holds a token for each forgiving search that runs

	bleve   bleve.Index
	reader  index.IndexReader
	segment *scorch.SegmentSnapshot
	readers sync.Pool // of *reader
	scratch sync.Pool // of *collector
}

// place is where the index keeps a record: Bleve stores the records of a block
// in any order, but the blocks one behind the other.
type place uint32

// blockSize is how many records a block has. Those of the first block have
// the numbers from 0, those of the next go on from there.
const blockSize = 2048

// column holds the values of one row, by place.
type column struct {
	text string
	ends []uint32
}

// of returns the values of a record.
func (c *column) of(at place) string {
	if int(at) >= len(c.ends) {
		return ""
	}
	start := uint32(0)
	if at > 0 {
		start = c.ends[at-1]
	}
	return c.text[start:c.ends[at]]
}

// open opens an index whose table has the given fields.
func open[R any](dir string, fields []Field[R]) (*Index, error) {
	ix, err := openRows(dir, rowsOf(fields))
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", dir, legible(err))
	}
	return ix, nil
}

// legible is err, or, if its text quotes the bytes of a damaged file as Bleve
// does, what can be read of the beginning.
func legible(err error) error {
	const most = 300
	text := strings.ToValidUTF8(err.Error(), "")
	if len(text) <= most && text == err.Error() && !strings.ContainsFunc(text, unicode.IsControl) {
		return err
	}
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return errors.New(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
}

func openRows(dir string, rows []row) (ix *Index, err error) {
	// Bleve answers a missing directory with a riddle.
	if _, err := os.Stat(filepath.Join(dir, "index_meta.json")); err != nil {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			ix, err = nil, fmt.Errorf("index is damaged (%v); copy the snapshot again or build it anew", p)
		}
	}()
	if err := store.CheckPages(filepath.Join(dir, "store", "root.bolt")); err != nil {
		return nil, err
	}
	b, err := bleve.OpenUsing(dir, map[string]any{"read_only": true, "bolt_timeout": "2s"})
	if err != nil {
		return nil, err
	}
	ix = &Index{rows: rows, bleve: b, slow: make(chan struct{}, runtime.GOMAXPROCS(0))}
	if err := ix.load(dir); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// load reads what is held in memory: the numbers and the kept values.
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
		return errors.New("index has no segment, or several; copy the snapshot again or build it anew")
	}
	ix.segment = snapshot.Segments()[0]
	documents := ix.segment.Segment().Count()
	if room, err := segmentBytes(dir); err != nil || documents > uint64(room) {
		return errors.Join(err, fmt.Errorf("index of %d bytes has %d documents; it is damaged, build it anew", room, documents))
	}
	ix.numbers = make([]store.Num, documents)
	ix.weights = make([]uint8, documents)
	seen := make([]bool, documents)
	for doc := range documents {
		id, err := ix.segment.DocID(doc)
		if err != nil {
			return fmt.Errorf("read document %d: %w", doc, err)
		}
		if string(id) == emptyID && documents == 1 {
			ix.numbers, ix.weights = nil, nil
			break
		}
		n, weight, ok := parseDocumentID(id)
		if !ok || uint64(n) >= documents || seen[n] || uint64(n)/blockSize != doc/blockSize {
			return fmt.Errorf("document %d has the name %q; the index is damaged, build it anew", doc, id)
		}
		ix.numbers[doc], ix.weights[doc], seen[n] = n, weight, true
		ix.averageWeight += float64(weight) / float64(documents)
	}
	ix.total = len(ix.numbers)
	ix.loadLengths()
	ix.lexicons, ix.sounds, ix.others = make([]lexicon, len(ix.rows)), make([]nearSounds, len(ix.rows)), make([]otherSounds, len(ix.rows))
	ix.readers.New = func() any { return &reader{ix: ix} }
	ix.scratch.New = func() any { return newCollector(ix) }
	return ix.loadColumns()
}

// segmentBytes is the size of the index's segments.
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

// loadLengths parts the places by the length of their titles.
func (ix *Index) loadLengths() {
	if !slices.ContainsFunc(ix.rows, func(r row) bool { return r.analyzer == Title }) {
		return
	}
	var byLength [256]*roaring.Bitmap
	for at, w := range ix.weights {
		if byLength[w] == nil {
			byLength[w] = roaring.New()
		}
		byLength[w].Add(uint32(at))
	}
	for _, b := range byLength {
		if b != nil {
			ix.lengths = append(ix.lengths, b)
		}
	}
}

// loadColumns reads the kept values.
func (ix *Index) loadColumns() error {
	ix.columns = make([]column, len(ix.rows))
	byName := make(map[string]int)
	for i, r := range ix.rows {
		if r.analyzer.keepsValues() {
			byName[r.name+keptSuffix] = i
		}
	}
	if len(byName) == 0 || ix.total == 0 {
		return nil
	}
	texts := make([]strings.Builder, len(ix.rows))
	for doc := range ix.numbers {
		err := ix.segment.VisitDocument(uint64(doc), func(field string, _ byte, value []byte, _ []uint64) bool {
			if i, ok := byName[field]; ok {
				texts[i].Write(value)
			}
			return true
		})
		if err != nil {
			return fmt.Errorf("read document %d: %w", doc, err)
		}
		for _, i := range byName {
			ix.columns[i].ends = append(ix.columns[i].ends, uint32(texts[i].Len()))
		}
	}
	for _, i := range byName {
		ix.columns[i].text = texts[i].String()
	}
	return nil
}

// Close lets go of the index's files. No search may be running.
func (ix *Index) Close() error {
	var err error
	if ix.reader != nil {
		err = ix.reader.Close()
	}
	return errors.Join(err, ix.bleve.Close())
}

// Len is the number of records.
func (ix *Index) Len() int { return ix.total }

// any says whether ok holds for a value of row i of the record at a place.
func (ix *Index) any(i int, at place, ok func(value string) bool) bool {
	for v := range strings.SplitSeq(ix.columns[i].of(at), valueSeparator) {
		if v != "" && ok(v) {
			return true
		}
	}
	return false
}
