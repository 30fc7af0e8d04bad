package match

import (
	"sync"

	"bencao/names/internal/file"
	"bencao/names/internal/vocabulary"
)

// Index answers from a names file. It is safe for use by many goroutines.
type Index struct {
	file *file.File
	pool sync.Pool // of *buffers
}

// Open maps the names file at path. A file that is not whole gives an error
// that wraps [file.ErrDamaged]; so does a file that was changed. The file must
// not be changed while the index is open.
func Open(path string) (*Index, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	return &Index{file: f, pool: sync.Pool{New: func() any { return newBuffers(f) }}}, nil
}

// Close releases the file. No method may be running or be called afterwards.
func (ix *Index) Close() error { return ix.file.Close() }

// Match answers q: what name it is, and which accepted names fit it, the best
// first. A name that nothing fits is no error. The error is a
// [*vocabulary.InputError].
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
	r := asked.answer(asked.resolve())
	// Not deferred: buffers in use when a panic is recovered are dropped.
	ix.pool.Put(b)
	return r, nil
}

// Outcome says how a species of the database reached an accepted name of the
// checklists.
type Outcome string

// The outcomes of [Index.Reconcile].
const (
	OutcomeExact     Outcome = "exact"     // its name is the accepted one
	OutcomeVariant   Outcome = "variant"   // but for orthography
	OutcomeFuzzy     Outcome = "fuzzy"     // but for a few letters
	OutcomeSynonym   Outcome = "synonym"   // its name is a synonym, alike in whatever way
	OutcomeAmbiguous Outcome = "ambiguous" // several accepted names fit as well
	OutcomeNone      Outcome = "none"
)

// reconcileScore is the least score at which a name is taken unseen by a
// person.
const reconcileScore = 0.80

// Reconcile returns the best answer of the checklists for a species of the
// database, whose own names do not count. An ambiguous entry is returned for
// the report and ought not to be taken; with [OutcomeNone] there is none.
// Match and Reconcile go the same way. The error is an [*vocabulary.InputError].
func (ix *Index) Reconcile(q vocabulary.Query) (vocabulary.Entry, Outcome, error) {
	r, err := ix.match(q, view{File: ix.file, foreign: true})
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
