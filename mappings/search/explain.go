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

// Script is the script of a query.
type Script = reading.Script

// The scripts that an explanation mentions.
const (
	Everything = reading.Everything // an empty query
	Nothing    = reading.Nothing    // no letter or digit
	Mixed      = reading.Mixed      // characters and letters
)

// Explanation says how a query was interpreted and why its hits were found. Fields that
// do not apply to the table are empty.
type Explanation struct {
	Query  string // as typed
	Script Script
	// Read is the query as names are compared.
	Read string
	// Syllables are the syllables of a query in pinyin or characters, with their tones
	// where known.
	Syllables []string
	// Words are the words of a scientific name, in which an abbreviated genus ends with
	// a full stop, or the words to find in titles.
	Words []string
	// DOI and Number are the query as an identifier.
	DOI, Number string
	// Literal says that the query contains a wildcard of other search engines, which no
	// name contains.
	Literal bool
	// Dynasty is the dynasty of the query, as dynasties are compared.
	Dynasty string
	// Tried lists the ways that were tried in each stage. A stage runs only when the
	// stages before it found nothing.
	Tried [][]Attempt
	mappings.Verdict
	// Recognised lists the parts of the query that name properties of formulas.
	Recognised []mappings.Recognised
	// DidYouMean lists at most three names that were found instead.
	DidYouMean []string
	Tiers      []TierCount // that have hits, the best first
	Hits       []Reason    // of the requested page
	Total      int
	// Namesakes is that of [Hits].
	Namesakes []int
}

// Attempt is a way that was tried in a field.
type Attempt struct {
	Tier  int
	Field string // name of the field
	Way   string // such as "prefix"
}

// TierCount is the number of hits in a tier. Hits of better tiers do not count.
type TierCount struct {
	Tier  int
	Count int
}

// Reason says why a record was found.
type Reason struct {
	Num   store.Num
	Tier  int
	Field string // name of the field; empty when the query finds everything
	Way   string // such as "prefix"
	// Text is the name that matched, as names are compared. Ranges are the parts of it
	// that match the query. Both are empty for titles and identifiers.
	Text   string
	Ranges []Range
}

// recorder records how an answer comes about. A nil recorder records nothing.
type recorder struct {
	brief       bool // without the interpretation of the query and the texts that matched
	explanation Explanation
	reasons     map[store.Num]hits.Why // the best reason of each hit
	reading     *reading.Reading
	trace       matchers.Trace
}

// best returns the map for the best reason of each hit, or nil.
func (r *recorder) best() map[store.Num]hits.Why {
	if r == nil {
		return nil
	}
	r.reasons = make(map[store.Num]hits.Why)
	return r.reasons
}

// restart forgets a search that found nothing.
func (r *recorder) restart() {
	if r != nil {
		r.trace = matchers.Trace{}
		r.explanation.Words, r.explanation.Syllables = nil, nil
	}
}

// everything records that the query finds everything.
func (r *recorder) everything() {
	if r != nil {
		r.explanation.Script = Everything
	}
}

// read records how the query was interpreted.
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

// tracing returns the trace of the matchers, or nil.
func (r *recorder) tracing() *matchers.Trace {
	if r == nil {
		return nil
	}
	return &r.trace
}

// found records the hits: their number in each tier, and the reason of each on the
// page.
func (r *recorder) found(ix *index.Index, page Hits) {
	if r == nil {
		return
	}
	rows, ex := ix.Rows, &r.explanation
	ex.Namesakes = page.Namesakes
	ex.Total, ex.Verdict, ex.Recognised, ex.Hits = page.Total, page.Verdict, page.Recognised, []Reason{}
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
