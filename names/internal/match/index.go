package match

import (
	"cmp"
	"sync"

	"bencao/internal/null"
	"bencao/names/internal/answer"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
)

// Index answers queries from a names file. It is safe for use by many goroutines.
type Index struct {
	file     *file.File
	pool     sync.Pool           // of *buffers
	families func() []familyWord // returns all families of the names file, each once
}

// Open maps the names file at path into memory. The caller must have verified the file against the
// manifest of its snapshot. The error wraps [file.ErrDamaged] if the file is incomplete or a number
// in it leads nowhere. The file must not change while the index is open.
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

// Match returns the names that q may mean, with their accepted names, the best first. It returns no
// error if nothing matches. All errors are of type [*answer.InputError].
func (ix *Index) Match(q answer.Query) (answer.Response, error) {
	return ix.match(q, view{File: ix.file})
}

func (ix *Index) match(q answer.Query, v view) (answer.Response, error) {
	q, err := q.Check()
	if err != nil {
		return answer.Response{}, err
	}
	b := ix.pool.Get().(*buffers)
	asked := question{view: v, query: q, steps: newSteps(q.Explain), buf: b}
	found := asked.resolve()
	r := asked.answer(found)
	if _, other := asked.life(""); len(r.Results) == 0 && found.herb == nil && !v.checklistsOnly && !other {
		if a := asked.higherTaxon(ix.families); a != nil {
			r.MatchedVia, r.CanonicalName, r.Results = answer.ViaHigherRank, cmp.Or(r.CanonicalName, null.Text(a.name)), []answer.Entry{a.entry(v)}
		}
	}
	// This must not be deferred: after a panic, the buffers may be in an invalid state and must not
	// be reused.
	ix.pool.Put(b)
	return r, nil
}

// Outcome says in which way a species of the database resolved to an accepted name of the
// checklists.
type Outcome string

// The outcomes of [Index.Reconcile]. "The name" is the name of the species in the database.
const (
	OutcomeExact     Outcome = "exact"     // the name is the accepted name
	OutcomeVariant   Outcome = "variant"   // the name is the accepted name except for orthography
	OutcomeFuzzy     Outcome = "fuzzy"     // the name is the accepted name except for a few letters
	OutcomeSynonym   Outcome = "synonym"   // the name is a synonym, in the same spelling or in another
	OutcomeAmbiguous Outcome = "ambiguous" // several accepted names fit the name equally well
	OutcomeNone      Outcome = "none"
)

// reconcileScore is the lowest score with which a species is linked to a name without review.
const reconcileScore = 0.80

// Reconcile returns the best answer of the checklists for a species of the database. It finds names
// as Match does, but ignores the names of the database itself. If the outcome is
// [OutcomeAmbiguous], the entry is for the report only and must not be linked. If the outcome is
// [OutcomeNone], the entry is empty, or the species of a variety that the checklists lack: then only
// its [answer.Entry.Taxa] may be used. All errors are of type [*answer.InputError].
func (ix *Index) Reconcile(q answer.Query) (answer.Entry, Outcome, error) {
	r, err := ix.match(q, view{File: ix.file, checklistsOnly: true})
	if err != nil || len(r.Results) == 0 {
		return answer.Entry{}, OutcomeNone, err
	}
	e := r.Results[0]
	switch {
	case e.MatchType == answer.MatchHigherRank && e.Rank == "species" && !e.Flags.Has(answer.GenusCorrected|answer.EpithetCorrected):
		return answer.Entry{MatchType: e.MatchType, Taxa: e.Taxa}, OutcomeNone, nil
	case e.AcceptedName == "" || e.MatchSource == checklist.SourceDatabase || e.MatchType == answer.MatchHigherRank || r.MatchedVia == answer.ViaHybridFormula:
		return answer.Entry{}, OutcomeNone, nil
	case e.Flags.Has(answer.Ambiguous):
		return e, OutcomeAmbiguous, nil
	case e.Score < reconcileScore:
		return answer.Entry{}, OutcomeNone, nil
	case r.MatchedVia != answer.ViaAcceptedName:
		return e, OutcomeSynonym, nil
	}
	return e, Outcome(e.MatchType), nil
}
