package search

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"bencao/mappings/internal/hits"
	"bencao/store"
)

// MaxQuery is the maximum length of a query in characters.
const MaxQuery = 500

// ErrQuery is the error for a query that cannot be answered.
var ErrQuery = errors.New("query cannot be answered")

// Query is a query to a [Searcher].
type Query struct {
	// Text is what the user typed. An empty or blank text finds everything.
	Text string
	// In is the part of the records to search, such as "indications". "" and "name" mean the names.
	In string
	// Dynasty restricts formulas to a dynasty or a group of dynasties (汉, 宋). "" means no
	// restriction.
	Dynasty string
	// Filters restrict the hits to records that pass all of them. Filters do not change the
	// ranking. If the filters exclude all hits, the search does not try more tolerant ways.
	Filters []Filter
	// Sort is the order of the hits: "name", "year" or "prominence". "" means by relevance.
	Sort string
	// Distinct asks for one line per name: the oldest record with the name, and the number of other
	// hits with the same name. The most widely attested names come first.
	Distinct bool
	// Grouped asks for all records of a name after each other, the oldest first. The names have the
	// order of Distinct.
	Grouped bool
	// NoHerbs means that no part of the text is read as a herb of formulas.
	NoHerbs bool
	// NamesAlone means that a book, an author or a dynasty alone is read as a part of names.
	NamesAlone bool
	// Latin means that a text in letters is no pinyin.
	Latin bool
	// Herbs returns the names that formulas use for the herb that a part of the text names, as a filter
	// by herbs reads it, or nil if the filter refuses it. Then, or if Herbs is nil, the part means the
	// herbs of formulas with that name or another certain name of the same herb.
	Herbs func(part string) []string
	// Forms returns the names of all herbs that count as the same drug as a herb, which is given by its
	// name in formulas: its processed forms and parts. A list of herbs that no formula has finds the
	// formulas with forms of these. Nil means that there are none.
	Forms func(herb string) []string
	// Unforgiving ends the search after the first stage in which a way was tried, even if that
	// stage found nothing.
	Unforgiving bool
	// From is the number of hits to skip. Size is the maximum number of hits to return.
	From, Size int
}

// herbsOr returns the names of the herb that a part of the text names by Herbs, or else the given ones.
func (q *Query) herbsOr(part string, names []string) []string {
	if q.Herbs != nil {
		if herbs := q.Herbs(part); len(herbs) > 0 {
			return herbs
		}
	}
	return names
}

// Hits is a page of hits.
type Hits = hits.Page

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

// Filter restricts the hits of a query by a field or to a set of records.
type Filter struct {
	Field string // if it is "", Records is the filter
	// Any lists values. A record passes if it has at least one of these values. Each may be given
	// in any of its forms.
	Any []string
	// Written means that a herb in Any has its name as ingredients write it, not by their notes.
	Written bool
	// From and To are the first and the last year that pass. They are for fields of years, instead
	// of Any. Nil means no limit. Records without a year do not pass.
	From, To *int32
	// Records lists the records that pass the filter if Field is "".
	Records []store.Num
	// Not inverts the filter: only the other records pass.
	Not bool
	// Name and Value are the parameter of the request and its value.
	Name, Value string
}
