package store

import (
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
)

// fingerprintSeed is the seed of all fingerprints of a run, so that the fingerprints of two stores
// can be compared. Each run of the program has another seed, so fingerprints are never stored.
var fingerprintSeed = maphash.MakeSeed()

// Diff lists the records of a table that differ between two stores. Each list has the stable keys
// of its records (the GUID, or the id of a paper) in ascending order.
type Diff struct {
	Before, After           int // number of records in each store
	Added, Removed, Changed []string
}

// Compare compares a table of two stores by the answers of each record. It ignores the lists of
// similar formulas and of herbs used together, since a change of any other formula can change these
// lists. If then is nil, all records of now count as added.
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

// allAdded returns the diff from an empty table.
func allAdded(table Table, now *Tx) Diff {
	d := Diff{After: now.Count(table)}
	for n := range Num(d.After) {
		d.Added = append(d.Added, keyedTables[table].of(now, n))
	}
	slices.Sort(d.Added)
	return d
}

// fingerprints yields the key of each record of a table and a hash of the answers that
// [Compare] compares.
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
				h.Write(buf)      // never returns an error
				h.WriteByte('\n') // never returns an error
			}
			// The unpacked answers of this record are no longer used, so reuse their memory.
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

// keyList is a list of related records. Only their keys are compared.
type keyList []string

// Append implements appender.
func (k keyList) Append(dst []byte, _ string, _ Parts) []byte {
	return append(dst, strings.Join(k, "\n")...)
}

// fingerprinted returns a function that returns the answers of a record. [Compare] compares these
// answers. show is the set of parts with which to render them.
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
			var about keyList // only keys are compared: a change of a species is no change of the paper
			for _, s := range t.numbers(paperSpecies, n) {
				about = append(about, species[s])
			}
			return []appender{t.PaperSummary(n), about}
		}, 0
	}
	panic(fmt.Sprintf("no table %q", table))
}
