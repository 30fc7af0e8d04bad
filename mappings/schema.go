package mappings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"bencao/names/han"
)

// version must be raised when an analyzer gives other terms for the same text or the layout of the
// index changes. A change of the folding tables needs no new version, because [Schema] includes a
// hash of the tables.
const version = 8

// Schema returns a hash of the contents of the indexes: fields, terms, tiers, and the
// folding of names.
func Schema() string {
	h := sha256.New()
	fmt.Fprintln(h, "version", version, "folding", han.Tables())
	describe(h, "species", Species)
	describe(h, "formulas", Formulas)
	describe(h, "papers", Papers)
	describe(h, "herbs", Herbs)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func describe[R any](w io.Writer, table string, fields []Field[R]) {
	for _, f := range Expand(fields) {
		fmt.Fprintln(w, table, f.Name, f.Analyzer, f.Tiers, f.Characters, f.Part, f.Attested)
	}
}
