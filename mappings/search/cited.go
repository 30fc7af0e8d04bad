package search

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/store"
)

// citation matches a paper as texts cite it: Zuo et al. 2017, Zuo (2017) Panax biogeography, Zuo Panax 2017.
var citation = regexp.MustCompile(`^([^0-9]+?)[\s,(]+((?:1[89]|20)[0-9]{2})[a-z]?\b[\s).,:]*(.*)$`)

// noAuthors are the words between authors in citations.
var noAuthors = []string{"et", "al", "and"}

// runCited reads a query for papers as authors and a year, with words of the title or without. It keeps the
// hits if the query is no such citation, or no paper fits it.
func (s *Searcher) runCited(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) error {
	cited := citation.FindStringSubmatch(text)
	if cited == nil {
		return nil
	}
	year, _ := strconv.Atoi(cited[2]) // the pattern has only digits there
	y := int32(year)
	filters := []Filter{{Field: "year", From: &y, To: &y}}
	words := slices.DeleteFunc(strings.FieldsFunc(cited[1], func(r rune) bool { return strings.ContainsRune(" ,.&", r) }), func(w string) bool {
		return slices.Contains(noAuthors, strings.ToLower(w))
	})
	for _, name := range words {
		filters = append(filters, Filter{Field: "author", Any: []string{name}})
	}
	tried := false
	for n := len(words); n > 0; n-- { // Renner Momordica 2010: the last words may be those of the title
		passed, err := s.lazy.passing(&Query{Filters: filters[:n+1]})
		if err != nil {
			return err
		}
		if intersect(passed, allowed); size(passed) == 0 {
			continue
		}
		title := strings.TrimSpace(strings.Join(words[n:], " ") + " " + cited[3])
		record.restart()
		if title == "" {
			author := slices.IndexFunc(s.index.Rows, func(r mappings.Row) bool { return r.Name == "author" })
			b.Hits.Reset(passed, record.best())
			for at := range store.Num(s.Len()) {
				b.Hits.Add(at, hits.Why{Tier: mappings.MaxTier, Row: author, Way: mappings.Words})
			}
			return nil
		}
		strict := q
		strict.Unforgiving = n < len(words)
		if err := s.find(ctx, b, strict, title, passed, record); err != nil || size(b.Hits.All()) > 0 {
			b.rewrite = mappings.Rewrite{ReadAs: title, Question: true}
			return err
		}
		tried = true
	}
	if !tried {
		return nil
	}
	record.restart()
	return s.find(ctx, b, q, text, allowed, record)
}
