package store

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
)

// fingerprintSeed makes fingerprints of two stores comparable within one run
// of the program; they are never written down.
var fingerprintSeed = maphash.MakeSeed()

// Diff says how the records of a table differ between two stores, by their stable
// keys, in order: the GUID; of a paper its id.
type Diff struct {
	Before, After           int // records
	Added, Removed, Changed []string
}

// Compare compares a table of two stores by all that its records' own answers say.
// Lists of similar formulas, and of what stands in formulas beside a herb, don't
// count: they change with every other formula. Then may be nil: all is added.
func Compare(table Table, then, now *Tx) Diff {
	if then == nil {
		return allAdded(table, now)
	}
	old := maps.Collect(fingerprints(then, table))
	d := Diff{Before: len(old)}
	for key, sum := range fingerprints(now, table) {
		d.After++
		was, known := old[key]
		switch {
		case !known:
			d.Added = append(d.Added, key)
		case was != sum:
			d.Changed = append(d.Changed, key)
		}
		delete(old, key)
	}
	d.Removed = slices.Sorted(maps.Keys(old))
	return d
}

// allAdded is what Compare says of a table that was not there.
func allAdded(table Table, now *Tx) (d Diff) {
	eachKey(now, keysOf[table], func(key []byte, _ Num) bool {
		d.After++
		d.Added = append(d.Added, string(key))
		return true
	})
	return d
}

// keysOf are the buckets of the stable keys.
var keysOf = map[Table][]byte{TableSpecies: speciesGUIDs, TableFormulas: formulaGUIDs, TableHerbs: herbGUIDs, TablePapers: paperIDs}

// fingerprints yields, for each record of a table in the order of the keys, its key
// and a hash of what counts in [Compare].
func fingerprints(t *Tx, table Table) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		answers, show := fingerprinted(t, table)
		var buf []byte
		eachKey(t, keysOf[table], func(key []byte, n Num) bool {
			var h maphash.Hash
			h.SetSeed(fingerprintSeed)
			room := t.needRoom()
			unpacked, rendered := len(room.unpacked), len(room.rendered)
			for _, answer := range answers(n) {
				buf = answer.Append(buf[:0], "", show)
				h.Write(buf)      // never fails
				h.WriteByte('\n') // never fails
			}
			// Nothing of this record is used any more; all of a room that was begun for it goes.
			room.unpacked = room.unpacked[:min(unpacked, len(room.unpacked))]
			room.rendered = room.rendered[:rendered]
			return yield(string(key), h.Sum64())
		})
	}
}

// appender is an answer that can be rendered.
type appender interface {
	Append(dst []byte, site string, show Parts) []byte
}

// keyList is a list of other records of which their keys alone count.
type keyList []string

// Append implements appender.
func (k keyList) Append(dst []byte, _ string, _ Parts) []byte {
	return append(dst, strings.Join(k, "\n")...)
}

// fingerprinted are the answers of a record of a table that count.
func fingerprinted(t *Tx, table Table) (answers func(Num) []appender, show Parts) {
	switch table {
	case TableSpecies:
		return func(n Num) []appender {
			return []appender{t.SpeciesDetail(n), t.SpeciesFlora(n), t.SpeciesUses(n), t.SpeciesPapers(n)}
		}, 0
	case TableFormulas:
		return func(n Num) []appender { return []appender{t.FormulaDetail(n, Composition)} }, Composition
	case TableHerbs:
		return func(n Num) []appender { return []appender{t.HerbDetail(n)} }, 0
	case TablePapers:
		species := make(map[Num]string, t.Count(TableSpecies))
		eachKey(t, speciesGUIDs, func(guid []byte, n Num) bool {
			species[n] = string(guid)
			return true
		})
		return func(n Num) []appender {
			var about keyList // what is said of them is told by themselves
			for _, s := range t.numbers(paperSpecies, n) {
				about = append(about, species[s])
			}
			return []appender{t.PaperSummary(n), about}
		}, 0
	}
	panic(fmt.Sprintf("no table %q", table))
}

// eachKey calls visit for the keys of a GUID bucket until it returns false.
func eachKey(t *Tx, bucket []byte, visit func(key []byte, n Num) bool) {
	b := t.tx.Bucket(bucket)
	if b == nil {
		return
	}
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if len(v) != 4 || !visit(k, binary.BigEndian.Uint32(v)) {
			return
		}
	}
}
