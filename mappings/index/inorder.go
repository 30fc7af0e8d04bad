package index

import (
	"cmp"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// inOrder is Bleve's kind of segment, whose documents stand in the order of
// their names. Its builder keeps a batch in a map and gives the documents as they
// come out of it: the numbers would be others in every night, and not those of
// the records.
type inOrder struct{ zap.ZapPlugin }

func init() { scorch.RegisterSegmentPlugin(&inOrder{}, true) }

func (p *inOrder) New(documents []index.Document) (segment.Segment, uint64, error) {
	slices.SortFunc(documents, func(a, b index.Document) int { return cmp.Compare(a.ID(), b.ID()) })
	return p.ZapPlugin.New(documents)
}
