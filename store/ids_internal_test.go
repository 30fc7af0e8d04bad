package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Every key leads to its number, and what is no key leads nowhere, in tables of all sizes.
func TestIDs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{0, 1, 2, 3, 10, 1000, 50_000} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("doi:10.%d/%d", i%7, i)
		}
		rnd.Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		x, err := newIDs(n, func(i int) string { return keys[i] })
		if err != nil {
			t.Fatal(err)
		}
		looked := 0
		find := func(key string) (Num, bool) {
			return x.find(key, func(i Num) bool {
				looked++
				return keys[i] == key
			})
		}
		for i, key := range keys {
			if got, ok := find(key); !ok || got != Num(i) {
				t.Fatalf("of %d keys %s leads to %d, %t; want %d", n, key, got, ok, i)
			}
		}
		if looked > n+n/1000 {
			t.Errorf("to find %d keys, %d records were looked at", n, looked)
		}
		for i := range 1000 {
			if got, ok := find(fmt.Sprintf("doi:10.8/%d", i)); ok {
				t.Fatalf("of %d keys one that is none leads to %d", n, got)
			}
		}
	}
}

// A table that is damaged ends the search, whatever its bytes are.
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
