// Package herb determines the herbs of a data package (materia medica, 本草): their names, their
// source species, the herbs that a species yields, and the records of herbs:
//
//	package's table, formulas ─New─▶ Herbs ─Species─▶ species of an ingredient
//	Herbs and names/herb ─AddHerbs─▶ the herbs of each species
//	Herbs, names/herb and formulas ─Records─▶ store.Herb
//
// Package herb removes processing from names of herbs; this package does not. Start with [New].
package herb

import (
	"iter"
	"maps"
	"slices"

	"bencao/indexer/datapackage"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/written"
	"bencao/store"
)

// Herbs holds the names and sources of the herbs of a package. It is safe for concurrent use.
type Herbs struct {
	*written.Names
	// Herbs lists the distinct names in the package's table.
	Herbs   []Herb
	sources map[string][]source // by folded herb; empty for a herb that is not a plant
	// inherited has the sources of names for which the package's table lists none, by folded name.
	// See inheritSources.
	inherited map[string][]source
	named     speciesByName
	index     map[int32]int // entry id → index of the package's species in the order of reading
	countAll  bool          // see [Herbs.CountAll]
}

// Herb is a name in the package's table.
type Herb struct {
	Name    string  // in the first spelling of the table
	Species []int32 // entry ids, for any year; empty for a herb that is not a plant
}

// source is a source species of a herb. It gives the species by its entry id, and leaves the number
// and the names of the species empty.
type source struct {
	entry int32
	store.HerbSource
	// of is the herb whose source it is, if the authority relates the name to that herb only.
	of string
	// edition is that of the authority; "" if it is no book of names/herb.
	edition string
}

// in reports whether the source applies to formulas of a year. Every source applies if year is nil.
func (s *source) in(year *int32) bool {
	return year == nil || (s.FromYear == nil || *s.FromYear <= *year) && (s.ToYear == nil || *year <= *s.ToYear)
}

// during limits the source to the years of a statement.
func (s source) during(years *herb.Statement) source {
	if from := years.From; from != nil && (s.FromYear == nil || *s.FromYear < *from) {
		s.FromYear = from
	}
	if to := years.To; to != nil && (s.ToYear == nil || *s.ToYear > *to) {
		s.ToYear = to
	}
	return s
}

// New collects the herbs of a package.
func New(p *datapackage.Package) *Herbs {
	h := &Herbs{sources: map[string][]source{}, named: indexNames(p.Species), index: p.SpeciesByID()}
	for _, hs := range p.HerbSpecies {
		name := han.Fold(hs.Herb)
		if hs.SpeciesID != nil {
			h.sources[name] = append(h.sources[name], source{entry: *hs.SpeciesID, HerbSource: store.HerbSource{
				Part: hs.Part, Authority: hs.Authority, Preferred: hs.Preferred, FromYear: hs.FromYear, ToYear: hs.ToYear,
			}})
		} else if _, known := h.sources[name]; !known {
			h.sources[name] = nil
		}
	}
	h.Names = written.New(written.Sources{Listed: listed(p), Standard: written.StandardNames, Written: Written(p), Own: written.OwnNames})
	h.inheritSources()
	h.listHerbs(p)
	return h
}

// inheritSources finds sources for names that the package's table does not list. A herb gets the
// sources of the listed names that mean the same herb. Processed forms, parts and broader names get
// the sources of their herbs, and a herb those of its processed forms.
func (h *Herbs) inheritSources() {
	h.inherited = map[string][]source{}
	prepared := map[string][]source{}
	for _, name := range slices.Sorted(maps.Keys(h.sources)) {
		herbs := h.Plain(name)
		switch {
		case len(herbs) != 1:
		case h.HasPlain(name):
			h.inherited[herbs[0]] = append(h.inherited[herbs[0]], h.sources[name]...)
		default:
			prepared[herbs[0]] = append(prepared[herbs[0]], h.sources[name]...)
		}
	}
	for range 2 { // twice: 熟地黄炭 is processed 熟地黄, which is processed 地黄
		for _, s := range herb.Statements() {
			name := han.Fold(s.Name)
			if !s.Relation.Derived() || len(h.listedSources(name)) > 0 || !slices.ContainsFunc(s.Herbs, func(d string) bool { return len(h.listedSources(h.Plain(d)[0])) > 0 }) {
				continue
			}
			for _, d := range s.Herbs {
				for _, of := range h.sourcesOf(h.Plain(d)[0]) {
					if of.Authority != "" {
						of.Authority = s.Authority()
					}
					h.inherited[name] = append(h.inherited[name], of.during(&s))
				}
			}
		}
	}
	for name, of := range prepared {
		if len(h.listedSources(name)) == 0 {
			h.inherited[name] = of
		}
	}
}

// CountAll makes the species that the Chinese Pharmacopoeia gives a herb count in formulas beside
// those of the package's table.
func (h *Herbs) CountAll() { h.countAll = true }

// Species returns the species of a herb in a formula: sorted indexes of the package's species in
// the order of reading. It looks up the herb as written in the package's table and, if that text has
// no species there or means another herb in the year, the plain names of the herb. year is the year of the formula. If year is nil,
// Species returns the species for all years.
func (h *Herbs) Species(written string, year *int32) []int {
	var all []int
	at := h.At(year)
	if _, dated := at.InYear(han.Fold(written)); !dated {
		all = h.during(year, h.listedSources(han.Fold(written)))
	}
	if len(all) == 0 || h.countAll {
		for _, plain := range at.Plain(written) {
			all = append(all, h.during(year, h.sourcesOf(plain))...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// during returns the species of those sources that apply to formulas of a year, as indexes of the
// package's species in the order of reading.
func (h *Herbs) during(year *int32, of []source) (species []int) {
	for _, s := range of {
		if s.in(year) {
			species = append(species, h.index[s.entry])
		}
	}
	return species
}

// sourcesOf returns the sources of a plain name. Every record and every ingredient with this name has
// these sources. They are those of the package's table, or else those of names/herb. After
// [Herbs.CountAll] those of the pharmacopoeia join the sources of the package's table.
func (h *Herbs) sourcesOf(name string) []source {
	if of := h.listedSources(name); len(of) > 0 {
		if h.countAll {
			for _, s := range h.knownSources(name) {
				if s.Authority == herb.Pharmacopoeia && !slices.ContainsFunc(of, func(has source) bool { return has.entry == s.entry }) {
					of = append(of, s)
				}
			}
		}
		return of
	}
	if _, listed := h.sources[name]; listed || h.Listed(name) {
		return nil
	}
	return h.knownSources(name)
}

// listedSources returns the sources that the package's table lists for a name, and the inherited ones.
func (h *Herbs) listedSources(name string) []source {
	return distinctSources(slices.Concat(h.sources[name], h.inherited[name]))
}

// distinctSources leaves out sources whose species comes earlier in the list.
func distinctSources(list []source) (distinct []source) {
	for i, s := range list {
		if !slices.ContainsFunc(list[:i], func(has source) bool { return has.entry == s.entry && !has.limited() && !s.limited() }) {
			distinct = append(distinct, s)
		}
	}
	return distinct
}

// limited reports whether the source applies to formulas of some years only.
func (s *source) limited() bool { return s.FromYear != nil || s.ToYear != nil }

// knownSources returns the sources that names/herb knows for a plain name.
func (h *Herbs) knownSources(name string) (list []source) {
	for _, o := range origins(name) {
		if !o.IsPlant() {
			continue
		}
		for _, s := range h.speciesOf(o.Herb, o.authority) {
			s.edition = o.edition()
			if o.statement != nil {
				s = s.during(o.statement)
				s.of = o.Name
			}
			list = append(list, s)
		}
	}
	return distinctSources(list)
}

// speciesOf returns the species from which a herb of names/herb comes, as far as the package has
// them. If books disagree on the species, it returns only the species that all books name, on the
// given authority. If there is no such species, it returns all.
func (h *Herbs) speciesOf(d *herb.Herb, authority string) []source {
	var sure, all []source
	for _, s := range d.Species {
		if entry, ok := h.named.species(s); ok {
			from := source{entry: entry}
			all = append(all, from)
			if !s.Unsure {
				from.Authority = authority
				sure = append(sure, from)
			}
		}
	}
	if len(sure) > 0 {
		return sure
	}
	return all
}

// origin is a herb of names/herb to which a plain name belongs.
type origin struct {
	*herb.Herb
	authority string          // the book that says so; "" if none does
	statement *herb.Statement // the statement that relates the name to the herb; nil if there is none
}

// edition returns the edition of the authority. A herb that left the pharmacopoeia, and its forms, are
// in an earlier edition than the others.
func (o *origin) edition() string {
	if o.authority != "" && o.authority == o.Book {
		return o.Edition
	}
	return herb.Edition(o.authority)
}

// origins returns the herbs of names/herb to which a plain name belongs: it is the herb's own name, or
// another name, a processed form, a part or a broader name of the herb. Folk names do not count.
func origins(name string) (list []origin) {
	for _, f := range herb.LookupReading(herb.Reading{Base: name}) {
		if !f.Alias() && !f.Unsure {
			return []origin{{f.Herb, f.Book, nil}}
		}
	}
	add := func(name, authority string, s *herb.Statement) {
		for _, f := range herb.LookupProven(name) {
			if !f.Unsure && !slices.ContainsFunc(list, func(o origin) bool { return o.Herb == f.Herb }) {
				list = append(list, origin{f.Herb, authority, s})
			}
		}
	}
	for _, s := range herb.StatementsOn(name) {
		if s.Relation.Derived() {
			for _, other := range s.Herbs {
				add(other, s.Authority(), &s)
			}
		}
	}
	add(name, "", nil)
	return list
}

// isNoPlant reports whether all herbs of names/herb to which a plain name belongs are no plants, and
// there is one.
func isNoPlant(of []origin) bool {
	return len(of) > 0 && !slices.ContainsFunc(of, func(o origin) bool { return o.IsPlant() })
}

// Resolves reports whether a plain name resolves to a species in any year.
func (h *Herbs) Resolves(plain string) bool { return len(h.sourcesOf(han.Fold(plain))) > 0 }

// Lacking returns the scientific names of the species that names/herb gives a plain name, if the package
// has none of them.
func (h *Herbs) Lacking(plain string) (names []string) {
	for _, o := range origins(han.Fold(plain)) {
		if !o.IsPlant() {
			continue
		}
		for _, s := range o.Species {
			if _, has := h.named.species(s); has {
				return nil
			}
			if !s.Unsure && !slices.Contains(names, s.Names[0]) {
				names = append(names, s.Names[0])
			}
		}
	}
	return names
}

// NoPlant reports whether a plain name is known to be no plant: the package's table lists it without
// a species, or names/herb knows it as an animal, a mineral, a fungus or the like.
func (h *Herbs) NoPlant(plain string) bool {
	plain = han.Fold(plain)
	if len(h.sourcesOf(plain)) > 0 {
		return false
	}
	_, listed := h.sources[plain]
	return listed || h.Listed(plain) || isNoPlant(origins(plain))
}

// listed yields the herbs of the package's table.
func listed(p *datapackage.Package) iter.Seq[written.Listed] {
	return func(yield func(written.Listed) bool) {
		for _, h := range p.HerbSpecies {
			if !yield(written.Listed{Herb: h.Herb, Plain: h.Plain, Dated: h.FromYear != nil || h.ToYear != nil}) {
				return
			}
		}
	}
}

// Written yields the herbs of all formulas, as written.
func Written(p *datapackage.Package) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range p.Formulas {
			for _, in := range p.Formulas[i].Ingredients {
				if !yield(in.Herb) {
					return
				}
			}
		}
	}
}

// listHerbs lists the distinct names in the package's table. Each has the entry ids of its species
// in any year.
func (h *Herbs) listHerbs(p *datapackage.Package) {
	seen := map[string]bool{}
	for _, hs := range p.HerbSpecies {
		key := han.Fold(hs.Herb)
		if seen[key] {
			continue
		}
		seen[key] = true
		d := Herb{Name: hs.Herb}
		for _, s := range h.Species(hs.Herb, nil) {
			d.Species = append(d.Species, p.Species[s].EntryID)
		}
		h.Herbs = append(h.Herbs, d)
	}
}
