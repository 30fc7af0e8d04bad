package search

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// SelfCheck is the result of searching an index for the names and titles of its own records.
type SelfCheck struct {
	Checked  int // number of names and titles searched for
	Failures []Failure
}

// Failure is a name or title of a record. A search for it does not find the record in the tier of
// the field.
type Failure struct {
	Num   store.Num
	Field string
	Value string
}

// ownTier is the lowest tier of fields with the records' own names. Aliases and synonyms have lower
// tiers, so they are not checked.
const ownTier = 90

// maxTitles is the maximum number of titles that are checked. They are evenly distributed over the
// records.
const maxTitles = 20_000

// Check searches an index for the own names of its records: Chinese names, pinyin, scientific
// names, DOIs, PubMed identifiers, and at most 20,000 titles. Each text must find its record in the
// tier of its field, so that only records with the same text can come before it. Check does not
// search for texts that no user can search for: those without a letter or a digit, and those that
// are longer than a query. It searches for the beginning of a title that is too long. Check uses
// all processors.
func Check[R any](ctx context.Context, s *Searcher, fields []mappings.Field[R], records []R) (SelfCheck, error) {
	if s.Len() != len(records) {
		return SelfCheck{}, fmt.Errorf("index holds %d records, %d were to be indexed", s.Len(), len(records))
	}
	var mu sync.Mutex // guards all
	var all SelfCheck
	g, ctx := errgroup.WithContext(ctx)
	parts := runtime.GOMAXPROCS(0)
	for part := range parts {
		g.Go(func() error {
			var own SelfCheck
			for i := part; i < len(records); i += parts {
				if err := checkRecord(ctx, s, fields, &records[i], store.Num(i), &own); err != nil {
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

// checkRecord searches for the own names of one record and adds the failures to the result.
func checkRecord[R any](ctx context.Context, s *Searcher, fields []mappings.Field[R], record *R, n store.Num, c *SelfCheck) error {
	for _, f := range fields {
		least := int(f.Tiers[mappings.Whole])
		switch {
		case f.Analyzer == mappings.Title && int(n)%(1+s.Len()/maxTitles) == 0:
			least = int(f.Tiers[mappings.Words])
		case least < ownTier:
			continue
		}
		for _, v := range f.Values(record) {
			text := strings.TrimSpace(v)
			if f.Analyzer == mappings.Title {
				text = cutQuery(text)
			}
			if terms.Value(f.Analyzer, v) == "" || terms.ChineseKey(text) == "" || (&Query{Text: text}).check() != nil {
				continue // nobody can search for it
			}
			tier, err := s.tierOf(ctx, text, n)
			if err != nil {
				return err
			}
			c.Checked++
			if tier < least {
				c.Failures = append(c.Failures, Failure{n, f.Name, v})
			}
		}
	}
	return nil
}

// tierOf returns the best tier in which a text finds a record, or 0.
func (s *Searcher) tierOf(ctx context.Context, text string, n store.Num) (tier int, err error) {
	err = s.withBuffers(text, func(b *buffers) error {
		if err := s.run(ctx, b, Query{}, text, nil); err != nil {
			return err
		}
		for tier = mappings.MaxTier; tier > 0 && !b.Hits.Has(tier, n); tier-- {
		}
		return nil
	})
	return tier, err
}

// cutQuery shortens a title that is too long for a query. It cuts the title after a whole word.
func cutQuery(title string) string {
	runes := []rune(title)
	if len(runes) <= MaxQuery {
		return title
	}
	title = string(runes[:MaxQuery])
	if i := strings.LastIndexByte(title, ' '); i > 0 {
		return title[:i]
	}
	return title
}
