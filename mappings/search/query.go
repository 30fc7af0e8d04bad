package search

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"bencao/internal/messages"
	"bencao/mappings/internal/hits"
)

// MaxQuery is the longest query, in characters, that is answered, and MaxTitle
// that of a table whose records have titles.
const (
	MaxQuery = 200
	MaxTitle = 500
)

// ErrQuery is returned for a query that cannot be answered as it stands.
var ErrQuery = errors.New("query cannot be answered")

// Query is what is asked of a [Searcher].
type Query struct {
	// Text is what the user typed; empty, or nothing but spaces, finds everything.
	Text string
	// In is the part of the records that Text is asked of, such as "indications";
	// empty, or "name", is their names.
	In string
	// Dynasty restricts formulas to one dynasty or a group of them (汉, 宋);
	// empty does not.
	Dynasty string
	// Filters restrict the hits to the records that pass all of them. They are no
	// part of the score and never give way: what is forgiven is decided without
	// them.
	Filters []Filter
	// Sort is the order of the hits: "name", "year" or "prominence". Empty is how
	// well they fit.
	Sort string
	// Distinct shows one line of each name: the oldest of its records, the most
	// widely attested names first, and how many namesakes each has.
	Distinct bool
	// Unforgiving finds nothing rather than what was not meant: when the first ways
	// that can be tried find nothing, no further ones are.
	Unforgiving bool
	// From is how many hits to skip, Size how many to return at most.
	From, Size int
}

// Hits is a page of the records found.
type Hits = hits.Page

func (q *Query) check(longest int) error {
	switch {
	case q.From < 0:
		return fmt.Errorf("%w: from is %d; use 0 or more", ErrQuery, q.From)
	case q.Size < 0:
		return fmt.Errorf("%w: size is %d; use 0 or more", ErrQuery, q.Size)
	case len(q.Text) > longest && utf8.RuneCountInString(q.Text) > longest:
		return messages.Errorf("%w: text is longer than %d characters; shorten it", ErrQuery, longest)
	case len(q.Dynasty) > MaxQuery && utf8.RuneCountInString(q.Dynasty) > MaxQuery:
		return fmt.Errorf("%w: dynasty is longer than %d characters; shorten it", ErrQuery, MaxQuery)
	}
	return nil
}
