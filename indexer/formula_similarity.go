package indexer

import (
	"cmp"
	"context"
	"slices"

	"bencao/indexer/datapackage"
	"bencao/indexer/similarity"
	"bencao/names/dose"
	"bencao/names/han"
	"bencao/store"
)

// neighbours is how many similar formulas are kept by each measure.
const neighbours = 20

// compareFormulas finds the formulas that resemble each one most, by name,
// plain herb names and doses.
//
// Only weights and volumes have a common unit within a formula, so only they
// enter the dose vector: a weight in 钱, a volume in 合 at one 钱 each. A
// count, such as twelve dates, says nothing about weight; like an unreadable
// dose it is taken as the formula's median.
func compareFormulas(ctx context.Context, d *store.Data, r *SimilarityReport) error {
	formulas := make([]similarity.Formula, len(d.Formulas))
	herbs := map[string]bool{}
	for i := range d.Formulas {
		f := &d.Formulas[i]
		era := dose.EraOf(f.Year)
		formulas[i].Name = han.Fold(f.Name)
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
			for _, name := range in.Plain { // of herbs run together each has the dose
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

// takeSimilarity takes the operator's own table in the place of our measure.
// At most 20 a formula and method are kept.
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
		case "euclidean": // another method's values are no distances
			f.SimilarEuclidean = append(f.SimilarEuclidean, s)
		}
	}
	for i := range d.Formulas {
		f := &d.Formulas[i]
		f.SimilarJaccard = best(f.SimilarJaccard, -1)
		f.SimilarEuclidean = best(f.SimilarEuclidean, 1)
	}
}

// best sorts similar formulas by value, upwards or downwards, then by answer
// order, and keeps the first 20.
func best(list []store.Similar, direction int) []store.Similar {
	slices.SortFunc(list, func(a, b store.Similar) int {
		return cmp.Or(direction*cmp.Compare(a.Value, b.Value), cmp.Compare(a.Formula, b.Formula))
	})
	return list[:min(len(list), neighbours)]
}
