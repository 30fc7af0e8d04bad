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

// citation matches a paper as texts cite it: Zuo et al. 2017, Zuo (2017) Panax biogeography, Zuo
// Panax 2017.
var citation = regexp.MustCompile(`^([^0-9]+?)[\s,(]+((?:1[89]|20)[0-9]{2})[a-z]?\b[\s).,:]*(.*)$`)

// noAuthors are the words between authors in citations.
var noAuthors = []string{"et", "al", "and"}

// mostSplits is the maximum number of ways in which the words before a year are split into authors
// and the beginning of a title.
const mostSplits = 4

// runCited reads a query for papers as authors and a year, with words of the title or without. It
// keeps the hits if the query is no such citation, or no paper fits it.
func (s *Searcher) runCited(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) error {
	cited := citation.FindStringSubmatch(text)
	if cited == nil {
		return nil
	}
	year, _ := strconv.Atoi(cited[2]) // the pattern has only digits there
	y := int32(year)
	words := slices.DeleteFunc(strings.FieldsFunc(cited[1], func(r rune) bool { return strings.ContainsRune(" ,.&", r) }), func(w string) bool {
		return slices.Contains(noAuthors, strings.ToLower(w))
	})
	passed, err := s.lazy.passing(&Query{Filters: []Filter{{Field: "year", From: &y, To: &y}}})
	if err != nil {
		return err
	}
	intersect(passed, allowed)
	var by [][]uint64 // by[n] has the papers of the year by the authors words[:n+1]; no element is empty
	for _, name := range words {
		papers, err := s.lazy.passing(&Query{Filters: []Filter{{Field: "author", Any: []string{name}}}})
		if err != nil {
			return err
		}
		if intersect(papers, passed); size(papers) == 0 {
			break
		}
		by, passed = append(by, papers), papers
	}
	for n := len(by); n > max(0, len(by)-mostSplits); n-- { // Renner Momordica 2010: the last words may be those of the title
		title := strings.TrimSpace(strings.Join(words[n:], " ") + " " + cited[3])
		record.restart()
		if title == "" {
			author := slices.IndexFunc(s.index.Rows, func(r mappings.Row) bool { return r.Name == "author" })
			b.Hits.Reset(by[n-1], record.best())
			for at := range store.Num(s.Len()) {
				b.Hits.Add(at, hits.Why{Tier: mappings.MaxTier, Row: author, Way: mappings.Words})
			}
			return nil
		}
		strict := q
		strict.Unforgiving = n < len(words)
		if err := s.find(ctx, b, strict, title, by[n-1], record); err != nil || size(b.Hits.All()) > 0 {
			b.rewrite = mappings.Rewrite{ReadAs: title, Question: true}
			return err
		}
	}
	if len(by) == 0 { // the hits are still those of the text
		return nil
	}
	record.restart()
	return s.find(ctx, b, q, text, allowed, record)
}
