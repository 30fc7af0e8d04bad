package mappings_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// TestDamagedFiles damages the files of an index that the program reads itself, each 120 times. If
// the damaged index opens, it must answer or return an error. It must not end the process or search
// forever. Bleve's own files are verified against the manifest before they are opened.
func TestDamagedFiles(t *testing.T) {
	records := few()
	for n := range 300 {
		records = append(records, store.Species{
			SpeciesDetail: store.SpeciesDetail{
				EntryID: int32(100 + n), ChineseName: store.Text([]rune{'一' + rune(n), '参'}), ChineseNamePinyin: "yī shēn",
				ScientificName: store.Text(fmt.Sprintf("Salvia nova%c%c", 'a'+n%26, 'a'+n/26)), Rank: "species",
			},
			Num: store.Num(3 + n),
		})
	}
	dir := filepath.Join(t.TempDir(), "species.bleve")
	must(t, index.Build(context.Background(), dir, mappings.Species, records))
	for _, file := range []string{filepath.Join(dir, "index_meta.json"), filepath.Join(dir, "values.gz")} {
		good, err := os.ReadFile(file)
		must(t, err)
		outcomes := map[string]int{}
		for seed := range 120 {
			bad := spoilt(rand.New(rand.NewPCG(uint64(seed), 3)), bytes.Clone(good))
			must(t, os.WriteFile(file, bad, 0o644))
			outcomes[tried(t, dir)]++
		}
		must(t, os.WriteFile(file, good, 0o644))
		if got := tried(t, dir); got != "answers" {
			t.Errorf("%s put together again: %s", filepath.Base(file), got)
		}
		if outcomes["refused"] == 0 {
			t.Errorf("%s: no damage was noticed: %v; the test harms the wrong bytes", filepath.Base(file), outcomes)
		}
		t.Log(filepath.Base(file), outcomes)
	}
}

// spoilt returns a damaged copy of a file. It flips bits, overwrites or clears a part, or cuts off
// the end.
func spoilt(rnd *rand.Rand, b []byte) []byte {
	from := 0
	if rnd.IntN(2) == 0 {
		from = max(0, len(b)-400)
	}
	some := func() []byte {
		at := from + rnd.IntN(len(b)-from)
		return b[at:min(at+1<<rnd.IntN(12), len(b))]
	}
	switch rnd.IntN(5) {
	case 0:
		copy(some(), some())
	case 1:
		clear(some())
	case 2:
		return b[:from+rnd.IntN(len(b)-from)]
	default:
		for range 1 + rnd.IntN(16) {
			b[from+rnd.IntN(len(b)-from)] ^= 1 << rnd.IntN(8)
		}
	}
	return b
}

// tried opens an index, searches it, and returns the result as text.
func tried(t *testing.T, dir string) string {
	t.Helper()
	ix, err := search.Open(dir, mappings.Species)
	if err != nil {
		if !strings.Contains(err.Error(), dir) {
			t.Errorf("error %q does not say which index it is", err)
		}
		if text := err.Error(); len(text) > 600 || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("error %q is not a line that people can read", text)
		}
		return "refused"
	}
	defer closeAll(t, ix)
	outcome := "answers"
	for _, q := range []string{"", "人参", "一参", "renshen", "rs", "panax", "notoginseng", "panax gingseng", "salvia novaa", "人身", "sq"} {
		if _, err := ix.Search(context.Background(), search.Query{Text: q, Size: 50}); err != nil {
			outcome = "an error"
		}
	}
	return outcome
}
