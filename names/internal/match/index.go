package match

import (
	"cmp"
	"sync"

	"bencao/internal/null"
	"bencao/names/internal/file"
	"bencao/names/internal/vocabulary"
)

// Index answers queries from a names file. It is safe for use by many goroutines.
type Index struct {
	file     *file.File
	pool     sync.Pool           // of *buffers
	families func() []familyWord // returns the families of all names, each once
}

// familyWord is the number of a family and of the checklist that has its first name.
type familyWord struct {
	word   uint16
	source uint8
}

// Open maps the names file at path into memory. The error wraps [file.ErrDamaged] if the file is
// incomplete or was changed. The file must not change while the index is open.
func Open(path string) (*Index, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	return &Index{
		file: f, pool: sync.Pool{New: func() any { return newBuffers(f) }},
		families: sync.OnceValue(func() []familyWord { return familiesOf(f) }),
	}, nil
}

// Close unmaps the file. No other method may run at the same time or afterwards.
func (ix *Index) Close() error { return ix.file.Close() }

// Match returns the accepted names that fit q, the best first. A name without matches is not an
// error. The error is a [*vocabulary.InputError].
func (ix *Index) Match(q vocabulary.Query) (vocabulary.Response, error) {
	return ix.match(q, view{File: ix.file})
}

func (ix *Index) match(q vocabulary.Query, v view) (vocabulary.Response, error) {
	q, err := q.Check()
	if err != nil {
		return vocabulary.Response{}, err
	}
	b := ix.pool.Get().(*buffers)
	asked := question{view: v, query: q, steps: newSteps(q.Explain), buf: b}
	found := asked.resolve()
	r := asked.answer(found)
	if len(r.Results) == 0 && found.drug == nil && !v.checklistsOnly {
		if a := asked.above(ix.families); a != nil {
			r.MatchedVia, r.CanonicalName, r.Results = vocabulary.ViaHigherRank, cmp.Or(r.CanonicalName, null.Text(a.name)), []vocabulary.Entry{a.entry(v)}
		}
	}
	// This is not deferred, because a panic may leave the buffers in an invalid state.
	ix.pool.Put(b)
	return r, nil
}

// Outcome is the way in which a species of the database resolves to an accepted name of the
// checklists.
type Outcome string

// The outcomes of [Index.Reconcile], for the name of the species.
const (
	OutcomeExact     Outcome = "exact"     // it is the accepted name
	OutcomeVariant   Outcome = "variant"   // it is the accepted name except for orthography
	OutcomeFuzzy     Outcome = "fuzzy"     // it is the accepted name except for a few letters
	OutcomeSynonym   Outcome = "synonym"   // it is a synonym, spelt alike or not
	OutcomeAmbiguous Outcome = "ambiguous" // several accepted names fit equally well
	OutcomeNone      Outcome = "none"
)

// reconcileScore is the lowest score at which a name is linked without review.
const reconcileScore = 0.80

// Reconcile returns the best answer of the checklists for a species of the database. It finds names
// as Match does, but ignores the names of the database itself. An ambiguous entry is for the report
// only and must not be linked. With [OutcomeNone] there is no entry. The error is a
// [*vocabulary.InputError].
func (ix *Index) Reconcile(q vocabulary.Query) (vocabulary.Entry, Outcome, error) {
	r, err := ix.match(q, view{File: ix.file, checklistsOnly: true})
	if err != nil || len(r.Results) == 0 {
		return vocabulary.Entry{}, OutcomeNone, err
	}
	e := r.Results[0]
	switch {
	case e.AcceptedName == "" || e.MatchSource == vocabulary.SourceDatabase || e.MatchType == vocabulary.MatchHigherRank || r.MatchedVia == vocabulary.ViaHybridFormula:
		return vocabulary.Entry{}, OutcomeNone, nil
	case e.Flags.Has(vocabulary.Ambiguous):
		return e, OutcomeAmbiguous, nil
	case e.Score < reconcileScore:
		return vocabulary.Entry{}, OutcomeNone, nil
	case r.MatchedVia != vocabulary.ViaAcceptedName:
		return e, OutcomeSynonym, nil
	}
	return e, Outcome(e.MatchType), nil
}
