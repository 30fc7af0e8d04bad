package coldp

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/names"
	"bencao/names/han"
)

// entry is a row of the table Name whose taxonomic status is not yet known.
type entry struct {
	names.Usage
	line int
	used bool
}

// parts reads Name + Taxon + Synonym: first all names, then the taxa and synonyms that refer to
// these names. A name to which neither table refers is unplaced.
func (r *reader) parts(ctx context.Context) iter.Seq2[names.Usage, error] {
	return func(yield func(names.Usage, error) bool) {
		byID, order, file, err := r.names(ctx)
		if err != nil {
			yield(names.Usage{}, err)
			return
		}
		for _, p := range []struct {
			entity, accepted string // accepted is the column of the accepted id
			status           names.Status
			needed           []string
		}{
			{"Taxon", "", names.Accepted, []string{"id", "nameid"}},
			{"Synonym", "taxonid", names.Synonym, []string{"taxonid", "nameid"}},
		} {
			t, err := r.open(p.entity, p.needed...)
			if err != nil {
				yield(names.Usage{}, err)
				return
			}
			if t == nil {
				continue
			}
			sheet := checklist.Sheet{List: r.list, File: t.File, Rows: t.Rows, Width: len(t.Header.Labels), Usage: func(cells []string) (names.Usage, bool) {
				cell := func(label string) string { return t.Header.Cell(cells, label) }
				e := byID[cell("nameid")]
				if e == nil {
					r.audit.Log(finding.Finding{Severity: finding.Reject, Code: finding.ForeignKey, File: t.File, Line: t.Rows.Line(0),
						Column: "nameID", Value: cell("nameid"), Message: "there is no such row in Name"})
					return names.Usage{}, false
				}
				e.used = true
				u := e.Usage
				if p.accepted != "" {
					u.AcceptedID = cell(p.accepted)
				}
				if id := cell("id"); id != "" {
					u.ID = id
				}
				if f := cell("family"); f != "" {
					u.Family = f
				}
				r.status(&u, t, cell("status"), p.status)
				return u, true
			}}
			for u, err := range checklist.Scan(ctx, sheet, r.audit) {
				if !yield(u, err) || err != nil {
					t.Close() // read-only: report the first error instead
					return
				}
			}
			if err := t.Close(); err != nil {
				yield(names.Usage{}, err)
				return
			}
		}
		for _, id := range order {
			e := byID[id]
			if e.used {
				continue
			}
			e.Status = names.Unplaced
			if r.audit.Keep(&e.Usage, file, e.line) && !yield(e.Usage, nil) {
				return
			}
		}
	}
}

// names reads the table Name and returns its rows by id. It also returns the ids in the order of
// the rows, and the name of the file.
func (r *reader) names(ctx context.Context) (map[string]*entry, []string, string, error) {
	t, err := r.open("Name", "id")
	if err != nil {
		return nil, nil, "", err
	}
	defer t.Close()
	byID := map[string]*entry{}
	var order []string
	err = r.each(ctx, t, func(cell func(string) string) {
		u := nameUsage(cell)
		if byID[u.ID] != nil {
			r.audit.Warn(finding.PrimaryKey, t.File, t.Rows.Line(0), "ID", u.ID, "the id occurs already in Name", "the first row stays")
			return
		}
		byID[u.ID] = &entry{Usage: u, line: t.Rows.Line(0)}
		order = append(order, u.ID)
	})
	return byID, order, t.File, err
}

// each reads an open table of Taxon, Synonym or VernacularName and calls the function row for each
// of its rows. The rows of these tables are not names themselves.
func (r *reader) each(ctx context.Context, t *checklist.Table, row func(cell func(label string) string)) error {
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, err := t.Rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return r.audit.Fatal(err)
		}
		for i, c := range cells {
			cells[i] = checklist.Text(c)
		}
		row(func(label string) string { return t.Header.Cell(cells, label) })
	}
}

// chineseNames returns the Chinese names in VernacularName by taxon. If a taxon has several Chinese
// names, chineseNames returns the preferred one, or else the first.
func (r *reader) chineseNames(ctx context.Context) (map[string]string, error) {
	t, err := r.open("VernacularName", "taxonid", "name")
	if t == nil || err != nil {
		return nil, err
	}
	defer t.Close()
	out, preferred := map[string]string{}, map[string]bool{}
	err = r.each(ctx, t, func(cell func(string) string) {
		id, name := cell("taxonid"), cell("name")
		switch strings.ToLower(cell("language")) {
		case "zh", "zho", "chi", "cmn", "":
		default:
			return
		}
		best := strings.EqualFold(cell("preferred"), "true") || cell("preferred") == "1"
		if _, has := out[id]; han.Has(name) && (!has || best && !preferred[id]) {
			out[id], preferred[id] = name, best
		}
	})
	return out, err
}
