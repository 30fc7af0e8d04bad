package matchers

import (
	"context"
	"slices"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/store"
)

// lookup gives matchers access to the index and collects their hits. It is for one query. After an
// error, it finds nothing more.
type lookup struct {
	*index.Index
	ctx     context.Context
	reader  *index.Reader
	hits    *hits.Collector
	lazy    *lazyColumns
	trace   *Trace
	pageEnd int // see Request
	steps   int
	err     error // the first error; after it, nothing more is found

	attempted bool // a matcher was tried for this query

	rows       *namedRows
	herbName   herbName
	near       nearSounds
	checklists Checklists  // nil if there are none
	resolved   *Resolution // the resolution of the query; nil before resolve
}

// tier returns the tier of a way in a row, or 0 if the row is not searched in that way.
func (l *lookup) tier(row int, w mappings.Way) uint8 { return l.Rows[row].Tiers[w] }

// pinyinRow returns the row that has the pinyin of a row of names, or -1.
func (l *lookup) pinyinRow(names int) int {
	return slices.IndexFunc(l.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Pinyin && r.Characters == names })
}

// postings returns the postings of a term. After an error, it returns the empty set.
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

// intersection returns the records that are in the postings of every part. of(part) returns the
// postings of a part.
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

// inTime reports whether the deadline has not passed. It checks the deadline at every 16th call.
func (l *lookup) inTime() bool {
	if l.steps++; l.steps%16 == 0 && l.err == nil {
		l.err = l.ctx.Err()
	}
	return l.err == nil
}

// each calls f with every record of p. It stops calling f after the deadline.
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

// collect adds the records of p as hits. If keep is not nil, it adds only those for which keep
// returns true.
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

// collectTerm works like collect for the records that have a term.
func (l *lookup) collectTerm(w mappings.Way, text string, why hits.Why, keep func(store.Num) bool) {
	if why.Tier > 0 {
		l.collect(l.postings(why.Row, w, text), why, keep)
	}
}

// note records in the trace that a way was tried.
func (l *lookup) note(why hits.Why) {
	l.attempted = l.attempted || why.Tier > 0
	l.trace.note(why)
}
