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

// ChangesSince is the input of the operation changes.
type ChangesSince struct {
	Since string `query:"since" runes:"60" required:"true" doc:"The version of the data that you have: the X-Data-Version of its answers." example:"20261119T021500Z-000001"`
	Paging
	Scopes access.Scopes
}

// Change tells which record was added, changed or removed.
type Change struct {
	Kind   string    `json:"kind" enum:"species,formula,herb,paper" doc:"What it is."`
	Key    string    `json:"guid" doc:"The record's guid; for herbs and papers, the id."`
	Change string    `json:"change" enum:"added,changed,removed" doc:"The kind of change. A record that was added and removed after that version is listed as removed."`
	Name   null.Text `json:"name" doc:"The record's name, or its last name if it was removed: the Chinese name, or else the scientific one; for papers, the title."`
}

// changing lists the tables whose changes are returned, in the order of the answer.
var changing = []struct {
	kind  string
	table store.Table
	scope access.Scopes
}{
	{"species", store.TableSpecies, access.Open},
	{"formula", store.TableFormulas, access.Prescriptions},
	{"herb", store.TableHerbs, access.Prescriptions},
	{"paper", store.TablePapers, access.Open},
}

func (b *Backend) changes(_ context.Context, in ChangesSince) (Page[Change], error) {
	known := b.files.Changes.Versions()
	if in.Since != b.meta.ID && !slices.Contains(known, in.Since) {
		return Page[Change]{}, problem.New(problem.VersionUnknown, problem.NoVersion.With(problem.Quote(in.Since), firstVersions(append([]string{b.meta.ID}, known...))))
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
	begun := 0 // number of changes in the tables before this one
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

// mostListed is the largest number of versions that an error lists.
const mostListed = 5

// firstVersions lists the first versions for an error message.
func firstVersions(versions []string) string {
	if len(versions) <= mostListed {
		return strings.Join(versions, ", ")
	}
	return strings.Join(versions[:mostListed], ", ") + " …"
}
