package indexer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bencao/indexer/check"
	"bencao/indexer/checklist"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/names"
	"bencao/names/region"
	"bencao/store"
)

// readTaxa reads the names and the places of all checklists, for names.idx and for the file of taxa.
func (b *build) readTaxa(ctx context.Context) (err error) {
	w, err := store.NewTaxaWriter(ctx, b.path(store.TaxaName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	total := 0
	tick := func() {
		if total++; total%10_000 == 0 {
			b.clock.tick(total, 0)
		}
	}
	for i, l := range b.sources.lists {
		c := b.names.Checklist(l.name)
		t, err := b.table(l.key, func() (kept int, err error) {
			for u, err := range l.list.Names(ctx, l.key, b.log) {
				if err == nil {
					err = errors.Join(c.Add(u), w.Add(taxonName(&u), u.AcceptedID))
				}
				if err != nil {
					return kept, err
				}
				kept++
				tick()
			}
			return kept, nil
		})
		if err != nil {
			return err
		}
		b.report.Sources[i+1].Rows = t.Rows
		places, err := b.table(l.key+checklist.PlacesSuffix, func() (kept int, err error) {
			for p, err := range l.list.Places(ctx, l.key, b.log) {
				if err != nil {
					return kept, err
				}
				if !w.Place(p.ID, b.place(p)) {
					b.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Dangling, Table: l.key + checklist.PlacesSuffix, Value: p.ID,
						Message: fmt.Sprintf("the name of a place (%s) is not in the list", strings.TrimSpace(p.Code+" "+p.Name)),
						Hint:    "the place is left out"})
					continue
				}
				kept++
				tick()
			}
			return kept, nil
		})
		if err != nil {
			return err
		}
		b.lists = append(b.lists, b.reported(t))
		if places.Rows > 0 {
			b.places = append(b.places, b.reported(places))
		}
		if err := w.EndList(uint8(i), store.TaxaList{Source: l.name.Source, Release: strings.TrimSpace(l.name.Name + " " + l.name.Version)}); err != nil {
			return err
		}
	}
	return nil
}

// table reads a table of a checklist and counts its rows. read returns the number of rows that it kept.
func (b *build) table(name string, read func() (int, error)) (datapackage.Table, error) {
	t := datapackage.Table{Name: check.Checklist(name), Present: true}
	rejected := b.rejected(name)
	var err error
	if t.Kept, err = read(); err != nil {
		return t, fmt.Errorf("checklist %s: %w", name, err)
	}
	t.Rejected = b.rejected(name) - rejected
	t.Rows = t.Kept + t.Rejected
	return t, nil
}

// reported adds the counts of a table to the report. It returns the table.
func (b *build) reported(t datapackage.Table) datapackage.Table {
	b.report.Tables[t.Name] = TableReport{Read: t.Rows, Rejected: t.Rejected, Kept: t.Kept}
	return t
}

func taxonName(u *names.Usage) store.TaxonName {
	return store.TaxonName{
		ID: u.ID, Name: u.Name, Author: u.Author, Rank: u.Rank, Status: string(u.Status), IPNI: u.IPNIID, WFO: u.WFOID, Publication: u.Publication, Published: u.Published,
		LifeForm: u.LifeForm, Climate: u.Climate, BasionymID: u.BasionymID, HybridFormula: u.HybridFormula, Remarks: u.Remarks, Area: u.Area, Reviewed: u.Reviewed, Homotypic: u.Homotypic,
	}
}

// regions returns the geography.
func (b *build) regions() *region.Table {
	if b.cfg.Regions != nil {
		return b.cfg.Regions
	}
	return region.Default()
}

// place returns a place in the form of the store. The name of a code that the geography has is left
// out.
func (b *build) place(p checklist.Place) store.Place {
	out := store.Place{Code: strings.Join(strings.Fields(p.Code), " "), Name: strings.Join(strings.Fields(p.Name), " "), Introduced: p.Introduced, Status: store.Presence(p.Status)}
	if scheme, code, ok := strings.Cut(out.Code, ":"); ok && strings.EqualFold(scheme, "TDWG") {
		out.Code = code
	}
	if r, ok := b.regions().Get(strings.ToUpper(out.Code)); ok {
		out.Code = r.Code
		if r.Name != "" {
			out.Name = ""
		}
	}
	return out
}

// list records where the checklists have a species, and what they say about its range and life form.
func (b *build) list(s *store.Species, e *names.Entry, taxa *store.Taxa) error {
	relation := store.IsAccepted
	switch {
	case e.MatchType == names.MatchHigherRank:
		relation = store.IsBelow
	case e.TaxonStatus != "accepted" && e.AcceptedName != "" && e.AcceptedName != e.MatchedName:
		relation = store.IsSynonym
	}
	regions := b.regions()
	for _, l := range e.Taxa {
		s.Listings = append(s.Listings, store.Listing{List: l.List, Relation: relation, ID: l.ID})
		t, err := taxa.Find(l.List, l.ID)
		if err != nil {
			return err
		}
		for _, p := range t.Places {
			r, ok := regions.Get(p.Code)
			if !ok {
				continue
			}
			for _, r := range append(within(regions, r), r) {
				a := store.ListedArea{Code: r.Code, Name: r.Name, Chinese: r.Chinese, Introduced: p.Introduced}
				if !slices.Contains(s.Areas, a) {
					s.Areas = append(s.Areas, a)
				}
			}
		}
		if len(t.Names) > 0 {
			for form := range strings.SplitSeq(t.Names[0].LifeForm, " or ") {
				if form = strings.TrimSpace(form); form != "" && !slices.Contains(s.LifeForms, form) {
					s.LifeForms = append(s.LifeForms, form)
				}
			}
		}
	}
	return nil
}

// within returns the botanical country of a region of level 4, so that a filter by it finds its parts.
func within(regions *region.Table, r region.Region) []region.Region {
	if r.Level < 4 {
		return nil
	}
	if around, ok := regions.Get(r.Parent); ok {
		return []region.Region{around}
	}
	return nil
}
