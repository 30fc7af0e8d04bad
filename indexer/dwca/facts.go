package dwca

import (
	"context"
	"encoding/json"
	"iter"
	"regexp"
	"strings"

	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/internal/rows"
	"bencao/names"
)

// facts returns what a row says about a name beside its place in the list. WCVP has a part of this as
// JSON in dynamicProperties, and where the plant grows in taxonRemarks.
func (c *Checklist) facts(cells []string) names.Facts {
	cell := func(term string) string { return c.columns.cell(cells, term) }
	f := names.Facts{
		Publication: cell("namePublishedIn"), Published: cell("namePublishedInYear"), BasionymID: plainID(cell("originalNameUsageID")),
		Homotypic: strings.EqualFold(strings.ReplaceAll(cell("taxonomicStatus"), " ", ""), "homotypicSynonym"),
	}
	if name, date, ok := cutDate(f.Publication); ok && f.Published == "" {
		f.Publication, f.Published = name, date
	}
	if _, known := names.ParseStatus(cell("nomenclaturalStatus")); !known {
		f.Remarks = cell("nomenclaturalStatus")
	}
	if c.info.Source != names.SourceWCVP {
		return f
	}
	f.Area = cell("taxonRemarks")
	var more struct{ LifeForm, Climate, HomotypicSynonym, HybridFormula, Reviewed string }
	if text := cell("dynamicProperties"); text != "" && json.Unmarshal([]byte(text), &more) == nil {
		f.LifeForm, f.Climate, f.HybridFormula, f.Reviewed = more.LifeForm, more.Climate, more.HybridFormula, more.Reviewed
		f.Homotypic = f.Homotypic || checklist.IsTrue(more.HomotypicSynonym)
	}
	return f
}

// dated matches a publication with its date in brackets at the end: Voy. Bot. Espagne 2: 659 (1844).
var dated = regexp.MustCompile(`^(.*?) ?\(([^()]*\d{4}[^()]*)\)$`)

// cutDate cuts off the date of a publication.
func cutDate(publication string) (before, date string, ok bool) {
	m := dated.FindStringSubmatch(publication)
	if m == nil {
		return publication, "", false
	}
	return m[1], m[2], true
}

// Places yields where the plants grow, in the order of the file. It logs findings with the given list
// as their table. An error ends the iteration: it is yielded last.
func (c *Checklist) Places(ctx context.Context, list string, log *finding.Log) iter.Seq2[checklist.Place, error] {
	p := c.m.extension("Distribution")
	if p == nil {
		return checklist.NoPlaces
	}
	return checklist.ScanPlaces(ctx, list, log, func() (*checklist.Table, error) { return c.openPart(p) }, []string{"id"}, func(cell func(string) string) (checklist.Place, bool) {
		place := checklist.Place{ID: plainID(cell("id")), Code: cell("locationID"), Name: cell("locality")}
		if place.Name == "" {
			place.Name = cell("countryCode")
		}
		return place, place.Words(cell("establishmentMeans"), cell("occurrenceStatus"), cell("threatStatus"))
	})
}

// openPart opens the file of a part. Its columns have the names in meta.xml; id is the id of the name.
func (c *Checklist) openPart(p *part) (*checklist.Table, error) {
	file, err := c.m.file(c.src, p)
	if err != nil {
		return nil, err
	}
	d, err := p.dialect()
	if err != nil {
		return nil, err
	}
	columns, err := p.columns()
	if err != nil {
		return nil, err
	}
	f, err := c.src.Open(file)
	if err != nil {
		return nil, err
	}
	t := &checklist.Table{File: file, Rows: d.Reader(f, file), Closer: f}
	labels := make([]string, columns.width)
	for term, i := range columns.index {
		labels[i] = term
	}
	if columns.id >= 0 {
		labels[columns.id] = "id"
	}
	t.Header = rows.NewHeader(labels, nil)
	for range p.skipHeader {
		if _, err := t.Rows.Read(); err != nil {
			break // a file of a header only has no rows; the next read says the same
		}
	}
	return t, nil
}
