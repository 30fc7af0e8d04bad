package indexer

import (
	"cmp"
	"context"
	"slices"

	"bencao/indexer/datapackage"
	"bencao/indexer/similarity"
	"bencao/names/han"
	"bencao/names/herb/dose"
	"bencao/store"
)

// neighbours is the maximum number of similar formulas that each formula keeps by each measure.
const neighbours = 20

// compareFormulas finds the formulas that are most similar to each formula, by herbs and by doses.
//
// All doses of a formula must have the same unit, 钱. Weights are converted to 钱, and a volume of
// one 合 counts as one 钱. A count, such as twelve dates, cannot be converted. Counts and unreadable
// doses are replaced by the formula's median dose.
func compareFormulas(ctx context.Context, d *store.Data, r *SimilarityReport) error {
	formulas := make([]similarity.Formula, len(d.Formulas))
	herbs := map[string]bool{}
	for i := range d.Formulas {
		f := &d.Formulas[i]
		era := dose.EraOf(f.Year)
		formulas[i].Name = han.Fold(string(f.Name))
		for _, in := range f.Ingredients {
			value := 0.0
			if amount, err := era.Parse(in.Dose); err == nil && (amount.Kind == dose.Weight || amount.Kind == dose.Volume) {
				value = amount.Value
			}
			if in.Dose != "" {
				r.Doses++
				if value == 0 {
					r.UnknownDoses++
				}
			}
			for _, name := range in.Plain { // if an ingredient names several herbs, each gets the whole dose of the ingredient
				herbs[name] = true
				formulas[i].Herbs = append(formulas[i].Herbs, similarity.Herb{Name: name, Dose: value})
			}
		}
	}
	r.Formulas, r.PlainHerbs = len(formulas), len(herbs)
	top, err := similarity.Top(ctx, formulas, neighbours)
	if err != nil {
		return err
	}
	for i := range d.Formulas {
		d.Formulas[i].SimilarJaccard = similar(top[i].Jaccard)
		d.Formulas[i].SimilarEuclidean = similar(top[i].Euclidean)
	}
	return nil
}

func similar(list []similarity.Neighbour) []store.Similar {
	out := make([]store.Similar, len(list))
	for i, n := range list {
		out[i] = store.Similar{Formula: store.Num(n.Formula), Value: n.Value}
	}
	return out
}

// takeSimilarity uses the operator's similarity table instead of the computed measures. It keeps at
// most 20 similar formulas for each formula and method.
func takeSimilarity(d *store.Data, rows []datapackage.Similarity) {
	byEntry := make(map[int32]*store.Formula, len(d.Formulas))
	for i := range d.Formulas {
		byEntry[d.Formulas[i].EntryID] = &d.Formulas[i]
	}
	for _, row := range rows {
		f := byEntry[row.FormulaID]
		s := store.Similar{Formula: byEntry[row.OtherID].Num, Value: row.Value}
		switch row.Method {
		case "jaccard":
			f.SimilarJaccard = append(f.SimilarJaccard, s)
		case "euclidean": // values of other methods are ignored, since they may not be distances
			f.SimilarEuclidean = append(f.SimilarEuclidean, s)
		}
	}
	for i := range d.Formulas {
		f := &d.Formulas[i]
		f.SimilarJaccard = best(f.SimilarJaccard, -1)
		f.SimilarEuclidean = best(f.SimilarEuclidean, 1)
	}
}

// best returns the first 20 similar formulas, sorted by value and then by answer order. direction
// is 1 for ascending values and -1 for descending ones.
func best(list []store.Similar, direction int) []store.Similar {
	slices.SortFunc(list, func(a, b store.Similar) int {
		return cmp.Or(direction*cmp.Compare(a.Value, b.Value), cmp.Compare(a.Formula, b.Formula))
	})
	return list[:min(len(list), neighbours)]
}
