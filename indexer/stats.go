package indexer

import (
	"math"
	"time"

	"bencao/store"
)

// siteStats counts the records of a snapshot. The references between records must already be record
// numbers.
func siteStats(d *store.Data, now time.Time) store.SiteStats {
	s := store.SiteStats{
		PlantTaxa:  int32(len(d.Species)),
		Formulas:   int32(len(d.Formulas)),
		Papers:     int32(len(d.Papers)),
		ComputedAt: now.UTC().Truncate(time.Second),
	}
	for i := range d.Species {
		sp := &d.Species[i]
		if sp.ChineseName != "" {
			s.SpeciesWithChineseName++
			if reconciled(sp) {
				s.ReconciledChineseNamed++
			}
		}
		s.Synonyms += int32(len(sp.Synonyms))
		s.FloraTreatments += int32(len(sp.Flora))
		s.SpeciesFormulaLinks += int32(len(sp.Formulas))
		s.SpeciesPaperLinks += int32(len(sp.Papers))
		s.UseRecords += int32(len(sp.Uses))
		for _, u := range sp.Uses {
			switch u.Collection {
			case "economic_flora":
				s.EconomicFloraRecords++
			case "himalaya":
				s.HimalayaRecords++
			case "folk":
				s.FolkKnowledge++
			}
		}
	}
	for i := range d.Formulas {
		s.FormulaIngredients += int32(len(d.Formulas[i].Ingredients))
		s.FormulaCodes += int32(len(d.Formulas[i].Codes))
	}
	if s.SpeciesWithChineseName > 0 {
		pct := 100 * float64(s.ReconciledChineseNamed) / float64(s.SpeciesWithChineseName)
		pct = math.Round(pct*100) / 100
		s.ReconciledPct = &pct
	}
	return s
}

// reconciled reports whether a checklist gives the species an accepted name.
func reconciled(s *store.Species) bool { return s.NameMatch != nil && s.NameMatch.AcceptedName != "" }
