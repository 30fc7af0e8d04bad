package index

import (
	"cmp"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// inOrder is a plugin for Bleve's segments that keeps documents in the order of their IDs. Bleve's
// builder collects the documents of a batch in a map. Without the plugin, documents would be
// numbered in random order, but a document's number must be its record number.
type inOrder struct{ zap.ZapPlugin }

func init() { scorch.RegisterSegmentPlugin(&inOrder{}, true) }

func (p *inOrder) New(documents []index.Document) (segment.Segment, uint64, error) {
	slices.SortFunc(documents, func(a, b index.Document) int { return cmp.Compare(a.ID(), b.ID()) })
	return p.ZapPlugin.New(documents)
}
