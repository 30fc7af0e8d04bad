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
	families func() []familyWord // of all names, each once
}

// familyWord is a family that names have, and the number of the checklist of the first of them.
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

// Close releases the file. No method may run during Close or after it.
func (ix *Index) Close() error { return ix.file.Close() }

// Match returns the accepted names that fit q, the best first. A name that nothing fits is no
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
	// Not deferred: after a panic the buffers must not be used again.
	ix.pool.Put(b)
	return r, nil
}

// Outcome tells how a species of the database resolves to an accepted name of the checklists.
type Outcome string

// The outcomes of [Index.Reconcile].
const (
	OutcomeExact     Outcome = "exact"     // its name is the accepted one
	OutcomeVariant   Outcome = "variant"   // the same, except for orthography
	OutcomeFuzzy     Outcome = "fuzzy"     // the same, except for a few letters
	OutcomeSynonym   Outcome = "synonym"   // its name is a synonym, with any likeness
	OutcomeAmbiguous Outcome = "ambiguous" // several accepted names fit equally well
	OutcomeNone      Outcome = "none"
)

// reconcileScore is the least score at which a name is linked without review.
const reconcileScore = 0.80

// Reconcile returns the best answer of the checklists for a species of the database; the names of
// the database itself do not count. An ambiguous entry is returned for the report and must not be
// linked. With [OutcomeNone] there is no entry. Reconcile finds names as Match does. The error is
// a [*vocabulary.InputError].
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
