package explorer

import (
	"strconv"

	"bencao/api"
	"bencao/api/access"
)

// kinds returns the kinds of records in the order in which a search tries them.
func kinds() []*kind {
	return []*kind{
		{"species", "species.search", "species.facets", "family,genus,rank,region,establishment,lifeForm", access.Open, findSpecies},
		{"herbs", "herbs.search", "", "", access.Prescriptions, findHerbs},
		{"formulas", "formulas.search", "formulas.facets", "dynasty,source", access.Prescriptions, findFormulas},
		{"papers", "papers.search", "papers.facets", "family,year", access.Open, findPapers},
	}
}

// kindNamed returns the kind with a name, or nil.
func kindNamed(name string) *kind {
	for _, k := range kinds() {
		if k.name == name {
			return k
		}
	}
	return nil
}

// search searches for records of the kind with the filters in the page's address. If a filter has a
// value that cannot be used, nothing is found, and the result says why.
func (k *kind) search(v *visit) (*found, error) {
	f, err := k.find(v, k, v.params(k))
	if !wrongText(err) || len(values(k.narrowed(v, ofRecords))) == 0 {
		return f, err
	}
	if _, other := ask[list[struct{}]](v, k.op, "", "q", v.query.Get("q"), "pageSize", "1", "page", v.query.Get("page")); other != nil {
		return nil, err // the filters are not to blame
	}
	return &found{explanation: &api.Explanation{}, wrong: err}, nil
}

// params returns the parameters for a search for kind k: those in the page's address that such a
// search accepts. They are alternating names and values.
func (v *visit) params(k *kind) []string {
	out := []string{"q", v.query.Get("q"), "explain", "true", "pageSize", strconv.Itoa(pageSize), "page", v.query.Get("page")}
	return append(out, k.narrowed(v, ofRecords)...)
}

// count returns the number of results of a search, without the hits.
func (k *kind) count(v *visit, params ...string) (*found, error) {
	l, err := ask[list[struct{}]](v, k.op, "", append(params, "pageSize", "1", "page", "1")...)
	return &found{Total: l.Total, explanation: l.Explanation}, err
}
