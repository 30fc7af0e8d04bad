package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// BenchmarkIDs finds 100,000 GUIDs in the hash table and, for comparison, in a bbolt bucket whose
// keys are the GUIDs. Measured on two shared cores:
//
//	hash table   0.3 to 0.4 µs, 11 bytes per key
//	bucket       0.9 to 1.8 µs, 68 bytes per key
func BenchmarkIDs(b *testing.B) {
	const n = 100_000
	key := func(i int) string { return fmt.Sprintf("%08x-0000-5000-8000-%012x", uint32(i)*2654435761, i) }
	x, err := newIDs(n, key)
	must(b, err)
	b.Run("hash table", func(b *testing.B) {
		rnd := rand.New(rand.NewPCG(1, 1))
		for b.Loop() {
			want := rnd.IntN(n)
			if got, ok := x.find(key(want), func(i Num) bool { return i == Num(want) }); !ok || got != Num(want) {
				b.Fatalf("key %d has number %d", want, got)
			}
		}
		b.ReportMetric(float64(len(x))/n, "bytes/key")
	})
	path := filepath.Join(b.TempDir(), "ids.bolt")
	db, err := createBolt(path, 0)
	must(b, err)
	err = db.Update(func(tx *bolt.Tx) error {
		bucket, err := tx.CreateBucket([]byte("ids"))
		var errs []error
		bucket.FillPercent = 1 // keys are inserted in ascending order
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return strings.Compare(key(i), key(j)) })
		for _, i := range order {
			errs = append(errs, bucket.Put([]byte(key(i)), numKey(Num(i))))
		}
		return errors.Join(append(errs, err)...)
	})
	must(b, errors.Join(err, db.Close()))
	f, err := openBolt(path)
	must(b, err)
	tx, err := f.begin()
	must(b, err)
	b.Run("bucket", func(b *testing.B) {
		rnd := rand.New(rand.NewPCG(1, 1))
		for b.Loop() {
			want := rnd.IntN(n)
			if got := tx.get([]byte("ids"), []byte(key(want))); binary.BigEndian.Uint32(got) != Num(want) {
				b.Fatalf("key %d has number %x", want, got)
			}
		}
		info, err := os.Stat(path)
		must(b, err)
		b.ReportMetric(float64(info.Size())/n, "bytes/key")
	})
	must(b, errors.Join(f.end(tx), f.close()))
}

// TestIDs builds hash tables of 0 to 50,000 keys. A lookup of each key must return its number, and on
// average a lookup must compare little more than one record. A lookup of an unknown key must find
// nothing.
func TestIDs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{0, 1, 2, 3, 10, 1000, 50_000} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("doi:10.%d/%d", i%7, i)
		}
		rnd.Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		x, err := newIDs(n, func(i int) string { return keys[i] })
		must(t, err)
		looked := 0
		find := func(key string) (Num, bool) {
			return x.find(key, func(i Num) bool {
				looked++
				return keys[i] == key
			})
		}
		for i, key := range keys {
			if got, ok := find(key); !ok || got != Num(i) {
				t.Fatalf("of %d keys %s has number %d, %t; want %d", n, key, got, ok, i)
			}
		}
		if looked > n+n/1000 {
			t.Errorf("%d lookups compared %d records, want hardly more than one record for each", n, looked)
		}
		for i := range 1000 {
			if got, ok := find(fmt.Sprintf("doi:10.8/%d", i)); ok {
				t.Fatalf("in a table of %d keys an unknown key has number %d", n, got)
			}
		}
	}
}

// TestDamagedIDs checks that a lookup in a damaged table ends and finds nothing.
func TestDamagedIDs(t *testing.T) {
	full := make(ids, 10*idSize)
	for i := range full {
		full[i] = 0xff
	}
	for _, x := range []ids{nil, {1, 2, 3}, full[:idSize+1], full} {
		if got, ok := x.find("key", func(Num) bool { return false }); ok {
			t.Errorf("% x has the key at %d", []byte(x), got)
		}
	}
}
