package mappings

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"bencao/store"
)

// SelfCheck is what came of asking an index for what it holds.
type SelfCheck struct {
	Checked  int // values asked for
	Failures []Failure
}

// Failure is a value that does not find its record in the tier that its field
// promises.
type Failure struct {
	Num   store.Num
	Field string
	Value string
}

func (f Failure) String() string {
	return fmt.Sprintf("record %d: %s %q does not find itself", f.Num, f.Field, f.Value)
}

// ownTier is the lowest tier of a field that holds a record's own names. Those
// are checked; aliases and synonyms, which stand lower, are not.
const ownTier = 90

// maxTitles is how many titles are checked, spread evenly.
const maxTitles = 20_000

// SelfCheckSpecies asks the index for every Chinese name, every pinyin and
// every scientific name of the records it was built from. Each must find its
// record in the tier of its form, so that only namesakes stand before it. It
// uses all processors.
func SelfCheckSpecies(ctx context.Context, ix *Index, records []store.Species) (SelfCheck, error) {
	return selfCheck(ctx, ix, Species, records)
}

// SelfCheckFormulas is [SelfCheckSpecies] for the names and the pinyin of formulas.
func SelfCheckFormulas(ctx context.Context, ix *Index, records []store.Formula) (SelfCheck, error) {
	return selfCheck(ctx, ix, Formulas, records)
}

// SelfCheckPapers asks for every DOI and PubMed id, and for titles, of which
// at most 20,000: each must find its paper.
func SelfCheckPapers(ctx context.Context, ix *Index, records []store.Paper) (SelfCheck, error) {
	return selfCheck(ctx, ix, Papers, records)
}

func selfCheck[R any](ctx context.Context, ix *Index, fields []Field[R], records []R) (SelfCheck, error) {
	if ix.total != len(records) {
		return SelfCheck{}, fmt.Errorf("index holds %d records, %d were to be indexed", ix.total, len(records))
	}
	var mu sync.Mutex // guards all
	var all SelfCheck
	g, ctx := errgroup.WithContext(ctx)
	parts := runtime.GOMAXPROCS(0)
	for part := range parts {
		g.Go(func() error {
			var own SelfCheck
			for i := part; i < len(records); i += parts {
				if err := checkRecord(ctx, ix, fields, &records[i], store.Num(i), &own); err != nil {
					return fmt.Errorf("self-check of record %d: %w", i, err)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all.Checked += own.Checked
			all.Failures = append(all.Failures, own.Failures...)
			return nil
		})
	}
	err := g.Wait()
	slices.SortStableFunc(all.Failures, func(a, b Failure) int { return int(a.Num) - int(b.Num) })
	return all, err
}

// checkRecord asks for the values of one record.
func checkRecord[R any](ctx context.Context, ix *Index, fields []Field[R], record *R, n store.Num, c *SelfCheck) error {
	for i, f := range fields {
		least := int(f.Tiers[Whole])
		switch {
		case f.Analyzer == Title && int(n)%(1+ix.total/maxTitles) == 0:
			least = int(f.Tiers[Words])
		case least < ownTier:
			continue
		}
		for _, v := range f.Values(record) {
			if ix.rows[i].value(v) == "" {
				continue
			}
			c.Checked++
			tier, err := ix.tierOf(ctx, cutQuery(v), n)
			if err != nil {
				return err
			}
			if tier < least {
				c.Failures = append(c.Failures, Failure{n, f.Name, v})
			}
		}
	}
	return nil
}

// tierOf is the best tier in which a text finds a record, or 0.
func (ix *Index) tierOf(ctx context.Context, text string, n store.Num) (tier int, err error) {
	s := &search{ctx: ctx, ix: ix, reader: ix.readers.Get().(*reader), collector: ix.scratch.Get().(*collector)}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = damaged(text, p)
		}
	}()
	if err := s.run(Query{}, text); err != nil {
		return 0, err
	}
	block := int(n) / blockSize * blockSize
	at := place(block + slices.Index(ix.numbers[block:], n))
	for t := maxTier; t > 0 && tier == 0; t-- {
		if s.collector.has(t, at) {
			tier = t
		}
	}
	ix.readers.Put(s.reader)
	ix.scratch.Put(s.collector)
	return tier, nil
}

// cutQuery cuts a text that is too long for a query behind its last whole word.
func cutQuery(s string) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= MaxQuery {
		return s
	}
	s = string([]rune(s)[:MaxQuery])
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		return s[:i]
	}
	return s
}
