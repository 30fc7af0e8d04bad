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

// Explanation describes how a query was interpreted and why its hits were found. A field is empty
// if it does not apply to the table.
type Explanation struct {
	Query  string // as typed
	Script Script
	// Read is the query in the form in which names are compared.
	Read string
	// Syllables are the syllables of a query in pinyin or characters. They have tones if the tones
	// are known.
	Syllables []string
	// Words are the words of a scientific name or the words to find in titles. An abbreviated genus
	// ends with a full stop.
	Words []string
	// DOI and Number are the identifier that the query contains, if any.
	DOI, Number string
	// Literal is true if the query contains an asterisk as a wildcard. Names contain no asterisk,
	// and this program has no wildcards, so such a query finds no names.
	Literal bool
	// Dynasty is [Query.Dynasty] in the form in which dynasties are compared.
	Dynasty string
	// Tried lists the ways that were tried in each stage. A stage runs only if the stages before it
	// found nothing.
	Tried [][]Attempt
	hits.Page
	// DidYouMean lists at most three names that were found instead of the text of the query.
	DidYouMean []string
	Tiers      []TierCount // the tiers that have hits, the best first
	Hits       []Reason    // the reasons of the hits of the page
}

// Attempt is a way that was tried in a field.
type Attempt struct {
	Tier  int
	Field string // name of the field
	Way   string // such as "prefix"
}

// TierCount is the number of hits whose best tier is Tier.
type TierCount struct {
	Tier  int
	Count int
}

// Reason is the reason why a record was found.
type Reason struct {
	Num   store.Num
	Tier  int
	Field string // name of the field; "" if the query finds everything
	Way   string // such as "prefix"
	// Verdict is the verdict on Way.
	Verdict mappings.Verdict
	// Text is the name that matched, in the form in which names are compared. Ranges are the parts
	// of Text that match the query. Both are empty for titles and identifiers.
	Text   string
	Ranges []Range
	// Lacks are the herbs of the query that the record lacks, as typed, and More its herbs beside those of
	// the query, if the record has most herbs of the query but not all.
	Lacks, More []string
}

// recorder records how an answer was found. A nil recorder records nothing.
type recorder struct {
	brief       bool // omit the interpretation of the query and the texts that matched
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

// restart discards the records of a search that found nothing.
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

// found records the number of hits in each tier and the reason for each hit on the page.
func (r *recorder) found(ix *index.Index, page Hits) {
	if r == nil {
		return
	}
	rows, ex := ix.Rows, &r.explanation
	ex.Page, ex.Hits = page, []Reason{}
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
			found = Reason{Num: n, Tier: int(why.Tier), Field: rows[why.Row].Name, Way: why.Way.String(), Verdict: why.Way.Verdict()}
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
