package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/pinyin"
	"bencao/store"
)

// Searcher answers queries from the index of one table. It is safe for concurrent use
// until it is closed.
type Searcher struct {
	index  *index.Index
	finder *matchers.Finder
	lazy   *lazyColumns
	named  bool      // some field of the table holds names
	parts  []string  // the parts of the records that can be searched: "name" first, then those of [mappings.Field.Part]
	pool   sync.Pool // of *buffers
}

// buffers is the memory that one search leaves for the next.
type buffers struct {
	*matchers.Scratch
	reading reading.Reading
	counts  columns.Counts

	allowed    []uint64 // bit set of the records that pass the filters of the query; nil if there are none
	recognised []mappings.Recognised
	parts      []mappings.Recognised // the parts of further kinds
	named      int                   // see [hits.Page]
	sort       string                // the order of the hits if the query asks for none; "" means by relevance
	first      []uint64              // bit set of the hits that come before the others in that order; nil means all
	rewrite    mappings.Rewrite
	names      []string // the names of the complaint that was searched
	how        string   // what was forgiven, if the ways in which the hits were found do not tell
}

// Open opens the index of a table, which [index.Build] wrote into dir. The files may be
// read-only and may be open in other processes.
func Open[R any](dir string, fields []mappings.Field[R]) (*Searcher, error) {
	ix, err := index.Open(dir, mappings.Rows(mappings.Expand(fields)))
	if err != nil {
		return nil, err
	}
	s := &Searcher{index: ix, finder: matchers.New(ix), lazy: newLazyColumns(ix)}
	s.named = slices.ContainsFunc(ix.Rows, func(r mappings.Row) bool { return slices.Contains(ofNamed, r.Analyzer) })
	s.parts = []string{ofNames}
	for _, r := range ix.Rows {
		if r.Part != "" {
			s.parts = append(s.parts, r.Part)
		}
	}
	s.pool.New = func() any { return &buffers{Scratch: s.finder.Scratch()} }
	return s, nil
}

// ofNamed lists the analyzers of fields that hold names, not titles or identifiers.
var ofNamed = []mappings.Analyzer{mappings.Chinese, mappings.Pinyin, mappings.Initials, mappings.SciName, mappings.Synonym, mappings.Noun, mappings.NounSound}

// Checklists resolves scientific names. See [Resolution].
type Checklists = matchers.Checklists

// Resolution tells which records a text means if it is read as a name.
type Resolution = matchers.Resolution

// ResolvedRecord is one record of a [Resolution].
type ResolvedRecord = matchers.ResolvedRecord

// SetChecklists sets the checklists that resolve scientific names. A search calls them before it
// tries ways that tolerate mistakes. SetChecklists must not be called during a search.
func (s *Searcher) SetChecklists(checklists Checklists) { s.finder.SetChecklists(checklists) }

// Close closes the files of the index. It must not be called during a search.
func (s *Searcher) Close() error { return s.index.Close() }

// Len returns the number of records.
func (s *Searcher) Len() int { return s.index.Len() }

// Sorts returns the names of the orders other than relevance.
func (s *Searcher) Sorts() []string { return s.lazy.sorts() }

// Has reports whether any record has the value in the field. The value may be given in any of its
// forms.
func (s *Searcher) Has(field, value string) (bool, error) {
	c, err := s.lazy.column(field)
	return err == nil && c.Has(value), err
}

// Namesakes returns the records with exactly this name, in the order of their numbers. The name may
// be given in any of its forms.
func (s *Searcher) Namesakes(name string) ([]store.Num, error) {
	names, err := s.lazy.byName()
	if err != nil {
		return nil, err
	}
	return names.Named(terms.Value(s.index.Rows[s.lazy.nameRow()].Analyzer, name)), nil
}

// HerbNamed returns the name that formulas use for the herb that a text names. The text may be that
// name, another name, a name in traditional characters or, if cut is true, a processed form (酒炒当归).
// standard must return the standard name if its argument is another name of a herb, and its
// argument unchanged otherwise. ok is false if no formula has the herb. A name with a record of its
// own, such as 熟地黄, never means another herb. Formulas also have the processed forms that their notes
// add: 炙甘草 for 甘草（炙）.
func (s *Searcher) HerbNamed(text string, cut bool, standard func(string) string) (name string, ok bool, err error) {
	c, err := s.lazy.column(mappings.HerbsField)
	if err != nil {
		return "", false, err
	}
	texts := []string{text}
	if cut {
		texts = append(texts, bases(text)...)
	}
	for _, text := range texts {
		name := standard(text)
		if values := c.Named(name); len(values) > 0 {
			return c.Values[values[0]].Text, true, nil
		}
		if c.HasNoted(name) {
			return name, true, nil
		}
		if herb.HasRecord(name) {
			break
		}
	}
	return "", false, nil
}

// mostMeanings is the largest number of herbs that [Searcher.HerbsCalled] returns.
const mostMeanings = 20

// HerbsCalled searches the index of herbs. It returns the standard names of the herbs that have
// name among their other names, in the order of the hits, or only the herb whose standard name it
// is. tx must belong to the same snapshot.
func (s *Searcher) HerbsCalled(ctx context.Context, tx *store.Tx, name string) (herbs []string, err error) {
	found, err := s.Search(ctx, Query{Text: name, Size: mostMeanings, Unforgiving: true})
	folded := han.Fold(name)
	for _, n := range found.Nums {
		var herb store.HerbDetail
		if err := json.Unmarshal(tx.HerbDetail(n).Append(nil, "", 0), &herb); err != nil {
			return nil, fmt.Errorf("herb %d: %w", n, err)
		}
		if han.Fold(herb.Name) == folded {
			return []string{herb.Name}, err
		}
		if slices.ContainsFunc(herb.Aliases, func(alias string) bool { return han.Fold(alias) == folded }) {
			herbs = append(herbs, herb.Name)
		}
	}
	return herbs, err
}

// bases removes words for processing from the name of a herb. It returns all names that may remain,
// the longest first.
func bases(name string) (out []string) {
	for _, r := range herb.Readings(name) {
		if !r.Uncut() && len(r.Parts) == 0 && utf8.RuneCountInString(r.Base) > 1 {
			out = append(out, r.Base)
		}
	}
	return out
}

// Search answers a query. It returns an error that wraps [ErrQuery] for an invalid
// query, and the error of the context after its deadline.
func (s *Searcher) Search(ctx context.Context, q Query) (Hits, error) { return s.answer(ctx, q, nil) }

// Explain answers a query like [Searcher.Search] and explains the answer.
func (s *Searcher) Explain(ctx context.Context, q Query) (Explanation, error) {
	return s.explain(ctx, q, &recorder{})
}

// Reasons answers a query like [Searcher.Search] and gives the reason of each hit. It omits the
// interpretation of the query and the texts that matched.
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

// mostNamed is the maximum number of records that [Searcher.Named] returns.
const mostNamed = 50

// Named returns the records that name means, in any form that a search takes for a whole name. If it
// is the own name of some records, Named omits the records of which it is another name or a synonym.
// Parts of names, initials, names of groups and names with mistakes mean no record.
func (s *Searcher) Named(ctx context.Context, name string) ([]store.Num, error) {
	ex, err := s.Explain(ctx, Query{Text: name, Size: mostNamed})
	var nums []store.Num
	initials := func(field string) bool {
		return slices.ContainsFunc(s.index.Rows, func(r mappings.Row) bool { return r.Name == field && r.Analyzer == mappings.Initials })
	}
	for _, hit := range ex.Hits {
		if hit.Verdict == (mappings.Verdict{}) && hit.Tier == ex.Hits[0].Tier && !initials(hit.Field) {
			nums = append(nums, hit.Num)
		}
	}
	return nums, err
}

// unmatched lists texts that no name contains. Searches for these texts run every matcher, so they
// build all data that is built on first use.
var unmatched = []string{"Qwxqzwxqz xqzvwqxzv", "qzxwqzxw", "qqzzqq vvxxvv", "囧囧囧囧", "囧囧 囧囧", "囧qzxw", "10.0000/qzxwqzxw"}

// Warm builds the data that queries need on first use, such as the words for fuzzy
// search, so that no client waits for it.
func (s *Searcher) Warm(ctx context.Context) error {
	for _, text := range unmatched {
		if _, err := s.Search(ctx, Query{Text: text, Size: 1}); err != nil {
			return err
		}
	}
	return nil
}

// answer answers a query. record may be nil.
func (s *Searcher) answer(ctx context.Context, q Query, record *recorder) (page Hits, err error) {
	if err := q.check(); err != nil {
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
	err = s.withBuffers(text, func(b *buffers) error {
		if err := s.run(ctx, b, q, text, record); err != nil {
			return err
		}
		verdict := s.verdict(b, q) // computed first, because taking the page changes the hits
		if page, err = s.page(b, q); err != nil {
			return err
		}
		if page.Elsewhere, err = s.elsewhere(ctx, b, q, text); err != nil {
			return err
		}
		if page.WithHerb, err = s.withHerb(b, q, text); err != nil {
			return err
		}
		page.Verdict, page.Recognised, page.Parts, page.Named, page.Rewrite = verdict, b.recognised, b.parts, b.named, b.rewrite
		if b.rewrite.In == inIndications || q.In == inIndications {
			page.Names = b.names
		}
		if verdict == mappings.MostHerbs.Verdict() {
			page.Near = page.Total
		}
		record.found(s.index, page)
		return s.compareHerbs(record)
	})
	return page, err
}

// verdict describes how well the best hits match the query. For titles and texts it never sets
// Part, because a query usually matches only a part of a title or text.
func (s *Searcher) verdict(b *buffers, q Query) mappings.Verdict {
	v := b.Hits.Verdict()
	if b.how != "" {
		return mappings.Verdict{Forgiven: b.how}
	}
	if b.rewrite.Question && v.Forgiven == "" {
		return mappings.ListedInPart.Verdict()
	}
	in := cmp.Or(b.rewrite.In, q.In, ofNames)
	switch {
	case v.Part != "" && (!s.named || in != ofNames):
		return mappings.Verdict{}
	case v == mappings.OneCharacterOff.Verdict() && len(b.reading.Runes) <= guessed:
		v.Forgiven = "guess"
	}
	return v
}

// guessed is a number of characters. If a query is not longer, a hit with one wrong character is
// only a guess.
const guessed = 3

// page returns the requested page of the hits.
func (s *Searcher) page(b *buffers, q Query) (Hits, error) {
	var names *hits.Namesakes
	var err error
	if q.Distinct || q.Grouped {
		if names, err = s.lazy.byName(); err != nil {
			return Hits{}, err
		}
	}
	var order []store.Num // nil means by relevance
	if sort := cmp.Or(q.Sort, b.sort); sort != "" {
		if order, err = s.lazy.order(sort); err != nil {
			return Hits{}, err
		}
		if q.Sort == "" && b.first != nil {
			order = slices.Clone(order)
			slices.SortStableFunc(order, func(x, y store.Num) int { return cmp.Compare(b.first[y/64]>>(y%64)&1, b.first[x/64]>>(x%64)&1) })
		}
	}
	switch {
	case q.Grouped:
		return b.Hits.PageTogether(order, names, q.From, q.Size), nil
	case order != nil:
		return b.Hits.PageBy(order, names, q.From, q.Size), nil
	case q.Distinct:
		return b.Hits.PageOfNames(names, q.From, q.Size), nil
	}
	return b.Hits.Page(q.From, q.Size), nil
}

// all returns the page of a query that finds everything.
func (s *Searcher) all(q Query) Hits {
	page := Hits{Total: s.Len(), Nums: []store.Num{}}
	for n := q.From; n < page.Total && len(page.Nums) < q.Size; n++ {
		page.Nums = append(page.Nums, store.Num(n))
	}
	return page
}

// withBuffers calls f with buffers from the pool. It returns the buffers to the pool unless f fails
// or panics. Searches panic on damaged files, because Bleve trusts the contents, and a truncated
// file is noticed only when its mapped memory is read.
func (s *Searcher) withBuffers(text string, f func(*buffers) error) (err error) {
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
	b.reading, b.allowed, b.recognised, b.parts, b.named, b.sort, b.first, b.rewrite, b.names, b.how = reading.Reading{}, nil, nil, nil, 0, "", nil, mappings.Rewrite{}, nil, "" // do not keep the caller's texts alive in the pool
	s.pool.Put(b)
	return nil
}

// run collects the hits of a query, in b with the records that pass its filters.
func (s *Searcher) run(ctx context.Context, b *buffers, q Query, text string, record *recorder) error {
	if !slices.Contains(s.parts, cmp.Or(q.In, ofNames)) {
		return fmt.Errorf("%w: these records have no part %q; use %s", ErrQuery, q.In, strings.Join(s.parts, ", "))
	}
	if q.In == ofNames {
		q.In = ""
	}
	allowed, err := s.lazy.passing(&q)
	if err != nil {
		return err
	}
	b.allowed = allowed
	zhuyin := pinyin.OfZhuyin(text)
	a := attempt{Searcher: s, ctx: ctx, b: b, q: q, text: cmp.Or(zhuyin, text), allowed: allowed, record: record}
	err = a.try()
	if b.rewrite.ReadAs == "" {
		b.rewrite.ReadAs = zhuyin
	}
	return err
}

// find collects the hits of a query that is read as one name or title.
func (s *Searcher) find(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) error {
	b.Hits.Reset(allowed, record.best())
	if text == "" {
		record.everything()
		b.Hits.AddAll(b.Reader, index.Everything(s.Len()), hits.Why{Tier: mappings.MaxTier})
		return nil
	}
	rd := &b.reading
	switch {
	case rd.Raw == text && s.named: // already read
	case s.named || record != nil:
		*rd = reading.Read(text)
	default:
		*rd = reading.ReadTitle(text)
	}
	rd.HasSound = rd.HasSound && !q.Latin
	record.read(rd, s.index.Rows)
	if rd.Script == reading.Nothing || s.named && terms.DOIKey(text) != "" { // a DOI is no name in pinyin
		return nil
	}
	asked := matchers.Request{Reading: rd, In: q.In, Unforgiving: q.Unforgiving, PageEnd: math.MaxInt, Trace: record.tracing()}
	if q.Size < math.MaxInt-q.From && q.plain() && record == nil {
		asked.PageEnd = q.From + q.Size
	}
	return s.finder.Find(ctx, b.Scratch, asked)
}
