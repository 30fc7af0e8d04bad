package explorer

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"bencao/api"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/mappings"
	"bencao/store"
)

// otherPrefix is before the names of the parameters of /patterns that select the other population.
const otherPrefix = "vs-"

// options returns links to the page with each value of a filter or an order.
func (v *visit) options(k *kind, f mappings.Filter) (links []navLink) {
	for _, word := range f.Words {
		text := v.lang.Known(f.Name+"."+word+"."+k.name, v.lang.Known(f.Name+"."+word, word))
		links = append(links, navLink{Text: text, Address: v.again("kind", k.name, f.Name, strings.TrimPrefix(word, f.Standard), "page", ""), Here: word == cmp.Or(v.query.Get(f.Name), f.Standard)})
	}
	return links
}

// readings tells how names in a filter were read.
func (r *results) readings(v *visit, filter string) string {
	text := ""
	for _, read := range r.Found.explanation.Readings {
		if read.Parameter == filter {
			text += v.say("search.read", read.Value, strings.Join(read.Means, v.say("list.comma")))
		}
	}
	return text
}

// explainFilters tells which values of filters no record has, and what the herbs in the query and in
// filters do not include.
func (r *results) explainFilters(v *visit, k *kind) error {
	ex := r.Found.explanation
	for _, u := range ex.Unknown {
		if err := r.addUnknown(v, k, u); err != nil {
			return err
		}
	}
	var fault *problem.Fault
	switch {
	case errors.As(r.Found.wrong, &fault) && fault.Parameter != "":
		r.Unknown = append(r.Unknown, unknownView{v.say("patterns.unknown.herb", fault.Value), v.instead(fault.Parameter, fault.Value, fault.Close, "kind", k.name, "page", "")})
	case r.Found.wrong != nil:
		r.Unknown = append(r.Unknown, unknownView{Text: v.lang.Tell(r.Found.wrong)})
	}
	if n := ex.WithForms; n != nil {
		r.WithForms = navLink{Text: v.say("search.forms", typeset.Thousands(int(*n))), Address: v.again("kind", k.name, "forms", "together", "page", "")}
	}
	r.addNamed(v)
	for _, b := range ex.Broader {
		r.Broader = append(r.Broader, unknownView{v.say("search.broader", b.Value), v.instead(b.Parameter, b.Value, b.Means, "kind", k.name, "page", "")})
	}
	return nil
}

// addNamed tells how many formulas were found by their names alone, not by the herbs, the book or the
// author that the query names.
func (r *results) addNamed(v *visit) {
	ex := r.Found.explanation
	if ex.Named == 0 {
		return
	}
	also := []string{"kind", "formulas", "q", "", "page", "", typedFor, r.Q}
	key := ""
	var herbs, without []string
	if filter := v.query.Get("herbs"); filter != "" {
		for _, read := range ex.Readings { // beside names in characters, spaces would cut those in letters
			if read.Parameter == "herbs" {
				filter = strings.Replace(filter, read.Value, read.Means[0], 1)
			}
		}
		herbs = []string{filter}
	}
	replaces := false // whether the link would replace a filter, since the query names another value
	for _, p := range ex.Recognised {
		if filter := v.query.Get(p.As); filter != "" && filter != p.Text {
			replaces = true
		}
		switch p.As {
		case "herb":
			key, herbs = p.As, append(herbs, p.Text)
		case "without":
			without = append(without, p.Text)
		case "dynasty":
			also = append(also, p.As, p.Text)
		default:
			key, also = p.As, append(also, p.As, p.Text)
		}
	}
	for _, p := range ex.Parts {
		if p.As == "year" {
			replaces = replaces || v.query.Get("fromYear")+v.query.Get("toYear") != ""
			also = append(also, "fromYear", p.Values[0], "toYear", p.Values[0])
		}
	}
	if len(herbs) > 0 {
		also = append(also, "herbs", strings.Join(herbs, "、"))
	}
	if len(without) > 0 {
		also = append(also, "without", strings.Join(without, "、"))
	}
	r.Named = navLink{Text: v.say("search.named."+key, typeset.Thousands(r.Formulas-int(ex.Named)), typeset.Thousands(ex.Named))}
	if !replaces {
		r.Named.Address = v.again(also...)
	}
}

// instead returns links to the same page with other values in place of a part of the text of a
// parameter. also has further parameters of the links.
func (v *visit) instead(parameter, part string, values []string, also ...string) (links []navLink) {
	for _, value := range values {
		text := strings.Replace(v.query.Get(parameter), part, value, 1)
		links = append(links, navLink{Text: v.shown(strings.TrimPrefix(parameter, otherPrefix), value), Address: v.again(slices.Concat(also, []string{parameter, text})...)})
	}
	return links
}

// addUnknown tells that no record has the value of a filter. If no other value is like it, it offers
// the most frequent ones.
func (r *results) addUnknown(v *visit, k *kind, u api.UnknownValue) error {
	name := u.Filter
	for _, f := range k.filters() {
		if f.Name == u.Filter {
			name = f.BesideKind()
		}
	}
	view, offered := unknownView{Text: v.say("search.unknown", v.say("filter."+name), u.Value)}, u.Close
	if len(offered) == 0 && slices.Contains(strings.Split(k.by, ","), name) {
		others := k.narrowed(v, func(f mappings.Filter) bool { return f.Narrows() && f.Name != u.Filter })
		counted, err := facets(v, k.counts, name, shownFacets, append(others, "q", r.Q)...)
		if err != nil {
			return err
		}
		for _, c := range counted[name].Counts {
			offered = append(offered, c.Value)
		}
	}
	view.Close = v.instead(name, u.Value, offered, "kind", k.name, "page", "")
	r.Unknown = append(r.Unknown, view)
	return nil
}

// addFacets adds the facets. The user can filter the hits by their values.
func (r *results) addFacets(v *visit, k *kind, params []string) error {
	if k.counts == "" {
		return nil
	}
	counted, err := facets(v, k.counts, k.by, mostFacets, params...)
	if err != nil {
		return err
	}
	for _, by := range strings.Split(k.by, ",") {
		if len(counted[by].Counts) < 2 || v.query.Get(by) != "" { // a link would replace the filter, and find other records than are counted
			continue
		}
		r.Facets = append(r.Facets, v.facet(counted[by], func(value string) string {
			if by == "year" {
				return v.again("kind", k.name, "fromYear", value, "toYear", value, "page", "")
			}
			return v.again("kind", k.name, by, value, "page", "")
		}))
	}
	return nil
}

// facet returns a facet for filtering a list. The function address returns the link for a value.
func (v *visit) facet(f api.Facet, address func(value string) string) facetView {
	values := barsOf(f, mostFacets, func(c api.ValueCount) string { return address(c.Value) })
	for i, row := range values.Rows {
		if values.Rows[i].Value = v.shown(f.By, row.Value); slices.Contains([]string{"rank", "region", "establishment"}, f.By) {
			values.Rows[i].Chinese = ""
		}
	}
	view := facetView{Title: v.say("filter." + f.By), bars: values, Latin: f.By == "genus"}
	if len(values.Rows) > shownFacets {
		view.Rows, view.Rest = values.Rows[:shownFacets], values.Rows[shownFacets:]
	}
	return view
}

// shown returns the value of a filter as the page shows it. name is the name of the filter beside the
// choice of a kind.
func (v *visit) shown(name, value string) string {
	switch name {
	case "rank", "dynasty":
		return v.lang.Known(name+"."+value, value)
	case "region":
		if regions, err := v.Regions(); err == nil {
			if r, ok := regions.Find(value); ok {
				return v.areaName(r.Name, r.Chinese, r.Code)
			}
		}
	case "herbKind":
		return v.lang.Known("herb."+value, value)
	case "species": // the value is a guid or a name
		if s, err := ask[store.SpeciesDetail](v, "species.detail", value); err == nil {
			return speciesTitle(&s)
		}
	}
	for _, filters := range mappings.Filters {
		for _, f := range filters {
			if f.BesideKind() == name && f.Words != nil {
				return v.lang.Known(name+"."+value, value)
			}
		}
	}
	return value
}
