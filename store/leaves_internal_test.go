package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestLeaves looks up records in buckets with and without gaps between the record numbers and with
// values longer than a page. Each lookup must return the same value as bbolt. Buckets must have no
// leaves if they are empty, have other keys or nested buckets, or are stored in their parent's
// page.
func TestLeaves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.bolt")
	db, err := createBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	value := func(n int) []byte { return bytes.Repeat([]byte(fmt.Sprintf("value %d;", n)), 1+n%7*(n%11)*20) }
	steps := map[string]int{"full": 1, "even": 2, "sparse": 97}
	const last = 20_000
	err = db.Update(func(tx *bolt.Tx) error {
		var errs []error
		create := func(name string) *bolt.Bucket {
			b, err := tx.CreateBucket([]byte(name))
			errs = append(errs, err)
			return b
		}
		put := func(b *bolt.Bucket, n int, value []byte) {
			errs = append(errs, b.Put(binary.BigEndian.AppendUint32(nil, uint32(n)), value))
		}
		for name, step := range steps {
			b := create(name)
			for n := 3; n < last; n += step {
				put(b, n, value(n))
			}
		}
		create("empty")
		put(create("small"), 7, []byte("x"))
		words, holder := create("words"), create("holder")
		for n := range 1000 {
			errs = append(errs, words.Put(fmt.Appendf(nil, "word %d", n), value(n)))
			put(holder, n+1, value(n))
		}
		_, err := holder.CreateBucket([]byte{0, 0, 0, 0})
		return errors.Join(append(errs, err)...)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := openBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.close(); err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{"empty", "small", "words", "holder", "none"} {
		if f.leaves[name] != nil {
			t.Errorf("bucket %s has leaves", name)
		}
	}
	r, err := f.begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.end(r); err != nil {
			t.Error(err)
		}
	}()
	for name := range steps {
		if l := f.leaves[name]; l == nil || len(l.first) < 2 {
			t.Fatalf("bucket %s has at most one leaf", name)
		}
		for n := range Num(last + 10) {
			want := r.get([]byte(name), binary.BigEndian.AppendUint32(nil, n))
			if got := r.record([]byte(name), n); !bytes.Equal(got, want) || (got == nil) != (want == nil) {
				t.Fatalf("number %d of bucket %s is %.40q, want %.40q", n, name, got, want)
			}
		}
		if got := r.record([]byte(name), 1<<32-1); got != nil {
			t.Errorf("the last number of bucket %s is %.40q", name, got)
		}
	}
	if got := r.record([]byte("small"), 7); string(got) != "x" {
		t.Errorf("number 7 of a bucket without leaves is %q", got)
	}
}
