package explorer

import "bencao/store"

// changedTable is what became of a kind of records since the version before.
type changedTable struct {
	Kind                    string
	Added, Removed, Changed int
	// New and Other are some of the records that were added and changed.
	New, Other []navLink
}

// changesNamed is how many records of a table are named that were added, and how
// many that changed.
const changesNamed = 6

// changes are those since the version before, of what pages may show. There are
// none in the first version.
func changes(v *visit) ([]changedTable, error) {
	var out []changedTable
	for _, k := range kinds() {
		c, ok := v.Meta().Changes[k.name]
		if !ok || c.Before == 0 || !v.may(k.scope) {
			continue
		}
		t := changedTable{Kind: v.say("kind." + k.name), Added: c.Added, Removed: c.Removed, Changed: c.Changed}
		var err error
		if t.New, err = named(v, k.name, c.AddedFirst); err != nil {
			return nil, err
		}
		if t.Other, err = named(v, k.name, c.ChangedFirst); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// named are the first records of a table by their names.
func named(v *visit, table string, ids []string) ([]navLink, error) {
	var out []navLink
	for _, id := range ids[:min(changesNamed, len(ids))] {
		link, err := nameOf(v, table, id)
		if err != nil {
			return nil, err
		}
		out = append(out, link)
	}
	return out, nil
}

// nameOf is the name of a record, with its address.
func nameOf(v *visit, table, id string) (navLink, error) {
	switch table {
	case "species":
		s, err := ask[store.SpeciesDetail](v, "species.detail", id)
		return navLink{Text: speciesTitle(&s), Address: v.ours(s.URL)}, err
	case "herbs":
		h, err := ask[store.HerbDetail](v, "herbs.detail", id)
		return navLink{Text: h.Name, Address: v.ours(h.URL)}, err
	case "formulas":
		f, err := ask[store.FormulaDetail](v, "formulas.detail", id)
		return navLink{Text: formulaTitle(v, &f), Address: v.ours(f.URL)}, err
	}
	p, err := ask[store.PaperDetail](v, "papers.detail", "", "id", id)
	return navLink{Text: paperTitle(v, string(p.Title), string(p.DOI)), Address: v.ours(p.URL)}, err
}
