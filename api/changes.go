package api

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/internal/null"
	"bencao/store"
)

// ChangesSince is what changes takes.
type ChangesSince struct {
	Since string `query:"since" runes:"60" required:"true" doc:"The version of the data that you have, as X-Data-Version named it." example:"20261119T021500Z-000001"`
	Paging
	Scopes access.Scopes
}

// Change is what became of a record.
type Change struct {
	Kind   string    `json:"kind" enum:"species,formula,herb,paper" doc:"What it is."`
	Key    string    `json:"guid" doc:"The record's guid, of herbs and papers their id."`
	Change string    `json:"change" enum:"added,changed,removed" doc:"What became of it. A record that came and went since that version is told as removed."`
	Name   null.Text `json:"name" doc:"What it is called, or was called when it was removed: its Chinese name, or else the scientific one; of papers the title."`
}

// changing are the tables whose changes are told, in the order in which they are.
var changing = []struct {
	kind  string
	table store.Table
	scope access.Scopes
}{
	{"species", store.TableSpecies, open},
	{"formula", store.TableFormulas, access.Prescriptions},
	{"herb", store.TableHerbs, access.Prescriptions},
	{"paper", store.TablePapers, open},
}

func (b *Backend) changes(_ context.Context, in ChangesSince) (Page[Change], error) {
	known := b.files.Changes.Versions()
	if in.Since != b.meta.ID && !slices.Contains(known, in.Since) {
		return Page[Change]{}, problem.New(problem.VersionUnknown, problem.NoVersion.With(problem.Quote(in.Since), told(append([]string{b.meta.ID}, known...))))
	}
	total := 0
	for _, t := range changing {
		if in.Scopes.Has(t.scope) {
			total += b.files.Changes.Count(in.Since, t.table)
		}
	}
	p := Page[Change]{body: b.body(), at: in.Paging, total: total}
	p.b = beginPage(p.b, in.Paging, total)
	from, to := in.window(total)
	begun := 0 // where the rows of a table stand in the whole list
	for _, t := range changing {
		if !in.Scopes.Has(t.scope) {
			continue
		}
		count := b.files.Changes.Count(in.Since, t.table)
		list, err := b.files.Changes.List(in.Since, t.table, max(from-begun, 0), min(to-begun, count))
		if err != nil {
			return Page[Change]{}, err
		}
		begun += count
		for _, c := range list {
			row, err := json.Marshal(Change{t.kind, c.ID, c.What, c.Name})
			if err != nil {
				return Page[Change]{}, err
			}
			if p.b[len(p.b)-1] != '[' {
				p.b = append(p.b, ',')
			}
			p.b = append(p.b, row...)
		}
	}
	p.b = endPage(p.b)
	return p, nil
}

// mostTold is how many versions an error names.
const mostTold = 5

// told lists the first of some versions.
func told(versions []string) string {
	if len(versions) <= mostTold {
		return strings.Join(versions, ", ")
	}
	return strings.Join(versions[:mostTold], ", ") + " …"
}
