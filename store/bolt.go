package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// ErrDamaged is the error for a file whose contents cannot be read.
var ErrDamaged = errors.New("file is damaged")

// boltFile is a bbolt file open for reading. bbolt follows the page numbers in a file without
// checking them, so the file must have been verified against the manifest of its snapshot. The zero
// value has no file.
type boltFile struct {
	db   *bolt.DB
	file *os.File // the file that db reads and closes; used to check its size

	mu     sync.Mutex // guards idle and closed
	idle   []*readTx  // open, but not in use
	closed bool
}

// maxIdle is the number of idle transactions that stay open for reuse.
const maxIdle = 64

// readTx is a read transaction with a cursor for each bucket that it has read. The file never
// changes, so every transaction sees the same data and can be reused.
type readTx struct {
	file    *boltFile
	tx      *bolt.Tx
	cursors map[string]*bolt.Cursor // by bucket; nil if the file lacks the bucket
}

// get returns the value of a key in a bucket, or nil if the bucket or the key is missing.
func (r *readTx) get(bucket, key []byte) []byte {
	c := r.cursor(bucket)
	if c == nil {
		return nil
	}
	if k, v := c.Seek(key); bytes.Equal(k, key) {
		return v
	}
	return nil
}

// cursor returns the cursor of a bucket, or nil if the file lacks the bucket.
func (r *readTx) cursor(bucket []byte) *bolt.Cursor {
	c, known := r.cursors[string(bucket)]
	if !known {
		if b := r.tx.Bucket(bucket); b != nil {
			c = b.Cursor()
		}
		r.cursors[string(bucket)] = c
	}
	return c
}

// record returns the value of record n in a bucket, or nil if the bucket has no value for it.
func (r *readTx) record(bucket []byte, n Num) []byte {
	var key [4]byte
	binary.BigEndian.PutUint32(key[:], n)
	return r.get(bucket, key[:])
}

// numbers returns the list of record numbers that a bucket holds for record n.
func (r *readTx) numbers(bucket []byte, n Num) []Num {
	packed := r.record(bucket, n)
	nums := make([]Num, 0, len(packed)/4)
	for ; len(packed) >= 4; packed = packed[4:] {
		nums = append(nums, binary.BigEndian.Uint32(packed))
	}
	return nums
}

// meta returns a number from the meta bucket, or 0 if the key is missing.
func (r *readTx) meta(key []byte) Num {
	v := r.get(bucketMeta, key)
	if len(v) != 4 {
		return 0
	}
	return binary.BigEndian.Uint32(v)
}

// openBolt opens a file for reading. If it returns an error, nothing is open.
func openBolt(path string) (*boltFile, error) {
	f := &boltFile{}
	openFile := func(path string, flag int, mode os.FileMode) (_ *os.File, err error) {
		f.file, err = os.OpenFile(path, flag, mode)
		return f.file, err
	}
	var err error
	if f.db, err = bolt.Open(path, 0o444, &bolt.Options{ReadOnly: true, Timeout: 5 * time.Second, OpenFile: openFile}); err != nil {
		return nil, err
	}
	return f, nil
}

// createBolt creates a bbolt file and opens it for writing. It does not sync the file; the
// publication of the snapshot does that. pageSize is the size of a page in bytes; 0 means the
// system's.
func createBolt(path string, pageSize int) (*bolt.DB, error) {
	db, err := bolt.Open(path, 0o644, &bolt.Options{
		PageSize:       pageSize,
		NoSync:         true,
		NoFreelistSync: true,
		FreelistType:   bolt.FreelistArrayType, // allocates pages in ascending order, so that equal data produces equal files
	})
	if err == nil {
		db.AllocSize = 1 << 20 // the maximum number of unused bytes at the end of the file
	}
	return db, err
}

// close closes the file after all transactions have ended.
func (f *boltFile) close() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	idle := f.idle
	f.idle, f.closed = nil, true
	f.mu.Unlock()
	var errs []error
	for _, r := range idle {
		errs = append(errs, r.tx.Rollback())
	}
	if f.db != nil {
		errs = append(errs, f.db.Close()) // waits for transactions
	}
	return errors.Join(errs...)
}

// begin returns an idle transaction or starts one.
func (f *boltFile) begin() (*readTx, error) {
	f.mu.Lock()
	if last := len(f.idle) - 1; last >= 0 {
		r := f.idle[last]
		f.idle = f.idle[:last]
		f.mu.Unlock()
		return r, nil
	}
	f.mu.Unlock()
	// A new transaction reads pages while it holds a lock of bbolt. If the file was truncated, this
	// read would panic and never release the lock. Then no later request would get an answer.
	if info, err := f.file.Stat(); err != nil {
		return nil, fmt.Errorf("read store: %w", err)
	} else if info.Size() < int64(2*f.db.Info().PageSize) {
		return nil, fmt.Errorf("read store: %w: the file was truncated while in use; roll back to another snapshot", ErrDamaged)
	}
	tx, err := f.db.Begin(false)
	if err != nil {
		return nil, fmt.Errorf("read store: %w", err)
	}
	return &readTx{file: f, tx: tx, cursors: map[string]*bolt.Cursor{}}, nil
}

// end keeps a transaction for reuse. It ends the transaction instead if maxIdle transactions are
// already idle or if the file is closed.
func (f *boltFile) end(r *readTx) error {
	f.mu.Lock()
	keep := !f.closed && len(f.idle) < maxIdle
	if keep {
		f.idle = append(f.idle, r)
	}
	f.mu.Unlock()
	if keep {
		return nil
	}
	return r.tx.Rollback()
}
