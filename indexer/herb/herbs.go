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
	"unicode/utf8"

	"bencao/indexer/datapackage"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/written"
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
}

// Herb is a name in the package's table.
type Herb struct {
	Name    string  // in the first spelling of the table
	Species []int32 // entry ids, for any year; empty for a herb that is not a plant
}

// source is a source species of a herb. The species is given by its index in the package, in the
// order of reading.
type source struct {
	species  int
	from, to *int32 // years of the formulas to which the source applies; nil means no limit
}

// New collects the herbs of a package.
func New(p *datapackage.Package) *Herbs {
	h := &Herbs{sources: map[string][]source{}}
	species := p.SpeciesByID()
	for _, hs := range p.HerbSpecies {
		name := han.Fold(hs.Herb)
		if hs.SpeciesID != nil {
			h.sources[name] = append(h.sources[name], source{species[*hs.SpeciesID], hs.FromYear, hs.ToYear})
		} else if _, known := h.sources[name]; !known {
			h.sources[name] = nil
		}
	}
	h.Names = written.New(written.Sources{Listed: listed(p), Standard: standardNames, Written: Written(p), Own: ownNames})
	h.inheritSources()
	h.listHerbs(p)
	return h
}

// inheritSources finds sources for names that the package's table does not list. A herb gets the
// sources of the listed names that mean the same herb. Processed forms, parts and broader names get
// the sources of their herbs.
func (h *Herbs) inheritSources() {
	h.inherited = map[string][]source{}
	for _, name := range slices.Sorted(maps.Keys(h.sources)) {
		if herbs := h.Plain(name); len(herbs) == 1 && h.HasPlain(name) {
			h.inherited[herbs[0]] = append(h.inherited[herbs[0]], h.sources[name]...)
		}
	}
	for range 2 { // twice: 熟地黄炭 is processed 熟地黄, which is processed 地黄
		for _, s := range herb.Statements() {
			name := han.Fold(s.Name)
			if !s.Relation.Derived() || len(h.sources[name])+len(h.inherited[name]) > 0 {
				continue
			}
			for _, d := range s.Herbs {
				d = h.Plain(d)[0]
				h.inherited[name] = append(h.inherited[name], h.sourcesOf(d)...)
			}
		}
	}
}

// Species returns the species of a herb in a formula: sorted indexes of the package's species in
// the order of reading. It looks up the herb as written and, if that text has no species, the plain
// names of the herb. year is the year of the formula. If year is nil, Species returns the species
// for all years.
func (h *Herbs) Species(written string, year *int32) []int {
	if of := h.speciesOf(han.Fold(written), year); len(of) > 0 {
		return of
	}
	var all []int
	for _, plain := range h.At(year).Plain(written) {
		all = append(all, h.speciesOf(plain, year)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sourcesOf returns the sources that the table lists for a name, or else the inherited ones.
func (h *Herbs) sourcesOf(name string) []source {
	if of := h.sources[name]; len(of) > 0 {
		return of
	}
	return h.inherited[name]
}

// speciesOf returns the species of a name, whether the table lists its sources or the name inherits
// them.
func (h *Herbs) speciesOf(name string, year *int32) []int {
	var all []int
	for _, s := range h.sourcesOf(name) {
		if year == nil || (s.from == nil || *s.from <= *year) && (s.to == nil || *year <= *s.to) {
			all = append(all, s.species)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Resolves reports whether a plain name resolves to a species in any year.
func (h *Herbs) Resolves(plain string) bool { return len(h.sourcesOf(han.Fold(plain))) > 0 }

// NoPlant reports whether the package's table lists a plain name and neither the table nor
// inheritSources gives it a species.
func (h *Herbs) NoPlant(plain string) bool {
	plain = han.Fold(plain)
	of, listed := h.sources[plain]
	return len(of)+len(h.inherited[plain]) == 0 && (listed || h.Listed(plain))
}

// listed yields the herbs of the package's table.
func listed(p *datapackage.Package) iter.Seq[written.Listed] {
	return func(yield func(written.Listed) bool) {
		for _, h := range p.HerbSpecies {
			if !yield(written.Listed{Herb: h.Herb, Plain: h.Plain}) {
				return
			}
		}
	}
}

// standardNames yields the names for which names.txt gives a standard name, each with that
// standard name.
func standardNames(yield func(written.OtherName) bool) {
	for _, s := range herb.Statements() {
		if s.Relation == herb.Same && !yield(written.OtherName{Name: s.Name, Herb: s.Herbs[0], From: s.From, To: s.To}) {
			return
		}
	}
}

// ownNames yields the names that lose no affixes. These are the herbs whose name is one character, the
// names that names.txt keeps apart, and the herbs of [intactHerbs].
func ownNames(yield func(string) bool) {
	for _, d := range herb.All() {
		if utf8.RuneCountInString(d.Name) == 1 && !yield(d.Name) {
			return
		}
	}
	for _, s := range herb.Statements() {
		for _, name := range append([]string{s.Name}, s.Herbs...) {
			if herb.HasRecord(name) && !yield(name) {
				return
			}
		}
	}
	intactHerbs(yield)
}

// intactHerbs yields each herb whose name starts or ends with the name of another herb, if the two
// herbs come from different species: 明党参 is not 党参.
func intactHerbs(yield func(string) bool) {
	species := map[string]map[string]bool{}
	for _, d := range herb.All() {
		of := map[string]bool{}
		for _, s := range d.Species {
			for _, name := range s.Names {
				of[name] = true
			}
		}
		if !d.Unsure && d.IsPlant() {
			species[d.Name] = of
		}
	}
	other := func(name, part string) bool {
		of := species[part]
		for s := range species[name] {
			if of[s] {
				return false
			}
		}
		return len(of) > 0 && len(species[name]) > 0
	}
	for name := range species {
		for i := range name {
			if i > 0 && (other(name, name[:i]) || other(name, name[i:])) {
				if !yield(name) {
					return
				}
				break
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
