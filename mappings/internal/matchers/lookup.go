package matchers

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
	lazy    *lazyColumns
	trace   *Trace
	pageEnd int // the place behind the last hit of the page
	steps   int
	err     error // the first

	attempted bool // anything was tried

	rows       *namedRows
	drugName   drugName
	near       nearSounds
	checklists Checklists  // nil if nobody knows any
	resolved   *Resolution // what the query means to them, once that was asked
}

// tier is the tier of a row in a way, or 0.
func (l *lookup) tier(row int, w mappings.Way) uint8 { return l.Rows[row].Tiers[w] }

// pinyinRow is the row of the pinyin of a row of names, or -1.
func (l *lookup) pinyinRow(names int) int {
	return slices.IndexFunc(l.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Pinyin && r.Characters == names })
}

// find returns the postings of a term, or none after an error.
func (l *lookup) postings(row int, w mappings.Way, text string) index.Postings {
	if l.inTime(); l.err != nil {
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
func intersection[T any](parts []T, of func(T) index.Postings) index.Postings {
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
func (l *lookup) inTime() bool {
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
func (l *lookup) collect(p index.Postings, why hits.Why, keep func(store.Num) bool) {
	if why.Tier == 0 || l.err != nil {
		return
	}
	l.note(why)
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
func (l *lookup) collectTerm(w mappings.Way, text string, why hits.Why, keep func(store.Num) bool) {
	if why.Tier > 0 {
		l.collect(l.postings(why.Row, w, text), why, keep)
	}
}

// tried notes that records are sought in a way.
func (l *lookup) note(why hits.Why) {
	l.attempted = l.attempted || why.Tier > 0
	l.trace.note(why)
}
