package store

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// ids maps the stable keys of a table's records to their numbers. It is an open-addressing hash
// table with linear probing (Knuth, The Art of Computer Programming 3, 6.4, Algorithm L). It does
// not store the keys: a lookup compares its key with the key of the record whose number is in the
// slot. The form of a slot is:
//
//	slot    32 bits of the key's hash and the record number plus 1, both little-endian; all zero if empty
//
// A key takes 11 bytes, and a lookup 0.4 µs. In a bbolt bucket of keys, a key would take 68 bytes,
// which is 70 MB of a full-size store, and a lookup 0.9 µs or more (BenchmarkIDs).
type ids []byte

const (
	idSize = 8
	// slotsNum/slotsDen is the number of slots per key.
	slotsNum, slotsDen = 4, 3
)

// newIDs returns the ids of n records. It returns an error if two records have the same key.
func newIDs(n int, key func(int) string) (ids, error) {
	x := make(ids, idSize*(n*slotsNum/slotsDen+1))
	for i := range n {
		k := key(i)
		tag, at := x.place(k)
		for {
			slot := x[at : at+idSize]
			held := binary.LittleEndian.Uint32(slot[4:])
			if held == 0 {
				binary.LittleEndian.PutUint32(slot, tag)
				binary.LittleEndian.PutUint32(slot[4:], uint32(i)+1)
				break
			}
			if binary.LittleEndian.Uint32(slot) == tag && key(int(held-1)) == k {
				return nil, fmt.Errorf("guid %q occurs twice", k)
			}
			at = x.after(at)
		}
	}
	return x, nil
}

// place returns the part of a key's hash that its slot stores, and the offset of the first slot to
// try.
func (x ids) place(key string) (tag uint32, at int) {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd // the high bits of FNV are weak; this is the finalizer of MurmurHash3
	h ^= h >> 33
	return uint32(h), int(h>>32*uint64(len(x)/idSize)>>32) * idSize
}

// after returns the offset of the slot that follows the slot with the given offset.
func (x ids) after(at int) int {
	if at += idSize; at < len(x) {
		return at
	}
	return 0
}

// find returns the number of the record with a key. is(n) reports whether record n has the key.
func (x ids) find(key string, is func(Num) bool) (Num, bool) {
	if len(x) < idSize || len(x)%idSize != 0 {
		return 0, false
	}
	tag, at := x.place(key)
	for range len(x) / idSize {
		n := binary.LittleEndian.Uint32(x[at+4:])
		if n == 0 {
			break
		}
		if binary.LittleEndian.Uint32(x[at:]) == tag && is(n-1) {
			return n - 1, true
		}
		at = x.after(at)
	}
	return 0, false
}

// keyed describes where the stable keys of a table are stored.
type keyed struct {
	table     Table
	ids       []byte // bucket of the [ids]
	summaries []byte // bucket of answers that contain the key
	field     string // the field of these answers that holds the key
	fold      bool   // keys are stored in lower case and found in any case
}

var (
	keyedSpecies  = &keyed{TableSpecies, speciesGUIDs, speciesSummaries, "guid", true}
	keyedFormulas = &keyed{TableFormulas, formulaGUIDs, formulaSummaries, "guid", true}
	keyedHerbs    = &keyed{TableHerbs, herbGUIDs, herbSummaries, "id", true}
	keyedPapers   = &keyed{TablePapers, paperIDs, paperSummaries, "id", false}

	keyedTables = map[Table]*keyed{TableSpecies: keyedSpecies, TableFormulas: keyedFormulas, TableHerbs: keyedHerbs, TablePapers: keyedPapers}
)

// of returns the stable key of a record, or "" if it cannot be read.
func (k *keyed) of(t *Tx, n Num) string {
	b := t.buffers()
	before := len(b.unpacked)
	key := k.in(t.answer(k.summaries, n))
	b.unpacked = b.unpacked[:min(before, len(b.unpacked))] // frees the answer, which only this function used
	return key
}

// in returns the stable key in an answer, or "" if it cannot be read.
func (k *keyed) in(answer Template) string {
	key, err := answer.Text(k.field)
	if err != nil {
		return ""
	}
	return key
}

// find returns the number of the record with a stable key.
func (k *keyed) find(t *Tx, key string) (Num, bool) {
	return k.seek(t, key, func(n Num, key string) bool { return k.of(t, n) == key })
}

// answer finds a record by its stable key and returns the record's answer in a bucket. It first
// compares the key with the key in this answer. It reads the summary only if these keys differ, for
// example because the answer is damaged or missing.
func (k *keyed) answer(t *Tx, bucket []byte, key string) (n Num, answer Template, ok bool) {
	n, ok = k.seek(t, key, func(n Num, key string) bool {
		answer = t.answer(bucket, n)
		return k.in(answer) == key || k.of(t, n) == key
	})
	return n, answer, ok
}

// seek returns the number of the record with a stable key. is(n, key) reports whether record n has
// the key.
func (k *keyed) seek(t *Tx, key string, is func(Num, string) bool) (Num, bool) {
	if k.fold {
		key = strings.ToLower(key)
	}
	if key == "" {
		return 0, false
	}
	return ids(t.get(k.ids, keyAll)).find(key, func(n Num) bool { return is(n, key) })
}
