package names

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
	OutcomeNone      Outcome = "file.None"
)

// reconcileScore is the least score at which a name is taken unseen by a
// person.
const reconcileScore = 0.80

// Reconcile returns the best answer of the checklists for a species of the
// database, whose own names do not count. An ambiguous entry is returned for
// the report and ought not to be taken; with [OutcomeNone] there is none.
// Match and Reconcile go the same way. The error is an [*InputError].
func (ix *Index) Reconcile(q Query) (Entry, Outcome, error) {
	m := ix.matchers.Get().(*matcher)
	defer ix.matchers.Put(m)
	m.skipDatabase = true
	r, err := m.match(q)
	if err != nil || len(r.Results) == 0 {
		return Entry{}, OutcomeNone, err
	}
	e := r.Results[0]
	switch {
	case e.AcceptedName == "" || e.MatchSource == SourceDatabase || e.MatchType == MatchHigherRank || r.MatchedVia == ViaHybridFormula:
		return Entry{}, OutcomeNone, nil
	case e.Flags.Has(fAmbiguous):
		return e, OutcomeAmbiguous, nil
	case e.Score < reconcileScore:
		return Entry{}, OutcomeNone, nil
	case r.MatchedVia != ViaAcceptedName:
		return e, OutcomeSynonym, nil
	}
	return e, Outcome(e.MatchType), nil
}
