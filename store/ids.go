package store

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// ids lead from the stable keys of a table's records to their numbers: an open hash table
// with linear probing (Knuth, The Art of Computer Programming 3, 6.4, Algorithm L). The keys
// stand in the records, which are looked at before they are believed.
//
//	slots    32 bits of the key's hash and the number plus 1, both little-endian; an empty one is zero
//
// As sorted keys they would take five times the room, and more time.
type ids []byte

const (
	idSize = 8
	// slotsOf says how many slots n keys have: four for three.
	slotsNum, slotsDen = 4, 3
)

// newIDs makes the ids of n records. It refuses keys that stand twice.
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
				return nil, fmt.Errorf("guid %q stands twice", k)
			}
			at = x.after(at)
		}
	}
	return x, nil
}

// place is the hash of a key in its slot, and where the first slot for it begins.
func (x ids) place(key string) (tag uint32, at int) {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd // its high bits are weak: finished as by MurmurHash3
	h ^= h >> 33
	return uint32(h), int(h>>32*uint64(len(x)/idSize)>>32) * idSize
}

// after is where the next slot begins.
func (x ids) after(at int) int {
	if at += idSize; at < len(x) {
		return at
	}
	return 0
}

// find returns the number that has a key, of which is tells.
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

// keyed says where the stable keys of a table stand.
type keyed struct {
	table     Table
	ids       []byte // bucket of the [ids]
	summaries []byte // bucket of the answers in which the key stands
	field     string // of these
	fold      bool   // keys are in lower case, and found whatever their case
}

var (
	keyedSpecies  = &keyed{TableSpecies, speciesGUIDs, speciesSummaries, "guid", true}
	keyedFormulas = &keyed{TableFormulas, formulaGUIDs, formulaSummaries, "guid", true}
	keyedHerbs    = &keyed{TableHerbs, herbGUIDs, herbSummaries, "id", true}
	keyedPapers   = &keyed{TablePapers, paperIDs, paperSummaries, "id", false}

	keyedTables = map[Table]*keyed{TableSpecies: keyedSpecies, TableFormulas: keyedFormulas, TableHerbs: keyedHerbs, TablePapers: keyedPapers}
)

// of returns the stable key of a record, "" if it can't be read.
func (k *keyed) of(t *Tx, n Num) string {
	b := t.buffers()
	before := len(b.unpacked)
	key := k.in(t.answer(k.summaries, n))
	b.unpacked = b.unpacked[:min(before, len(b.unpacked))] // the answer was used here only
	return key
}

// in returns the stable key that stands in an answer, "" if it can't be read.
func (k *keyed) in(answer Template) string {
	key, err := answer.Text(k.field)
	if err != nil {
		return ""
	}
	return key
}

// find finds a record by its stable key.
func (k *keyed) find(t *Tx, key string) (Num, bool) {
	return k.seek(t, key, func(n Num, key string) bool { return k.of(t, n) == key })
}

// answer finds a record by its stable key, with its answer of a bucket, in which the key
// stands as in the summaries. An answer that is damaged, or nil because it is not there,
// is returned all the same if the summary has the key.
func (k *keyed) answer(t *Tx, bucket []byte, key string) (n Num, answer Template, ok bool) {
	n, ok = k.seek(t, key, func(n Num, key string) bool {
		answer = t.answer(bucket, n)
		return k.in(answer) == key || k.of(t, n) == key
	})
	return n, answer, ok
}

func (k *keyed) seek(t *Tx, key string, is func(Num, string) bool) (Num, bool) {
	if k.fold {
		key = strings.ToLower(key)
	}
	if key == "" {
		return 0, false
	}
	return ids(t.get(k.ids, keyAll)).find(key, func(n Num) bool { return is(n, key) })
}
