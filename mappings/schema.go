package mappings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"bencao/names/han"
)

// version is raised whenever an analyzer makes other terms of the same text,
// or an index is laid out otherwise. The tables that fold characters speak for
// themselves.
const version = 8

// Schema identifies what the indexes hold: their fields, terms and tiers, and
// how names are folded.
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
	for _, f := range fields {
		fmt.Fprintln(w, table, f.Name, f.Analyzer, f.Tiers, f.Sounds, f.In, f.Attested)
	}
}
