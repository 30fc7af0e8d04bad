package store

import (
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
	slices.Sort(d.Added)
	slices.Sort(d.Changed)
	d.Removed = slices.Sorted(maps.Keys(old))
	return d
}

// allAdded is what Compare says of a table that was not there.
func allAdded(table Table, now *Tx) Diff {
	d := Diff{After: now.Count(table)}
	for n := range Num(d.After) {
		d.Added = append(d.Added, keyedTables[table].of(now, n))
	}
	slices.Sort(d.Added)
	return d
}

// fingerprints yields, for each record of a table, its key and a hash of what counts
// in [Compare].
func fingerprints(t *Tx, table Table) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		answers, show := fingerprinted(t, table)
		var buf []byte
		for n := range Num(t.Count(table)) {
			var h maphash.Hash
			h.SetSeed(fingerprintSeed)
			b := t.buffers()
			unpacked, rendered := len(b.unpacked), len(b.rendered)
			for _, answer := range answers(n) {
				buf = answer.Append(buf[:0], "", show)
				h.Write(buf)      // never fails
				h.WriteByte('\n') // never fails
			}
			// Nothing of this record is used any more.
			b.unpacked = b.unpacked[:min(unpacked, len(b.unpacked))]
			b.rendered = b.rendered[:rendered]
			if !yield(keyedTables[table].of(t, n), h.Sum64()) {
				return
			}
		}
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
		species := make([]string, t.Count(TableSpecies))
		for n := range species {
			species[n] = keyedSpecies.of(t, Num(n))
		}
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
