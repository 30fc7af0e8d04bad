package api

import (
	"net/url"
	"strconv"

	"bencao/mappings"
	"bencao/mappings/search"
)

// searchHeader is the response header that tells how a search matched.
const searchHeader = "X-Search"

// verdict tells how a search matched its query.
type verdict struct {
	search.Hits
	unknown []UnknownValue // the filters whose value no record has
}

// UnknownValue is the value of a filter that no record has.
type UnknownValue struct {
	Filter string   `json:"filter" doc:"The filter."`
	Value  string   `json:"value" doc:"Its value."`
	Close  []string `json:"close" doc:"Values that records have and that look like it, at most three, the most similar first."`
}

// header returns the value of X-Search.
func (v *verdict) header() string {
	out := v.match()
	for i, r := range v.Recognised {
		if i == 0 {
			out += "; recognised="
		} else {
			out += ","
		}
		out += recognisedAs(r.Field)
	}
	if v.Named > 0 {
		out += "; named=" + strconv.Itoa(v.Named)
	}
	if v.Near > 0 && v.Total == 0 { // counted, but no population
		out += "; near=" + strconv.Itoa(v.Near)
	}
	if v.ReadAs != "" {
		out += "; readAs=" + url.PathEscape(v.ReadAs)
	}
	if v.In != "" {
		out += "; in=" + v.In
	}
	for i, u := range v.unknown {
		if i == 0 {
			out += "; unknown="
		} else {
			out += ","
		}
		out += u.Filter
	}
	if v.WithHerb > 0 {
		out += "; herbs=" + strconv.Itoa(v.WithHerb)
	}
	for _, p := range v.Elsewhere {
		out += "; " + p.In + "=" + strconv.Itoa(p.Total)
	}
	return out
}

// match returns the part of X-Search that tells how closely the names match the query.
func (v *verdict) match() string {
	switch {
	case v.Total == 0:
		return "none"
	case v.Forgiven != "":
		return "forgiven; how=" + v.Forgiven
	case v.Part != "":
		return "part; where=" + v.Part
	case v.Group != "":
		return "exact; as=" + v.Group
	}
	return "exact"
}

// recognisedAs returns the API's word for the field that a part of a query matched: "herb" for the
// field of herbs, and the name of any other field.
func recognisedAs(field string) string {
	if field == mappings.HerbsField {
		return "herb"
	}
	return field
}
