package mappings

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// reader looks terms up. It serves one search at a time.
//
// It reads the postings of the index's one segment directly: Bleve's own
// search spends ten times as long on scores that we don't use.
type reader struct {
	ix           *Index
	dictionaries []segment.TermDictionary // per row
	buffer       [256]uint32
}

// dictionary returns the terms of a row.
func (r *reader) dictionary(row int) (segment.TermDictionary, error) {
	if r.dictionaries == nil {
		r.dictionaries = make([]segment.TermDictionary, len(r.ix.rows))
	}
	if r.dictionaries[row] == nil {
		d, err := r.ix.segment.Segment().Dictionary(r.ix.rows[row].name)
		if err != nil {
			return nil, fmt.Errorf("read terms of %s: %w", r.ix.rows[row].name, err)
		}
		r.dictionaries[row] = d
	}
	return r.dictionaries[row], nil
}

// postings are places in the index, as a bitmap or, when it is nil, a single
// one or none.
type postings struct {
	many *roaring.Bitmap
	one  int64 // -1 is none
}

var nothing = postings{one: -1}

// find returns where a term stands. The bitmap must not be changed.
func (r *reader) find(row int, w Way, text string) (postings, error) {
	d, err := r.dictionary(row)
	if err != nil {
		return nothing, err
	}
	list, err := d.PostingsList([]byte(term(w, text)), nil, nil)
	if err != nil {
		return nothing, fmt.Errorf("read postings of %s: %w", r.ix.rows[row].name, err)
	}
	if list.Count() == 0 {
		return nothing, nil
	}
	it, ok := list.Iterator(false, false, false, nil).(segment.OptimizablePostingsIterator)
	if !ok {
		return nothing, fmt.Errorf("postings of %s have an unknown form", r.ix.rows[row].name)
	}
	if doc, ok := it.DocNum1Hit(); ok {
		return postings{one: int64(doc)}, nil
	}
	return postings{many: it.ActualBitmap(), one: -1}, nil
}

func (p postings) empty() bool { return p.many == nil && p.one < 0 }

func (p postings) count() int {
	if p.many != nil {
		return int(p.many.GetCardinality())
	}
	if p.one >= 0 {
		return 1
	}
	return 0
}

// and returns what stands in both.
func (p postings) and(q postings) postings {
	switch {
	case p.empty() || q.empty():
		return nothing
	case p.many != nil && q.many != nil:
		return postings{many: roaring.And(p.many, q.many), one: -1}
	case p.many != nil:
		return q.and(p)
	case q.many != nil && q.many.Contains(uint32(p.one)), q.many == nil && q.one == p.one:
		return p
	}
	return nothing
}

// or returns what stands in either.
func (p postings) or(q postings) postings {
	if p.empty() {
		return q
	}
	if q.empty() {
		return p
	}
	m := roaring.New()
	for _, x := range []postings{p, q} {
		if x.many != nil {
			m.Or(x.many)
		} else {
			m.Add(uint32(x.one))
		}
	}
	return postings{many: m, one: -1}
}

// each calls f with the place of every record.
func (r *reader) each(p postings, f func(place)) {
	if p.many == nil {
		if p.one >= 0 {
			f(place(p.one))
		}
		return
	}
	it := p.many.ManyIterator()
	for {
		n := it.NextMany(r.buffer[:])
		if n == 0 {
			return
		}
		for _, doc := range r.buffer[:n] {
			f(place(doc))
		}
	}
}

// terms calls f with the text of every term of a way that begins with prefix,
// in order, until it returns false.
func (r *reader) terms(row int, w Way, prefix string, f func(text string) bool) error {
	d, err := r.dictionary(row)
	if err != nil {
		return err
	}
	start := []byte(term(w, prefix))
	it := d.AutomatonIterator(nil, start, successor(start))
	if quick, ok := d.(interface {
		AutomatonIteratorOmitCount(segment.Automaton, []byte, []byte) segment.DictionaryIterator
	}); ok {
		it = quick.AutomatonIteratorOmitCount(nil, start, successor(start))
	}
	for {
		var e *index.DictEntry
		if e, err = it.Next(); err != nil {
			return fmt.Errorf("read terms of %s: %w", r.ix.rows[row].name, err)
		}
		if e == nil || !f(e.Term[1:]) {
			return nil
		}
	}
}

// successor is the first text behind all that begin with prefix.
func successor(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}
