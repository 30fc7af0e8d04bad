package names_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bencao/names"
)

// TestDamagedIndex flips bits of a names file, or exchanges or clears parts of it. If the file
// opens, it must answer without a panic, but the answers may be wrong.
func TestDamagedIndex(t *testing.T) {
	file := filepath.Join(t.TempDir(), "names.idx")
	writeFixture(t, file)
	good, err := os.ReadFile(file)
	must(t, err)
	const body = 24 // the offset of the data after the header
	refused, opened := 0, 0
	for seed := range 600 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 2))
		bad := bytes.Clone(good)
		some := func() []byte {
			at := body + rnd.IntN(len(bad)-body)&^3
			return bad[at:min(at+4<<rnd.IntN(6), len(bad))]
		}
		switch seed % 4 {
		case 0:
			bad[body+rnd.IntN(len(bad)-body)] ^= 1 << rnd.IntN(8)
		case 1: // change a number by a little
			if p := some(); len(p) >= 4 {
				binary.LittleEndian.PutUint32(p, binary.LittleEndian.Uint32(p)+uint32(rnd.IntN(7))-3)
			}
		case 2:
			copy(some(), some())
		case 3:
			clear(some())
		}
		if bytes.Equal(bad, good) {
			continue
		}
		must(t, os.WriteFile(file, bad, 0o644))
		ix, err := names.Open(file)
		if err != nil {
			refused++
			if !errors.Is(err, names.ErrDamaged) {
				t.Errorf("seed %d: error %q, want one that wraps ErrDamaged", seed, err)
			}
			continue
		}
		opened++
		for _, q := range []string{"Panax ginseng", "Paanx gniseng", "Citrus aurantium", "丹参", "ren shen", "91472-1", "P. ginseng", "Malva sp.", "Cisus dicolor Bl.", "A b × c d"} {
			for _, query := range []names.Query{{Name: q, Explain: true, Limit: names.MaxLimit}, {Name: q, NoFuzzy: true, Author: "L.", Family: "Araliaceae"}} {
				if _, err := ix.Match(query); err != nil {
					t.Errorf("seed %d: %q: %v", seed, q, err)
				}
				if _, _, err := ix.Reconcile(query); err != nil {
					t.Errorf("seed %d: reconcile %q: %v", seed, q, err)
				}
			}
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	}
	if refused < 100 || opened < 50 {
		t.Errorf("%d damaged files refused and %d opened, want both often; the test harms the wrong bytes", refused, opened)
	}
	t.Logf("%d refused, %d opened", refused, opened)
}
