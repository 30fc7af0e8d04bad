package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// batch is the number of records per transaction: large enough to be fast, small enough to need
// little memory.
const batch = 10_000

// Write renders all answers and writes the store's file at path, which must not exist. It calls
// progress, if not nil, with the number of records done and the total. It does not sync the file;
// the publication of the snapshot does that.
func Write(ctx context.Context, path string, d *Data, progress func(done, total int)) error {
	db, err := createBolt(path, 0)
	if err != nil {
		return fmt.Errorf("create store %s: %w", path, err)
	}
	w := &writer{ctx: ctx, db: db, data: d, progress: progress}
	w.total = len(d.Species) + len(d.Formulas) + len(d.Papers) + len(d.Herbs)
	if err := w.all(); err != nil {
		db.Close() // the first error is more useful
		return fmt.Errorf("write store %s: %w", path, err)
	}
	if err := db.Close(); err != nil {
		return fmt.Errorf("close store %s: %w", path, err)
	}
	return nil
}

type writer struct {
	ctx         context.Context
	db          *bolt.DB
	data        *Data
	done, total int
	progress    func(done, total int)
}

func (w *writer) all() error {
	d := w.data
	if err := d.check(); err != nil {
		return err
	}
	if err := w.meta(); err != nil {
		return err
	}
	if err := each(w, "species", d.Species, []column[Species]{
		{speciesSummaries, d.speciesSummary, nil},
		{speciesDetails, d.speciesDetail, nil},
		{speciesFloras, d.speciesFlora, func(s *Species) bool { return len(s.Flora) > 0 }},
		{speciesUses, d.speciesUses, func(s *Species) bool { return len(s.Uses) > 0 }},
		{speciesPapers, func(s *Species) (Template, error) { return pack(s.Papers), nil }, func(s *Species) bool { return len(s.Papers) > 0 }},
		{speciesListings, func(s *Species) (Template, error) { return packListings(s.Listings), nil }, func(s *Species) bool { return len(s.Listings) > 0 }},
		{speciesFormulas, func(s *Species) (Template, error) { return pack(s.Formulas), nil }, func(s *Species) bool { return len(s.Formulas) > 0 }},
	}); err != nil {
		return err
	}
	if err := each(w, "formulas", d.Formulas, []column[Formula]{
		{formulaSummaries, d.formulaSummary, nil},
		{formulaDetails, d.formulaDetail, nil},
		{formulaSimilar, d.packSimilar, func(f *Formula) bool { return len(f.SimilarEuclidean)+len(f.SimilarJaccard) > 0 }},
	}); err != nil {
		return err
	}
	if err := each(w, "papers", d.Papers, []column[Paper]{
		{paperSummaries, d.paperSummary, nil},
		{paperSpecies, func(p *Paper) (Template, error) { return pack(p.Species), nil }, func(p *Paper) bool { return len(p.Species) > 0 }},
	}); err != nil {
		return err
	}
	if err := each(w, "herbs", d.Herbs, []column[Herb]{
		{herbSummaries, d.herbSummary, nil},
		{herbDetails, d.herbDetail, nil},
		{herbFormulas, func(h *Herb) (Template, error) { return pack(h.Formulas), nil }, func(h *Herb) bool { return len(h.Formulas) > 0 }},
	}); err != nil {
		return err
	}
	for _, k := range []struct {
		*keyed
		records int
		key     func(int) string
	}{
		{keyedSpecies, len(d.Species), func(i int) string { return d.Species[i].GUID }},
		{keyedFormulas, len(d.Formulas), func(i int) string { return d.Formulas[i].GUID }},
		{keyedHerbs, len(d.Herbs), func(i int) string { return d.Herbs[i].GUID }},
		{keyedPapers, len(d.Papers), func(i int) string { return d.Papers[i].ID }},
	} {
		x, err := newIDs(k.records, k.key)
		if err != nil {
			return fmt.Errorf("%s: %w", k.table, err)
		}
		if err := w.put(k.ids, keyAll, x); err != nil {
			return err
		}
	}
	if w.data.Withheld&Composition == 0 {
		for _, key := range slices.Sorted(maps.Keys(w.data.Patterns)) {
			if err := w.put(formulaPatterns, []byte(key), w.data.Patterns[key]); err != nil {
				return err
			}
		}
	}
	if err := w.herbAliases(); err != nil {
		return fmt.Errorf("other names of herbs: %w", err)
	}
	return w.formulaParts()
}

// formulaParts writes the texts that several details of formulas share.
func (w *writer) formulaParts() error {
	if w.data.Withheld&Composition == 0 {
		species, herbs, err := w.data.packLinks()
		if err != nil {
			return fmt.Errorf("links of formulas: %w", err)
		}
		if err := w.put(formulaLinks, []byte(TableSpecies), species); err != nil {
			return err
		}
		if err := w.put(formulaLinks, []byte(TableHerbs), herbs); err != nil {
			return err
		}
		counts, err := w.data.packIngredientCounts()
		if err != nil {
			return err
		}
		if err := w.put(formulaLinks, keyAll, counts); err != nil {
			return err
		}
	}
	if w.data.Withheld&Similarity != 0 {
		return nil
	}
	summaries, err := packSimilarSummaries(w.data.Formulas)
	if err != nil {
		return fmt.Errorf("summaries of similar formulas: %w", err)
	}
	return w.put(similarSummaries, keyAll, summaries)
}

// check returns an error if the number of a record is not its index. In such a store, requests for
// the record would get the answer of another record.
func (d *Data) check() error {
	return errors.Join(
		checkNumbers("species", d.Species, func(s *Species) Num { return s.Num }),
		checkNumbers("formula", d.Formulas, func(f *Formula) Num { return f.Num }),
		checkNumbers("paper", d.Papers, func(p *Paper) Num { return p.Num }),
		checkNumbers("herb", d.Herbs, func(h *Herb) Num { return h.Num }),
	)
}

func checkNumbers[R any](kind string, records []R, num func(*R) Num) error {
	for i := range records {
		if n := num(&records[i]); int(n) != i {
			return fmt.Errorf("%s %d has number %d", kind, i, n)
		}
	}
	return nil
}

func (w *writer) meta() error {
	stats, err := encode(w.data.Stats)
	if err != nil {
		return fmt.Errorf("statistics: %w", err)
	}
	return w.db.Update(func(tx *bolt.Tx) error {
		b, err := createBucket(tx, bucketMeta)
		if err != nil {
			return err
		}
		pairs := []struct{ k, v []byte }{
			{keySchema, []byte(schema)},
			{keyStats, stats},
			{keyRegion, w.data.regions().Text()},
			{[]byte(TableSpecies), numKey(Num(len(w.data.Species)))},
			{[]byte(TableFormulas), numKey(Num(len(w.data.Formulas)))},
			{[]byte(TablePapers), numKey(Num(len(w.data.Papers)))},
			{[]byte(TableHerbs), numKey(Num(len(w.data.Herbs)))},
		}
		for _, p := range pairs {
			if err := b.Put(p.k, p.v); err != nil {
				return err
			}
		}
		return nil
	})
}

// column describes how to fill a bucket with a value for each record.
type column[R any] struct {
	bucket []byte
	render func(*R) (Template, error) // returns the value of a record
	has    func(*R) bool              // reports whether a record has a value; nil if all records have one
}

// each writes the columns of all records, each column in transactions of its own. If a transaction
// wrote several buckets, bbolt would allocate their pages in no fixed order. But equal records must
// produce equal files.
func each[R any](w *writer, table string, records []R, columns []column[R]) error {
	for k, c := range columns {
		for from := 0; from == 0 || from < len(records); from += batch {
			if err := w.ctx.Err(); err != nil {
				return err
			}
			to := min(from+batch, len(records))
			if err := w.db.Update(func(tx *bolt.Tx) error { return write(tx, table, c, records, from, to) }); err != nil {
				return err
			}
			if w.progress != nil {
				w.progress(w.done+(k*len(records)+to)/len(columns), w.total)
			}
		}
	}
	w.done += len(records)
	return nil
}

// write writes a column of the records with an index i such that from <= i < to.
func write[R any](tx *bolt.Tx, table string, c column[R], records []R, from, to int) error {
	b, err := createBucket(tx, c.bucket)
	if err != nil {
		return err
	}
	b.FillPercent = 1 // keys are inserted in ascending order
	p := packer{number: dictionaryNumber(c.bucket)}
	for i := from; i < to; i++ {
		if c.has != nil && !c.has(&records[i]) {
			continue
		}
		v, err := c.render(&records[i])
		if err != nil {
			return fmt.Errorf("%s %d: %w", table, i, err)
		}
		// bbolt reads the value only when the batch is committed, so the bytes must not change
		// until then.
		if err := b.Put(numKey(Num(i)), p.pack(v)); err != nil {
			return fmt.Errorf("%s %d: %w", table, i, err)
		}
	}
	return nil
}

// put writes a single value in a transaction of its own.
func (w *writer) put(bucket, key, value []byte) error {
	return w.db.Update(func(tx *bolt.Tx) error {
		b, err := createBucket(tx, bucket)
		if err != nil {
			return err
		}
		return b.Put(key, value)
	})
}

func numKey(n Num) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// pack encodes record numbers as four bytes each, big-endian.
func pack(nums []Num) Template {
	out := make([]byte, 0, 4*len(nums))
	for _, n := range nums {
		out = binary.BigEndian.AppendUint32(out, n)
	}
	return out
}
