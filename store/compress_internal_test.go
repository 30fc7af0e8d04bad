package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bencao/internal/test/testkit"

	bolt "go.etcd.io/bbolt"
)

// withUses writes a store with one species that has the given number of uses, alters the file and
// opens it.
func withUses(t *testing.T, uses int, alter func(*bolt.Tx) error) *Tx {
	t.Helper()
	one := Species{SpeciesDetail: SpeciesDetail{EntryID: 1, GUID: "00000000-0000-5000-a000-000000000001", ScientificName: "Panax ginseng"}}
	for i := range uses {
		one.Uses = append(one.Uses, PlantUse{ID: int64(i + 1), Description: Text(strings.Repeat("root ", 100))})
	}
	path := filepath.Join(t.TempDir(), FileName)
	must(t, Write(t.Context(), path, &Data{Species: []Species{one}}, nil))
	db, err := bolt.Open(path, 0o600, nil)
	must(t, err)
	must(t, errors.Join(db.Update(alter), db.Close()))
	s, err := Open(path)
	must(t, err)
	tx, err := s.Begin()
	must(t, err)
	t.Cleanup(func() {
		tx.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return tx
}

// TestLongListsAreNotUnpacked checks that a long list is read from the file in chunks, so that a
// slow client takes no memory of the server.
func TestLongListsAreNotUnpacked(t *testing.T) {
	tx := withUses(t, 2000, func(*bolt.Tx) error { return nil })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := tx.SpeciesUses(0).Reader("", 0)
	runtime.ReadMemStats(&after)
	if r.Len() < 1<<20 {
		t.Fatalf("the list has %d bytes, want a million at least", r.Len())
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > longestPacked {
		t.Errorf("the reader of a list of %d bytes takes %d bytes of memory, want %d at most", r.Len(), got, longestPacked)
	}
}

// TestDamagedListIsAnError checks that a list that cannot be decompressed is an error. A list that
// is not stored is empty and no error.
func TestDamagedListIsAnError(t *testing.T) {
	tx := withUses(t, 3, func(tx *bolt.Tx) error {
		b := tx.Bucket(speciesUses)
		whole := b.Get(numKey(0))
		if !isPacked(whole) {
			return errors.New("a short list is not compressed")
		}
		return b.Put(numKey(0), append([]byte(nil), whole[:len(whole)-3]...))
	})
	if err := tx.SpeciesUses(0).Err(); !errors.Is(err, ErrDamaged) {
		t.Errorf("a list whose end is missing gives %v, want %v", err, ErrDamaged)
	}
	if err := tx.SpeciesFlora(0).Err(); err != nil {
		t.Errorf("a list that is not stored gives %v, want no error", err)
	}
}

// TestManyAnswersInOneTransaction checks that a transaction may read any number of answers, and
// that all stay valid.
func TestManyAnswersInOneTransaction(t *testing.T) {
	tx := withUses(t, 30, func(*bolt.Tx) error { return nil })
	first := tx.SpeciesUses(0).Append(nil, "", 0)
	var all []Rows
	for n := 0; n < 2<<20; n += len(first) {
		all = append(all, tx.SpeciesUses(0))
	}
	for i, rows := range all {
		if got := rows.Append(nil, "", 0); !bytes.Equal(got, first) {
			t.Fatalf("of %d readings of a list, number %d gives %.40q; want %.40q", len(all), i, got, first)
		}
	}
}

// TestPack checks that unpack returns the bytes that pack compressed, also when the buffer already
// holds other answers. pack must return an answer unchanged if it is too long or would not become
// smaller.
func TestPack(t *testing.T) {
	noise := make([]byte, 3000)
	if _, err := rand.NewChaCha8([32]byte{}).Read(noise); err != nil {
		t.Fatal(err)
	}
	noise[0] = '{'
	cases := []struct {
		answer string
		packed bool
	}{
		{`{"id":"a","title":"` + strings.Repeat("Panax ginseng ", 5) + `"}`, true}, {`{"id":"` + strings.Repeat("ab", 10_000) + `"}`, true},
		{strings.Repeat("x", longestPacked), true}, {strings.Repeat("x", longestPacked+1), false}, {string(noise), false}, {"{}", false},
	}
	for i := range packings {
		p := packer{number: byte(i + 1)}
		var values [][]byte
		for _, c := range cases {
			values = append(values, p.pack([]byte(c.answer)))
		}
		for k, c := range cases {
			value := values[k]
			if isPacked(value) != c.packed {
				t.Errorf("%.40q is packed to %d bytes: %t, want %t", c.answer, len(value), isPacked(value), c.packed)
			}
			if !isPacked(value) {
				continue
			}
			buffer := make([]byte, 3, 100)
			if _, got, ok := unpack(buffer, value, 10); !ok || string(got) != c.answer {
				t.Errorf("%.40q is unpacked as %.40q, %t", c.answer, got, ok)
			}
		}
	}
	var none packer
	if got := none.pack([]byte(`{"id":"a","title":"Panax ginseng"}`)); isPacked(got) {
		t.Error("an answer is packed for a bucket without a dictionary")
	}
}

func BenchmarkPack(b *testing.B) {
	one := Species{SpeciesDetail: SpeciesDetail{EntryID: 1, GUID: "00000000-0000-5000-a000-000000000001", ScientificName: "Panax ginseng", Author: "C. A. Mey.", Family: "Araliaceae"}}
	answer, err := (&Data{}).speciesSummary(&one)
	must(b, err)
	p := packer{number: dictionaryNumber(speciesSummaries)}
	b.ReportAllocs()
	for b.Loop() {
		p.pack(answer)
	}
}

// FuzzUnpack unpacks damaged bytes. The result must be an error or an answer of limited length.
func FuzzUnpack(f *testing.F) {
	for i := range packings {
		p := packer{number: byte(i + 1)}
		f.Add(p.pack([]byte(`{"id":"a","title":"Panax ginseng","url":"\x01/papers/a"}`)))
	}
	f.Add([]byte{1})
	f.Add([]byte{1, 0xff, 0xff, 0x03, 0xfe, 0xff})
	f.Fuzz(func(t *testing.T, value []byte) {
		if !isPacked(value) {
			return
		}
		var got []byte
		var ok bool
		testkit.LimitAlloc(t, 1<<20, func() { _, got, ok = unpack(nil, value, 0) })
		if len(got) > longestPacked || !ok && got != nil {
			t.Errorf("%q is unpacked to %d bytes, %t", value, len(got), ok)
		}
	})
}
