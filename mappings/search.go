package mappings

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"bencao/store"
)

// MaxQuery is the longest query, in characters, that is answered.
const MaxQuery = 200

// ErrQuery is returned for a query that cannot be answered as it stands.
var ErrQuery = errors.New("query cannot be answered")

// Query is what is asked of an [Index].
type Query struct {
	// Text is what the user typed; empty, or nothing but spaces, finds everything.
	Text string
	// Dynasty restricts formulas to one dynasty or a group of them (汉, 宋);
	// empty does not.
	Dynasty string
	// From is how many hits to skip, Size how many to return at most.
	From, Size int
}

// Hits is a page of the records found.
type Hits struct {
	Total int // all hits, exactly, whatever the page
	Nums  []store.Num
}

// Search answers a query. It returns an error that wraps [ErrQuery] for a bad
// query, and that of the context when its time is over.
func (ix *Index) Search(ctx context.Context, q Query) (Hits, error) {
	hits, _, err := ix.search(ctx, q, false)
	return hits, err
}

// search answers a query; with reasons, it says why each record was found.
func (ix *Index) search(ctx context.Context, q Query, explain bool) (hits Hits, ex *Explanation, err error) {
	if err := q.check(); err != nil {
		return Hits{}, nil, err
	}
	if err := ctx.Err(); err != nil {
		return Hits{}, nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			hits, ex, err = Hits{}, nil, damaged(q.Text, p)
		}
	}()
	if explain {
		ex = &Explanation{Query: q.Text, Dynasty: dynastyKey(q.Dynasty)}
	}
	text := strings.TrimSpace(q.Text)
	if text == "" && q.Dynasty == "" {
		return ix.all(q, ex), ex, nil
	}
	s := &search{ctx: ctx, ix: ix, reader: ix.readers.Get().(*reader), collector: ix.scratch.Get().(*collector), explanation: ex}
	if err := s.run(q, text); err != nil {
		return Hits{}, nil, err
	}
	if explain {
		s.explainTiers()
	}
	hits = s.collector.page(q.From, q.Size)
	if explain {
		s.explainHits(hits)
	}
	// Not in a deferred call: what a panic leaves behind is not used again.
	ix.readers.Put(s.reader)
	ix.scratch.Put(s.collector)
	return hits, ex, nil
}

// damaged is the error of a search that panicked. Bleve trusts its files, and
// a file cut short is noticed only when the memory it is mapped to is read.
func damaged(text string, p any) error {
	return fmt.Errorf("search %q: index is damaged (%v); verify the snapshot", text, p)
}

func (q *Query) check() error {
	switch {
	case q.From < 0:
		return fmt.Errorf("%w: from is %d; use 0 or more", ErrQuery, q.From)
	case q.Size < 0:
		return fmt.Errorf("%w: size is %d; use 0 or more", ErrQuery, q.Size)
	case len(q.Text) > MaxQuery && utf8.RuneCountInString(q.Text) > MaxQuery:
		return fmt.Errorf("%w: text is longer than %d characters; shorten it", ErrQuery, MaxQuery)
	case len(q.Dynasty) > MaxQuery && utf8.RuneCountInString(q.Dynasty) > MaxQuery:
		return fmt.Errorf("%w: dynasty is longer than %d characters; shorten it", ErrQuery, MaxQuery)
	}
	return nil
}

// all is the page of a query that finds everything: numbers are the order.
func (ix *Index) all(q Query, ex *Explanation) Hits {
	if ex != nil {
		ex.Script = Everything
	}
	hits := Hits{Total: ix.total, Nums: []store.Num{}}
	for n := q.From; n < ix.total && len(hits.Nums) < q.Size; n++ {
		hits.Nums = append(hits.Nums, store.Num(n))
	}
	return hits
}

// search is one query on its way.
type search struct {
	ctx         context.Context
	ix          *Index
	reader      *reader
	collector   *collector
	explanation *Explanation
	// pageEnd is the place behind the last hit of the page.
	pageEnd int

	steps int
	err   error // the first
}

// run gathers the hits of a query.
func (s *search) run(q Query, text string) error {
	allowed, err := s.filter(q.Dynasty)
	if err != nil {
		return err
	}
	s.collector.reset(allowed)
	s.pageEnd = math.MaxInt
	if q.Size < math.MaxInt-q.From && allowed == nil && s.explanation == nil {
		s.pageEnd = q.From + q.Size
	}
	if s.explanation != nil {
		s.collector.reasons = make(map[store.Num]reason)
	}
	if text == "" {
		if s.explanation != nil {
			s.explanation.Script = Everything
		}
		everything := roaring.New()
		everything.AddRange(0, uint64(s.ix.total))
		s.collector.addAll(s.reader, postings{many: everything, one: -1}, reason{tier: maxTier})
		return nil
	}
	rd := read(text)
	if s.explanation != nil {
		s.explanation.read(&rd, s.ix.rows)
	}
	if rd.script == Nothing {
		return nil
	}
	for stage := range lastStage {
		if s.explanation != nil {
			s.explanation.Tried = append(s.explanation.Tried, nil)
		}
		if stage == 1 {
			// Forgiving searches cost the most; a few at a time keep the rest quick.
			select {
			case s.ix.slow <- struct{}{}:
				defer func() { <-s.ix.slow }()
			case <-s.ctx.Done():
				return s.ctx.Err()
			}
		}
		for i := range s.ix.rows {
			s.row(i, &rd, stage)
			if s.err != nil {
				return s.err
			}
		}
		if s.collector.any() {
			return nil
		}
	}
	return nil
}

// row gathers what a row finds in a stage.
func (s *search) row(i int, rd *reading, stage int) {
	analyzer := s.ix.rows[i].analyzer
	if rd.literal && analyzer != Title && analyzer != DOI {
		return
	}
	switch analyzer {
	case Chinese:
		s.chinese(i, rd, stage)
	case Pinyin:
		s.pinyin(i, rd, stage)
	case Initials:
		s.initials(i, rd, stage)
	case SciName, Synonym:
		s.latin(i, rd, stage)
	case Title:
		s.title(i, rd, stage)
	case DOI:
		s.doi(i, rd, stage)
	case Number:
		s.number(i, rd, stage)
	}
}

// tier is the tier of row i in a way, or 0 if it is not found so in this stage.
func (s *search) tier(i int, w Way, stage int) uint8 {
	if ways[w].stage != stage {
		return 0
	}
	return s.ix.rows[i].tiers[w]
}

// lower is a tier by so many below another, but a tier still.
func lower(tier uint8, by int) uint8 { return uint8(max(int(tier)-by, 1)) }

// find returns the postings of a term, or none after an error.
func (s *search) find(i int, w Way, text string) postings {
	if s.alive(); s.err != nil {
		return nothing
	}
	p, err := s.reader.find(i, w, text)
	if err != nil {
		s.err = err
		return nothing
	}
	return p
}

// alive looks at the clock now and then.
func (s *search) alive() bool {
	if s.steps++; s.steps%16 == 0 && s.err == nil {
		s.err = s.ctx.Err()
	}
	return s.err == nil
}

// hit adds the records of p that pass keep, if that is not nil.
func (s *search) hit(p postings, why reason, keep func(place) bool) {
	if why.tier == 0 || s.err != nil {
		return
	}
	s.tried(why)
	if keep == nil {
		s.collector.addAll(s.reader, p, why)
		return
	}
	looked := 0
	s.reader.each(p, func(at place) {
		if looked++; looked%1024 == 0 && s.err == nil {
			s.err = s.ctx.Err()
		}
		if s.err == nil && keep(at) {
			s.collector.add(at, why)
		}
	})
}

// look finds a term and adds its records.
func (s *search) look(i int, w Way, text string, tier uint8, keep func(place) bool) {
	s.lookAs(w, text, reason{tier, i, w}, keep)
}

// lookAs finds a term and adds its records for another reason than its way.
func (s *search) lookAs(w Way, text string, why reason, keep func(place) bool) {
	if why.tier > 0 {
		s.hit(s.find(why.row, w, text), why, keep)
	}
}

// filter returns the bits of the records of a dynasty, or nil if none is asked for.
func (s *search) filter(dynasty string) ([]uint64, error) {
	if strings.TrimSpace(dynasty) == "" {
		return nil, nil
	}
	allowed := make([]uint64, len(s.collector.shown))
	for i, r := range s.ix.rows {
		if r.analyzer == Dynasty {
			s.reader.each(s.find(i, Whole, dynastyKey(dynasty)), func(at place) { allowed[at/64] |= 1 << (at % 64) })
		}
	}
	return allowed, s.err
}
