// Package materia knows the herbs of a data package: what each is called, from
// which species it comes, which drugs a species gives, and the records that are
// made of them (materia medica, 本草).
//
//	package's table, formulas ─Known─▶ Herbs ─Species─▶ of an ingredient
//	Herbs and names/drug ─Give─▶ the drugs of each species
//	Herbs, names/drug and formulas ─Records─▶ store.Herb
//
// It does not know how names of herbs are stripped of processing: package herb
// does.
package materia

import (
	"iter"
	"slices"
	"unicode/utf8"

	"bencao/indexer/datapackage"
	"bencao/indexer/herb"
	"bencao/names/drug"
	"bencao/names/han"
)

// Herbs knows the herbs of a package: what they are called and where they
// lead. It may be used by many goroutines.
type Herbs struct {
	*herb.Names
	// Drugs are the names of the package's table, each once.
	Drugs   []Drug
	sources map[string][]source // by folded herb; none of a drug that is no plant
}

// Drug is a name of the package's table.
type Drug struct {
	Name    string  // as it is written first
	Species []int32 // entry ids, in any year; none of a drug that is no plant
}

// source is a species from which a herb comes, as an index into the package's
// species as they were read.
type source struct {
	species  int
	from, to *int32 // years of the formulas for which it holds; nil is no limit
}

// Known reads what a package says of its herbs.
func Known(p *datapackage.Package) *Herbs {
	h := &Herbs{Names: herb.New(listed(p), otherNames, Written(p), own), sources: map[string][]source{}}
	species := p.SpeciesByID()
	for _, hs := range p.HerbSpecies {
		name := han.Fold(hs.Herb)
		if hs.SpeciesID != nil {
			h.sources[name] = append(h.sources[name], source{species[*hs.SpeciesID], hs.FromYear, hs.ToYear})
		} else if _, known := h.sources[name]; !known {
			h.sources[name] = nil
		}
	}
	h.listDrugs(p)
	return h
}

// Species returns the species of a formula's herb, as indexes into the package's
// species as they were read, in order: by its name as written or, if none are
// known of that, by its plain names. Of a formula without a year all species are
// taken, whatever years they are given for.
func (h *Herbs) Species(written string, year *int32) []int {
	if of := h.of(han.Fold(written), year); len(of) > 0 {
		return of
	}
	var all []int
	for _, plain := range h.Plain(written) {
		all = append(all, h.of(plain, year)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// of returns the species of a name that is listed.
func (h *Herbs) of(name string, year *int32) []int {
	var all []int
	for _, s := range h.sources[name] {
		if year == nil || (s.from == nil || *s.from <= *year) && (s.to == nil || *year <= *s.to) {
			all = append(all, s.species)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Leads says whether a plain name leads to a species in any year.
func (h *Herbs) Leads(plain string) bool { return len(h.sources[plain]) > 0 }

// NoPlant says whether a herb is listed without a species, under its own name
// and under its plain name.
func (h *Herbs) NoPlant(plain string) bool {
	of, listed := h.sources[plain]
	return len(of) == 0 && (listed || h.Listed(plain))
}

// listed yields the herbs of the package's table.
func listed(p *datapackage.Package) iter.Seq[herb.Listed] {
	return func(yield func(herb.Listed) bool) {
		for _, h := range p.HerbSpecies {
			if !yield(herb.Listed{Herb: h.Herb, Plain: h.Plain}) {
				return
			}
		}
	}
}

// otherNames yields the other names that the table of drugs has, of two characters
// or more, where each surely is one drug's and no drug is called so.
func otherNames(yield func(herb.OtherName) bool) {
	for _, d := range drug.All() {
		for _, a := range d.Aliases {
			if utf8.RuneCountInString(a.Name) < 2 {
				continue
			}
			found := drug.LookupReading(drug.Reading{Base: han.Fold(a.Name)})
			if len(found) == 1 && found[0].Drug == d && found[0].Alias && !found[0].Unsure && !yield(herb.OtherName{Name: a.Name, Herb: d.Name}) {
				return
			}
		}
	}
}

// own yields the drugs whose name has that of a drug from other species in it, at its
// beginning or its end: 明党参 is no 党参.
func own(yield func(string) bool) {
	species := map[string]map[string]bool{}
	for _, d := range drug.All() {
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

// Written yields the herbs of all formulas.
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

// listDrugs lists the names of the package's table, each once, with the entry ids
// of their species in any year.
func (h *Herbs) listDrugs(p *datapackage.Package) {
	seen := map[string]bool{}
	for _, hs := range p.HerbSpecies {
		key := han.Fold(hs.Herb)
		if seen[key] {
			continue
		}
		seen[key] = true
		d := Drug{Name: hs.Herb}
		for _, s := range h.Species(hs.Herb, nil) {
			d.Species = append(d.Species, p.Species[s].EntryID)
		}
		h.Drugs = append(h.Drugs, d)
	}
}
