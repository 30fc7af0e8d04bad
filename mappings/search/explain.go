package search

import (
	"slices"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// Script is what a query is written in.
type Script = reading.Script

// The scripts that an explanation has words for.
const (
	Everything = reading.Everything // an empty query
	Nothing    = reading.Nothing    // no letter or digit
	Mixed      = reading.Mixed      // characters and letters
)

// Explanation says how a query was read and why its hits were found. What the
// table that was asked has no use for is left empty.
type Explanation struct {
	Query  string // as asked
	Script Script
	// Read is the query as names are compared.
	Read string
	// Syllables are the query's, if it can be read aloud, with the tones that
	// it has or, of characters, may have.
	Syllables []string
	// Words are those of a scientific name, where a shortened one ends in a full
	// stop, or those that are sought in titles.
	Words []string
	// DOI and Number are the query as an identifier.
	DOI, Number string
	// Literal says that the query holds a sign that is a command elsewhere, and
	// that no name holds.
	Literal bool
	// Dynasty is the one asked for, as dynasties are compared.
	Dynasty string
	// Tried are the ways that were tried, stage by stage: a stage only when the
	// ones before it found nothing.
	Tried [][]Attempt
	mappings.Verdict
	// DidYouMean are the names that were found instead, at most three.
	DidYouMean []string
	Tiers      []TierCount // that have hits, the best first
	Hits       []Reason    // of the page asked for
	Total      int
	// Namesakes are those of [Hits].
	Namesakes []int
}

// Attempt is a way in which records were sought.
type Attempt struct {
	Tier  int
	Field string // of the search table
	Way   string // such as "prefix"
}

// TierCount is how many hits stand in a tier, those of better tiers left out.
type TierCount struct {
	Tier  int
	Count int
}

// Reason says why a record was found.
type Reason struct {
	Num   store.Num
	Tier  int
	Field string // of the search table; empty when everything is found
	Way   string // such as "prefix"
	// Text is the name by which it was found, as names are compared, and Ranges
	// are the parts of it that answer the query. Titles and identifiers have none.
	Text   string
	Ranges []Range
}

// recorder writes down how an answer comes about. It is handed to whoever takes
// part; a nil one writes nothing.
type recorder struct {
	brief       bool // nobody wants to know how the query was read and which text was found
	explanation Explanation
	reasons     map[store.Num]hits.Why // the best of each hit
	reading     *reading.Reading
	trace       matchers.Trace
}

// best is where the best reason of each hit is written, or nil.
func (r *recorder) best() map[store.Num]hits.Why {
	if r == nil {
		return nil
	}
	r.reasons = make(map[store.Num]hits.Why)
	return r.reasons
}

// everything notes that the query finds everything.
func (r *recorder) everything() {
	if r != nil {
		r.explanation.Script = Everything
	}
}

// read notes how a query was read for a table.
func (r *recorder) read(rd *reading.Reading, rows []mappings.Row) {
	if r == nil || r.brief {
		return
	}
	r.reading = rd
	ex := &r.explanation
	ex.Script, ex.Literal = rd.Script, rd.Literal
	has := func(analyzers ...mappings.Analyzer) bool {
		return slices.ContainsFunc(rows, func(r mappings.Row) bool { return slices.Contains(analyzers, r.Analyzer) })
	}
	if has(mappings.Chinese) {
		ex.Read = rd.Key
	}
	if has(mappings.Pinyin) {
		ex.Syllables = rd.Syllables()
	}
	if has(mappings.SciName, mappings.Synonym) {
		for _, w := range rd.Words {
			if w.Short {
				w.Text += "."
			}
			ex.Words = append(ex.Words, w.Text)
		}
	}
	if has(mappings.DOI) {
		ex.DOI = terms.DOIKey(rd.Text)
	}
	if has(mappings.Number) {
		ex.Number = terms.NumberKey(rd.Text)
	}
	if has(mappings.Title) && ex.DOI == "" {
		ex.Words = append(ex.Words, terms.TitleWords(rd.Raw)...)
	}
}

// tracing is where is written what is tried, or nil.
func (r *recorder) tracing() *matchers.Trace {
	if r == nil {
		return nil
	}
	return &r.trace
}

// found notes the hits: how many each tier has, and why each of the page was found.
func (r *recorder) found(ix *index.Index, page Hits) {
	if r == nil {
		return
	}
	rows, ex := ix.Rows, &r.explanation
	ex.Namesakes = page.Namesakes
	ex.Total, ex.Verdict, ex.Hits = page.Total, page.Verdict, []Reason{}
	for _, stage := range r.trace.Stages {
		var tried []Attempt
		for _, why := range stage {
			tried = append(tried, Attempt{int(why.Tier), rows[why.Row].Name, why.Way.String()})
		}
		ex.Tried = append(ex.Tried, tried)
	}
	var counts [mappings.MaxTier + 1]int
	for _, why := range r.reasons {
		counts[why.Tier]++
	}
	for tier := len(counts) - 1; tier > 0; tier-- {
		if counts[tier] > 0 {
			ex.Tiers = append(ex.Tiers, TierCount{tier, counts[tier]})
		}
	}
	for _, n := range page.Nums {
		found := Reason{Num: n, Tier: mappings.MaxTier}
		if ex.Script != Everything {
			why := r.reasons[n]
			found = Reason{Num: n, Tier: int(why.Tier), Field: rows[why.Row].Name, Way: why.Way.String()}
			if r.reading != nil {
				found.Text, found.Ranges = textOf(ix, r.reading, n, why.Row)
			}
		}
		ex.Hits = append(ex.Hits, found)
		if ex.Forgiven != "" && found.Text != "" && len(ex.DidYouMean) < 3 && !slices.Contains(ex.DidYouMean, found.Text) {
			ex.DidYouMean = append(ex.DidYouMean, found.Text)
		}
	}
}
