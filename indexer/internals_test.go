package indexer

import (
	"context"

	"bencao/indexer/datapackage"
	"bencao/indexer/herb"
	"bencao/store"
)

// LikeFormulas returns the formulas of a package. Each formula has its similar formulas.
func LikeFormulas(ctx context.Context, p *datapackage.Package) ([]store.Formula, error) {
	known := herb.New(p)
	d := data(p)
	order(d, link(p, known))
	err := compareFormulas(ctx, d, &SimilarityReport{})
	return d.Formulas, err
}
