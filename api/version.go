package api

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bencao/internal/null"
	"bencao/store"
)

// Version is the answer of the operation "version".
type Version struct {
	DataVersion string    `json:"dataVersion" doc:"The version of the data in this answer; the same as X-Data-Version."`
	Built       time.Time `json:"built" doc:"When it was built."`
	License     string    `json:"license" doc:"Address of the terms of use."`
	CiteAs      string    `json:"citeAs" doc:"Address of the instructions for citing."`
	Citation    string    `json:"citation" doc:"How to cite this version of the data, in words."`
	Sources     []Source  `json:"sources" doc:"The sources of the version: the data package first, then the checklists."`
	Withheld    []string  `json:"withheld" doc:"On a public snapshot: the scopes whose data it lacks, so that counts of them are 0. Empty on a complete one."`
	Versions    []string  `json:"versions" doc:"The versions of the data that requests to this server may name in X-Data-Version: the current one first, then earlier ones, the newest first."`
	Since       []string  `json:"changesSince" doc:"The older versions that changes accepts as since, the newest first."`
}

// Source is a data package or a checklist from which the snapshot was built.
type Source struct {
	Kind    string    `json:"kind" doc:"Format of the source, such as WCVP; \"data package\" for the records themselves." example:"WCVP"`
	Name    string    `json:"name" doc:"The source's name for itself."`
	Version null.Text `json:"version" doc:"The source's own version; null if it states none."`
}

func (b *Backend) version(ctx context.Context, _ NoInput) (One[Version], error) {
	terms := callOf(ctx).terms
	credit, err := b.meta.credit()
	if err != nil {
		return One[Version]{}, err
	}
	out := Version{
		DataVersion: b.meta.ID, Built: b.meta.Built.UTC(), License: terms.license, CiteAs: terms.citeAs,
		Citation: fmt.Sprintf("%s, data version %s, %s/", credit, b.meta.ID, b.meta.site()),
		Sources:  []Source{}, Withheld: []string{}, Versions: callOf(ctx).server.versions(), Since: b.files.Changes.Versions(),
	}
	for _, s := range b.meta.Sources {
		out.Sources = append(out.Sources, Source{Kind: s.Kind, Name: s.Name, Version: null.Text(s.Version)})
	}
	if b.meta.Public {
		out.Withheld = withheld.Names()
	}
	return encode(&b.buffers, out)
}

// credit returns the text by which to credit the creator of the data. It is the data package's
// text, or else the name of the program.
func (m *Meta) credit() (string, error) {
	var dataset struct{ CreditText string }
	if m.Dataset != nil {
		if err := json.Unmarshal(m.Dataset, &dataset); err != nil {
			return "", fmt.Errorf("dataset: %w", err)
		}
	}
	if dataset.CreditText == "" {
		return "Bencao 本草, plants, formulas and papers", nil
	}
	return dataset.CreditText, nil
}

func (b *Backend) stats(context.Context, NoInput) (One[store.SiteStats], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[store.SiteStats]{}, err
	}
	defer tx.Close()
	out := One[store.SiteStats]{b.body()}
	out.b = append(out.b, tx.Stats()...)
	return out, nil
}
