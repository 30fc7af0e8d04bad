package index

import (
	"fmt"

	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// Reader looks up terms. It is for one search at a time and must not be used again after a panic.
//
// It reads the postings of the index's only segment directly. Bleve's own search takes ten times as
// long, because it also computes scores, which are not needed.
type Reader struct {
	ix           *Index
	dictionaries []segment.TermDictionary // by row
	buffer       [256]uint32
	term         []byte
	// list and places are reused, because allocating them takes longer than finding a term.
	list   segment.PostingsList
	places segment.PostingsIterator
}

// Reader returns a reader of the index's terms.
func (ix *Index) Reader() *Reader {
	return &Reader{ix: ix, dictionaries: make([]segment.TermDictionary, len(ix.Rows))}
}

// dictionary returns the dictionary of a row.
func (r *Reader) dictionary(row int) (segment.TermDictionary, error) {
	if r.dictionaries[row] == nil {
		d, err := r.ix.segment.Segment().Dictionary(r.ix.Rows[row].Name)
		if err != nil {
			return nil, fmt.Errorf("read terms of %s: %w", r.ix.Rows[row].Name, err)
		}
		r.dictionaries[row] = d
	}
	return r.dictionaries[row], nil
}

// Find returns the postings of a term. Their bitmap must not be changed.
func (r *Reader) Find(row int, w mappings.Way, text string) (Postings, error) {
	d, err := r.dictionary(row)
	if err != nil {
		return Nothing, err
	}
	r.term = terms.AppendTerm(r.term[:0], w, text)
	list, err := d.PostingsList(r.term, nil, r.list)
	if err != nil {
		return Nothing, fmt.Errorf("read postings of %s: %w", r.ix.Rows[row].Name, err)
	}
	if list.Count() == 0 {
		return Nothing, nil
	}
	r.places = list.Iterator(false, false, false, r.places)
	found, ok := r.places.(segment.OptimizablePostingsIterator)
	if !ok {
		return Nothing, fmt.Errorf("postings of %s have an unknown form", r.ix.Rows[row].Name)
	}
	if doc, ok := found.DocNum1Hit(); ok {
		r.list = list
		return Postings{one: int64(doc)}, nil
	}
	r.list = nil // the result refers to the bitmap of list, so list must not be reused
	return Postings{many: found.ActualBitmap(), one: -1}, nil
}

// Each calls f with every record of p, in ascending order.
func (r *Reader) Each(p Postings, f func(store.Num)) {
	if p.many == nil {
		if p.one >= 0 {
			f(store.Num(p.one))
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
			f(doc)
		}
	}
}

// Terms calls f with each term of a way that starts with prefix, until f returns false. Terms are
// in ascending order and do not include the way.
func (r *Reader) Terms(row int, w mappings.Way, prefix string, f func(text string) bool) error {
	d, err := r.dictionary(row)
	if err != nil {
		return err
	}
	start := terms.AppendTerm(nil, w, prefix)
	iterate := d.AutomatonIterator // correct, but looks up the first term twice
	if quick, ok := d.(interface {
		AutomatonIteratorOmitCount(segment.Automaton, []byte, []byte) segment.DictionaryIterator
	}); ok {
		iterate = quick.AutomatonIteratorOmitCount
	}
	it := iterate(nil, start, successor(start))
	for {
		var e *index.DictEntry
		if e, err = it.Next(); err != nil {
			return fmt.Errorf("read terms of %s: %w", r.ix.Rows[row].Name, err)
		}
		if e == nil || !f(e.Term[1:]) {
			return nil
		}
	}
}

// successor returns the least text that is greater than all texts with the given prefix, or nil if
// there is none.
func successor(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}
