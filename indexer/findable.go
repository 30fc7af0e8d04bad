package indexer

import (
	"context"
	"fmt"
	"slices"

	"bencao/internal/contents"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names"
)

// findable asks the written indexes for every record by its own names.
func (b *build) findable(ctx context.Context, w *contents.Contents) error {
	check, err := b.namesFindThemselves(ctx, w.Names)
	if err != nil {
		return err
	}
	b.report.SelfCheck = append(b.report.SelfCheck, check)
	species, err := search.Check(ctx, w.Species, mappings.Species, b.data.Species)
	if err != nil {
		return fmt.Errorf("self-check of species: %w", err)
	}
	formulas, err := search.Check(ctx, w.Formulas, mappings.Formulas, b.data.Formulas)
	if err != nil {
		return fmt.Errorf("self-check of formulas: %w", err)
	}
	papers, err := search.Check(ctx, w.Papers, mappings.Papers, b.data.Papers)
	if err != nil {
		return fmt.Errorf("self-check of papers: %w", err)
	}
	herbs, err := search.Check(ctx, w.Herbs, mappings.Herbs, b.data.Herbs)
	if err != nil {
		return fmt.Errorf("self-check of herbs: %w", err)
	}
	b.searched("species", species)
	b.searched("formulas", formulas)
	b.searched("papers", papers)
	b.searched("herbs", herbs)
	return nil
}

// searched reports what came of searching an index for its own records.
func (b *build) searched(table string, c search.SelfCheck) {
	r := CheckReport{Name: "search finds " + table + " by their own names", Checked: c.Checked, Failed: len(c.Failures), First: []string{}}
	for _, f := range c.Failures[:min(len(c.Failures), maxListed)] {
		r.First = append(r.First, f.String())
	}
	b.report.SelfCheck = append(b.report.SelfCheck, r)
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
