package mappings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"bencao/names"
	"bencao/names/han"
	"bencao/store"
)

// version is raised whenever an analyzer makes other terms of the same text,
// or an index is laid out otherwise. The tables that fold characters speak for
// themselves.
const version = 2

// Schema identifies what the files of a snapshot hold: the fields, terms and
// tiers of the indexes, how names are folded, and the formats of the names file
// and the store. A server must refuse a snapshot with another schema, and a
// night must build it anew.
func Schema() string {
	h := sha256.New()
	fmt.Fprintln(h, "version", version, "folding", han.Tables(), "names", names.Format, "store", store.Format)
	describe(h, "species", Species)
	describe(h, "formulas", Formulas)
	describe(h, "papers", Papers)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func describe[R any](w io.Writer, table string, fields []Field[R]) {
	for _, f := range fields {
		fmt.Fprintln(w, table, f.Name, f.Analyzer, f.Tiers, f.Sounds)
	}
}
