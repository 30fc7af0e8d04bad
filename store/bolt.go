package store

import (
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

// boltFile is a file of bbolt that is read. The zero value is closed.
type boltFile struct {
	db   *bolt.DB
	file *os.File // the same file, for its size
}

// openBolt opens a file for reading. If it returns an error, nothing is open.
func openBolt(path string) (boltFile, error) {
	if err := CheckPages(path); err != nil {
		return boltFile{}, err
	}
	db, err := bolt.Open(path, 0o444, &bolt.Options{ReadOnly: true, Timeout: 5 * time.Second})
	if err != nil {
		return boltFile{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		return boltFile{}, errors.Join(err, db.Close())
	}
	return boltFile{db, file}, nil
}

// createBolt begins a file, which is synced by the snapshot's publication.
func createBolt(path string) (*bolt.DB, error) {
	return bolt.Open(path, 0o644, &bolt.Options{
		NoSync:         true,
		NoFreelistSync: true,
		FreelistType:   bolt.FreelistArrayType, // gives out pages in one order
	})
}

func (f *boltFile) close() error {
	if f.db == nil {
		return nil
	}
	return errors.Join(f.db.Close(), f.file.Close())
}

// begin starts reading.
func (f *boltFile) begin() (*bolt.Tx, error) {
	// A transaction begins by reading the first pages, under a lock. If they
	// were cut off, the panic would leave it locked, and nobody else would
	// ever get an answer.
	if info, err := f.file.Stat(); err != nil {
		return nil, fmt.Errorf("read store: %w", err)
	} else if info.Size() < int64(2*f.db.Info().PageSize) {
		return nil, fmt.Errorf("read store: %w: it was cut off while it is in use; roll back to another snapshot", ErrDamaged)
	}
	tx, err := f.db.Begin(false)
	if err != nil {
		return nil, fmt.Errorf("read store: %w", err)
	}
	return tx, nil
}
