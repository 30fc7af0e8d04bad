package snapshotfiles

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"bencao/mappings"
	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// Schema returns a hash of the format of a snapshot: the fields, terms and tiers of the indexes,
// the form of the store's answers, and the format of the names. The manifest contains this hash. A
// server refuses a snapshot with another schema, and the indexer then builds a new one.
func Schema() string {
	h := sha256.New()
	fmt.Fprintln(h, "mappings", mappings.Schema(), "store", store.Schema(), "names", names.Format)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// SameSchema returns an error if a snapshot was built with another schema.
func SameSchema(m snapshot.Manifest) error {
	if have := Schema(); m.Schema != have {
		return fmt.Errorf("built with schema %s by %s, this program has %s", m.Schema, m.Program, have)
	}
	return nil
}

// Readable returns an error with advice if this program cannot read a snapshot.
func Readable(m snapshot.Manifest) error {
	if err := SameSchema(m); err != nil {
		return fmt.Errorf("snapshot %s: %w; run \"bencao index\"", m.ID, err)
	}
	return nil
}
