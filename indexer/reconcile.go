package indexer

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"bencao/indexer/finding"
	"bencao/internal/null"
	"bencao/names"
	"bencao/store"
)

// reconcile finds the accepted name of every species in the names index. It uses the same code as
// names.match in the API. A match that the operator gives in name_matches takes precedence.
func (b *build) reconcile(ctx context.Context) error {
	ix, err := names.Open(b.path(names.FileName))
	if err != nil {
		return err
	}
	defer ix.Close()
	taxa, err := store.OpenTaxa(b.path(store.TaxaName))
	if err != nil {
		return err
	}
	defer taxa.Close()
	own := make(map[int32]*store.NameMatchInfo, len(b.pkg.NameMatches))
	for i := range b.pkg.NameMatches {
		own[b.pkg.NameMatches[i].SpeciesID] = &b.pkg.NameMatches[i].NameMatchInfo
	}
	species := b.data.Species
	results := make([]result, len(species))
	workers := runtime.GOMAXPROCS(0)
	g, working := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			for i := w; i < len(species); i += workers {
				if err := working.Err(); err != nil {
					return err
				}
				s := &species[i]
				entry, outcome, err := ix.Reconcile(names.Query{Name: string(s.ScientificName), Author: string(s.Author), Family: string(s.Family), Distribution: true})
				if err == nil && outcome != names.OutcomeAmbiguous {
					if err := b.list(s, &entry, taxa); err != nil {
						return err
					}
				}
				if m, ok := own[s.EntryID]; ok {
					s.NameMatch = m
					continue
				}
				if err != nil {
					results[i].outcome = names.OutcomeNone
					b.log.Add(finding.Finding{
						Severity: finding.Warn, Code: finding.Name, Table: "species", Column: "scientific_name", Value: string(s.ScientificName),
						Message: fmt.Sprintf("name of species %d cannot be reconciled: %v", s.EntryID, err),
					})
					continue
				}
				results[i] = result{outcome, entry.AcceptedName, entry.AcceptedAuthor}
				if outcome != names.OutcomeNone && outcome != names.OutcomeAmbiguous {
					s.NameMatch = matchInfo(entry)
				}
				if w == 0 {
					b.clock.tick(min(i+workers, len(species)), len(species))
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i := range species {
		b.tally(&species[i], results[i])
	}
	if err := b.checks.Matches(ctx, b.derived()); err != nil {
		return err
	}
	return b.finishPackage()
}

// result is the outcome of reconciling one species. The zero value means that the operator gave the
// match.
type result struct {
	outcome                      names.Outcome
	acceptedName, acceptedAuthor null.Text
}

// tally counts an outcome. It also warns about a species whose family differs from the family that
// the checklist gives.
func (b *build) tally(s *store.Species, got result) {
	r := &b.report.Reconciliation
	r.Species++
	r.example(s, got)
	switch got.outcome {
	case "":
		r.Operator++
	case names.OutcomeExact:
		r.Exact++
	case names.OutcomeVariant:
		r.Variant++
	case names.OutcomeFuzzy:
		r.Fuzzy++
	case names.OutcomeSynonym:
		r.Synonym++
	case names.OutcomeAmbiguous:
		r.Ambiguous++
	case names.OutcomeNone:
		r.None++
	}
	if s.NameMatch == nil || s.Family == "" || s.NameMatch.AcceptedFamily == "" || names.SameFamily(string(s.Family), string(s.NameMatch.AcceptedFamily)) {
		return
	}
	b.log.Add(finding.Finding{
		Severity: finding.Warn, Code: finding.Family, Table: "species", Column: "family", Value: string(s.Family),
		Message: fmt.Sprintf("species %d, %s: the checklist places %s in %s", s.EntryID, s.ScientificName, s.NameMatch.AcceptedName, s.NameMatch.AcceptedFamily),
		Hint:    "correct the family, or the name if it is another plant's",
	})
}

// example keeps the first species of each outcome for the report, except exact matches.
func (r *Reconciliation) example(s *store.Species, got result) {
	o := string(got.outcome)
	if o == "" || got.outcome == names.OutcomeExact || len(r.Examples[o]) >= maxListed {
		return
	}
	if r.Examples == nil {
		r.Examples = map[string][]string{}
	}
	line := strings.TrimSpace(fmt.Sprintf("%d %s %s", s.EntryID, s.ScientificName, s.Author))
	if got.acceptedName != "" {
		line = strings.TrimSpace(fmt.Sprintf("%s → %s %s", line, got.acceptedName, got.acceptedAuthor))
	}
	r.Examples[o] = append(r.Examples[o], line)
}

// matchInfo returns the match in the form that the species' answer shows.
func matchInfo(e names.Entry) *store.NameMatchInfo {
	score := math.Round(e.Score*100) / 100
	return &store.NameMatchInfo{
		MatchSource:         e.MatchSource,
		MatchType:           e.MatchType,
		Score:               &score,
		AcceptedName:        e.AcceptedName,
		AcceptedAuthor:      e.AcceptedAuthor,
		AcceptedFamily:      e.AcceptedFamily,
		TaxonStatus:         e.TaxonStatus,
		WCVPID:              e.WCVPID,
		IPNIID:              e.IPNIID,
		WFOID:               e.WFOID,
		ChineseNameColChina: e.ChineseNameColChina,
		ChecklistVersion:    e.ChecklistVersion,
	}
}
