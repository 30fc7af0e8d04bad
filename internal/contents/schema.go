package contents

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"bencao/internal/messages"
	"bencao/mappings"
	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// Schema identifies what the files of a snapshot hold: the fields, terms and
// tiers of the indexes, the shape of the answers in the store, and the format
// of the names. The manifest has it; a server must refuse a snapshot of another
// schema, and a night must build it anew.
func Schema() string {
	h := sha256.New()
	fmt.Fprintln(h, "mappings", mappings.Schema(), "store", store.Schema(), "names", names.Format)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// SameSchema says of a snapshot that it was built for another program than
// this.
func SameSchema(m snapshot.Manifest) error {
	if have := Schema(); m.Schema != have {
		return messages.Errorf("built with schema %s by %s, this program has %s", m.Schema, m.Program, have)
	}
	return nil
}

// Readable refuses a snapshot that this program can't read, and says what to
// do.
func Readable(m snapshot.Manifest) error {
	if err := SameSchema(m); err != nil {
		return messages.Errorf("snapshot %s: %w; run \"bencao index\"", m.ID, err)
	}
	return nil
}
