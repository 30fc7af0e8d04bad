package search

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/store"
)

// Searcher answers queries from the index of one table. It is safe for use by
// many goroutines until it is closed.
type Searcher struct {
	index  *index.Index
	finder *matchers.Finder
	lazy   *lazyColumns
	most   int       // characters of a query
	named  bool      // records have names, not titles alone
	pool   sync.Pool // of *buffers
}

// buffers are what a search works with, and the next one after it.
type buffers struct {
	*matchers.Scratch
	reading reading.Reading
	counts  columns.Counts
}

// Open opens the index of a table that [index.Build] wrote into dir. Its files may
// be read-only and may be open in other processes.
func Open[R any](dir string, fields []mappings.Field[R]) (*Searcher, error) {
	ix, err := index.Open(dir, mappings.Rows(fields))
	if err != nil {
		return nil, err
	}
	s := &Searcher{index: ix, finder: matchers.New(ix), lazy: newLazyColumns(ix)}
	s.most = MaxQuery
	if slices.ContainsFunc(ix.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Title }) {
		s.most = MaxTitle
	}
	s.named = slices.ContainsFunc(ix.Rows, func(r mappings.Row) bool { return slices.Contains(ofNamed, r.Analyzer) })
	s.pool.New = func() any { return &buffers{Scratch: s.finder.Scratch()} }
	return s, nil
}

// ofNamed are the analyzers of names.
var ofNamed = []mappings.Analyzer{mappings.Chinese, mappings.Pinyin, mappings.Initials, mappings.SciName, mappings.Synonym, mappings.Noun, mappings.NounSound}

// Names says what scientific names mean; [Resolution] is its answer.
type Checklists = matchers.Checklists

// Meaning is what a text means as a name.
type Resolution = matchers.Resolution

// Meant is a record that a text means.
type ResolvedRecord = matchers.ResolvedRecord

// Consult lets searches ask what checklists say of a scientific name, before they
// forgive anything. No search may be running.
func (s *Searcher) Consult(checklists Checklists) { s.finder.Consult(checklists) }

// Close lets go of the index's files. No search may be running.
func (s *Searcher) Close() error { return s.index.Close() }

// Len is the number of records.
func (s *Searcher) Len() int { return s.index.Len() }

// Sorts are the orders in which the hits of a query can be listed, but for how
// well they fit.
func (s *Searcher) Sorts() []string { return s.lazy.sorts() }

// Has says whether a record has a value, in any of its forms.
func (s *Searcher) Has(field, value string) (bool, error) {
	c, err := s.lazy.column(field)
	return err == nil && c.Has(value), err
}

// Search answers a query. It returns an error that wraps [ErrQuery] for a bad
// query, and that of the context when its time is over.
func (s *Searcher) Search(ctx context.Context, q Query) (Hits, error) { return s.answer(ctx, q, nil) }

// Explain answers a query like [Searcher.Search] and says how it came about.
func (s *Searcher) Explain(ctx context.Context, q Query) (Explanation, error) {
	return s.explain(ctx, q, &recorder{})
}

// Reasons answers a query like [Searcher.Search] and says of each hit why it was
// found, but not by which text: of an explanation it has the hits and what was tried.
func (s *Searcher) Reasons(ctx context.Context, q Query) (Explanation, error) {
	return s.explain(ctx, q, &recorder{brief: true})
}

func (s *Searcher) explain(ctx context.Context, q Query, record *recorder) (Explanation, error) {
	record.explanation = Explanation{Query: q.Text, Dynasty: mappings.DynastyKey(q.Dynasty)}
	if _, err := s.answer(ctx, q, record); err != nil {
		return Explanation{}, err
	}
	return record.explanation, nil
}

// mostNamed is how many records of one name [Searcher.Named] returns.
const mostNamed = 50

// Named returns the records that have a name as a whole: their own if any has,
// otherwise another name or a synonym.
func (s *Searcher) Named(ctx context.Context, name string) ([]store.Num, error) {
	ex, err := s.Explain(ctx, Query{Text: name, Size: mostNamed})
	var nums []store.Num
	for _, hit := range ex.Hits {
		if hit.Way == mappings.Whole.String() && hit.Tier == ex.Hits[0].Tier {
			nums = append(nums, hit.Num)
		}
	}
	return nums, err
}

// nowhere are texts that no name holds, one for each way of forgiving: every
// way is tried for them, and what it needs is made.
var nowhere = []string{"Qwxqzwxqz xqzvwqxzv", "qzxwqzxw", "qqzzqq vvxxvv", "囧囧囧囧", "囧qzxw", "10.0000/qzxwqzxw"}

// Warm makes what else is made for the first query that needs it, such as the
// words for finding typos, so that no client waits for it.
func (s *Searcher) Warm(ctx context.Context) error {
	for _, text := range nowhere {
		if _, err := s.Search(ctx, Query{Text: text, Size: 1}); err != nil {
			return err
		}
	}
	return nil
}

// answer answers a query; record, if there is one, writes down how.
func (s *Searcher) answer(ctx context.Context, q Query, record *recorder) (page Hits, err error) {
	if err := q.check(s.most); err != nil {
		return Hits{}, err
	}
	if err := ctx.Err(); err != nil {
		return Hits{}, err
	}
	text := strings.TrimSpace(q.Text)
	if q.Everything() {
		page = s.all(q)
		record.everything()
		record.found(s.index, page)
		return page, nil
	}
	err = s.use(text, func(b *buffers) error {
		if err := s.run(ctx, b, q, text, record); err != nil {
			return err
		}
		verdict := s.verdict(b, q) // before the page is taken out, which leaves out what filters do
		if page, err = s.page(b, q); err != nil {
			return err
		}
		page.Verdict = verdict
		record.found(s.index, page)
		return nil
	})
	return page, err
}

// verdict says in what manner the best hits have what was typed. Texts of which any
// part is asked are not said to have it in part.
func (s *Searcher) verdict(b *buffers, q Query) mappings.Verdict {
	v := b.Hits.Verdict()
	switch {
	case v.Part != "" && (s.most == MaxTitle || q.In != "" && q.In != ofNames):
		return mappings.Verdict{}
	case v == mappings.OneCharacterOff.Verdict() && len(b.reading.Runes) <= guessed:
		v.Forgiven = "guess"
	}
	return v
}

// guessed is the length of a name, in characters, of which one that is wrong leaves
// too little: what is found then is a guess.
const guessed = 3

// page takes the page that is asked for out of the hits.
func (s *Searcher) page(b *buffers, q Query) (Hits, error) {
	var names *hits.Namesakes
	var err error
	if q.Distinct {
		if names, err = s.lazy.byName(); err != nil {
			return Hits{}, err
		}
	}
	switch {
	case q.Sort != "":
		order, err := s.lazy.order(q.Sort)
		if err != nil {
			return Hits{}, err
		}
		return b.Hits.PageBy(order, names, q.From, q.Size), nil
	case q.Distinct:
		return b.Hits.PageOfNames(names, q.From, q.Size), nil
	}
	return b.Hits.Page(q.From, q.Size), nil
}

// all is the page of a query that finds everything: numbers are the order.
func (s *Searcher) all(q Query) Hits {
	page := Hits{Total: s.Len(), Nums: []store.Num{}}
	for n := q.From; n < page.Total && len(page.Nums) < q.Size; n++ {
		page.Nums = append(page.Nums, store.Num(n))
	}
	return page
}

// use calls f with buffers, which go back into the pool when all went well. What
// was in use when a search panicked is dropped. A search panics because Bleve
// trusts its files: that one was cut short is noticed only when the memory it is
// mapped to is read.
func (s *Searcher) use(text string, f func(*buffers) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("search %q: index is damaged (%v); verify the snapshot", text, p)
		}
	}()
	b := s.pool.Get().(*buffers)
	if err := f(b); err != nil {
		return err
	}
	b.reading = reading.Reading{} // which holds what the caller gave
	s.pool.Put(b)
	return nil
}

// run collects the hits of a query.
func (s *Searcher) run(ctx context.Context, b *buffers, q Query, text string, record *recorder) error {
	if q.In == ofNames {
		q.In = ""
	}
	if err := s.lazy.checkIn(q.In); err != nil {
		return err
	}
	allowed, err := s.lazy.passing(&q)
	if err != nil {
		return err
	}
	b.Hits.Reset(allowed, record.best())
	if text == "" {
		record.everything()
		b.Hits.AddAll(b.Reader, index.Everything(s.Len()), hits.Why{Tier: mappings.MaxTier})
		return nil
	}
	rd := &b.reading
	if s.named || record != nil {
		*rd = reading.Read(text)
	} else {
		*rd = reading.ReadTitle(text)
	}
	record.read(rd, s.index.Rows)
	if rd.Script == reading.Nothing {
		return nil
	}
	asked := matchers.Request{Reading: rd, In: q.In, Unforgiving: q.Unforgiving, PageEnd: math.MaxInt, Trace: record.tracing()}
	if q.Size < math.MaxInt-q.From && q.plain() && record == nil {
		asked.PageEnd = q.From + q.Size
	}
	return s.finder.Find(ctx, b.Scratch, asked)
}
