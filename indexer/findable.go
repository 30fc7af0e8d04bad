package indexer

import (
	"context"
	"fmt"
	"slices"

	"bencao/names"
)

// findable asks the written indexes for every record by its own names.
func (b *build) findable(ctx context.Context, w *written) error {
	check, err := b.namesFindThemselves(ctx, w.names)
	if err != nil {
		return err
	}
	b.report.SelfCheck = append(b.report.SelfCheck, check)
	return nil
}

// namesFindThemselves matches every species' own name, as a client would.
func (b *build) namesFindThemselves(ctx context.Context, ix *names.Index) (CheckReport, error) {
	c := CheckReport{Name: "names.match finds every species by its own name", First: []string{}}
	for i := range b.data.Species {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		s := &b.data.Species[i]
		r, err := ix.Match(names.Query{Name: s.ScientificName, Author: s.Author, Limit: names.MaxLimit})
		c.Checked++
		if err == nil && slices.ContainsFunc(r.Results, func(e names.Entry) bool { return string(e.GUID) == s.GUID }) {
			continue
		}
		c.Failed++
		if len(c.First) < maxListed {
			c.First = append(c.First, fmt.Sprintf("%d %s %s", s.EntryID, s.ScientificName, s.Author))
		}
	}
	return c, nil
}
