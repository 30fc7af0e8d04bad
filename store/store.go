package store

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"bencao/names/region"
)

// Table is the name of a table of records.
type Table string

// The tables of the store.
const (
	TableSpecies  Table = "species"
	TableFormulas Table = "formulas"
	TablePapers   Table = "papers"
	TableHerbs    Table = "herbs"
)

// Store reads the answers of one snapshot. It is safe for concurrent use. Close waits for open
// transactions, so call it after they have ended.
type Store struct {
	*boltFile
	pool    sync.Pool // of *buffers
	regions func() (*region.Table, error)
}

// FileName is the name of the store in a snapshot.
const FileName = "store.bolt"

// buffers hold the answers of a transaction, and later transactions reuse them. A full buffer is
// replaced by a new buffer; the old buffer stays in memory as long as its answers are used.
type buffers struct {
	unpacked []byte   // answers
	rendered []byte   // details of formulas
	herbs    [][]byte // of a similarReader
}

// Open opens the store's file for reading. The caller must have verified the file against the
// manifest. Open detects only damage that makes reading unsafe, and then returns an error that
// wraps [ErrDamaged].
func Open(path string) (*Store, error) {
	s := &Store{}
	s.regions = sync.OnceValues(s.readRegions)
	var err error
	if s.boltFile, err = openBolt(path); err == nil {
		err = s.prepare()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open store %s: %w", path, err), s.Close())
	}
	return s, nil
}

// prepare checks the schema of the file.
func (s *Store) prepare() error {
	tx, err := s.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	if got := tx.get(bucketMeta, keySchema); string(got) != schema {
		return fmt.Errorf("has schema %.40q, this program has %q; run \"bencao index\" with this program", got, schema)
	}
	return nil
}

// Regions returns the geography with which the snapshot was built.
func (s *Store) Regions() (*region.Table, error) { return s.regions() }

// Regions returns the geography with which the snapshot was built.
func (t *Tx) Regions() (*region.Table, error) { return t.store.regions() }

func (s *Store) readRegions() (*region.Table, error) {
	tx, err := s.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	t, err := region.Parse("the regions of the snapshot", bytes.Clone(tx.get(bucketMeta, keyRegion)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return t, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.boltFile.close() }

// Begin starts a read transaction. Close it when the bytes that it returned are no longer used.
func (s *Store) Begin() (*Tx, error) {
	r, err := s.begin()
	if err != nil {
		return nil, err
	}
	return &Tx{readTx: r, store: s}, nil
}

// View opens the store's file at path, calls f with a transaction, and closes both. The
// bytes that the transaction returned are valid until f returns.
func View(path string, f func(*Tx) error) (err error) {
	s, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	tx, err := s.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	return f(tx)
}

// Tx is a read transaction. The bytes that its methods return are valid until Close. Only one
// goroutine may use it.
type Tx struct {
	*readTx          // nil after Close
	store   *Store   // nil in a transaction of Changes
	scratch *buffers // nil before the first use
}

// Close ends the transaction. It panics if the transaction is closed already.
func (t *Tx) Close() {
	r := t.readTx
	if t.readTx = nil; r == nil {
		panic("store: a transaction is closed twice") // a bug of the caller
	}
	if err := r.file.end(r); err != nil {
		panic(err) // bbolt refused to end the transaction: a bug of this package
	}
	if b := t.scratch; b != nil {
		b.unpacked, b.rendered = b.unpacked[:0], b.rendered[:0]
		t.store.pool.Put(b)
		t.scratch = nil
	}
}

// buffers returns the buffers of the transaction.
func (t *Tx) buffers() *buffers {
	if t.scratch == nil {
		var ok bool
		if t.scratch, ok = t.store.pool.Get().(*buffers); !ok {
			t.scratch = new(buffers)
		}
	}
	return t.scratch
}

// answer returns the answer that a bucket holds for record n, or nil if the bucket has none.
func (t *Tx) answer(bucket []byte, n Num) Template {
	if v := t.record(bucket, n); v != nil {
		return t.unpack(v)
	}
	return nil
}

// unpack returns the answer in a value, decompressed if necessary. It returns nil if
// the value is damaged.
func (t *Tx) unpack(value []byte) Template {
	if !isPacked(value) {
		return value
	}
	b := t.buffers()
	var answer Template
	b.unpacked, answer, _ = unpack(b.unpacked, value, bufferSize)
	return answer // nil if the value is damaged
}
