package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyUses returns species with one use each.
func manyUses(n int) []Species {
	out := make([]Species, n)
	for i := range out {
		out[i] = Species{
			SpeciesDetail: SpeciesDetail{
				EntryID: int32(i + 1), GUID: fmt.Sprintf("00000000-0000-5000-a000-%012d", i*i), ScientificName: Text(fmt.Sprint("Panax ", i)),
			},
			Num:  Num(i),
			Uses: []PlantUse{{ID: int64(i + 1), Description: Text(strings.Repeat(fmt.Sprint("root ", i*7919%1000, " "), 1+i%20))}},
		}
	}
	return out
}

// TestSameBytes writes a store twice. Equal records must make equal files.
func TestSameBytes(t *testing.T) {
	write := func() []byte {
		path := filepath.Join(t.TempDir(), FileName)
		must(t, Write(t.Context(), path, &Data{Species: manyUses(2*batch + 10)}, nil))
		b, err := os.ReadFile(path)
		must(t, err)
		return b
	}
	a, b := write(), write()
	if !bytes.Equal(a, b) {
		t.Errorf("the same records make files of %d and %d bytes that differ", len(a), len(b))
	}
}
