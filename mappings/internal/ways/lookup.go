package ways

import (
	"context"
	"slices"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/store"
)

// lookup is what a way works with: it finds the postings of terms and hands over
// what was found. It serves one query; the first error ends everything.
type lookup struct {
	*index.Index
	ctx     context.Context
	reader  *index.Reader
	hits    *hits.Collector
	made    *made
	trace   *Trace
	pageEnd int // the place behind the last hit of the page
	steps   int
	err     error // the first

	attempted bool // anything was tried

	rows     *rows
	drugName drugName
	near     nearSounds
	lists    Lists    // nil if nobody knows any
	meant    *Meaning // what the query means to them, once that was asked
}

// tier is the tier of a row in a way, or 0.
func (l *lookup) tier(row int, w mappings.Way) uint8 { return l.Rows[row].Tiers[w] }

// soundsOf is the row of the pinyin of a row of names, or -1.
func (l *lookup) soundsOf(names int) int {
	return slices.IndexFunc(l.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Pinyin && r.Beside == names })
}

// find returns the postings of a term, or none after an error.
func (l *lookup) find(row int, w mappings.Way, text string) index.Postings {
	if l.alive(); l.err != nil {
		return index.Nothing
	}
	p, err := l.reader.Find(row, w, text)
	if err != nil {
		l.err = err
		return index.Nothing
	}
	return p
}

// every returns what stands in the postings of all the parts of a query.
func every[T any](parts []T, of func(T) index.Postings) index.Postings {
	p := of(parts[0])
	for _, part := range parts[1:] {
		if p.Empty() {
			break
		}
		p = p.And(of(part))
	}
	return p
}

// alive looks at the clock now and then.
func (l *lookup) alive() bool {
	if l.steps++; l.steps%16 == 0 && l.err == nil {
		l.err = l.ctx.Err()
	}
	return l.err == nil
}

// each calls f with every record until the time is over.
func (l *lookup) each(p index.Postings, f func(store.Num)) {
	looked := 0
	l.reader.Each(p, func(at store.Num) {
		if looked++; looked%1024 == 0 && l.err == nil {
			l.err = l.ctx.Err()
		}
		if l.err == nil {
			f(at)
		}
	})
}

// take collects the records of p that pass keep, if that is not nil.
func (l *lookup) take(p index.Postings, why hits.Why, keep func(store.Num) bool) {
	if why.Tier == 0 || l.err != nil {
		return
	}
	l.tried(why)
	if keep == nil {
		l.hits.AddAll(l.reader, p, why)
		return
	}
	l.each(p, func(at store.Num) {
		if keep(at) {
			l.hits.Add(at, why)
		}
	})
}

// look finds a term and collects its records.
func (l *lookup) look(w mappings.Way, text string, why hits.Why, keep func(store.Num) bool) {
	if why.Tier > 0 {
		l.take(l.find(why.Row, w, text), why, keep)
	}
}

// tried notes that records are sought in a way.
func (l *lookup) tried(why hits.Why) {
	l.attempted = l.attempted || why.Tier > 0
	l.trace.tried(why)
}
