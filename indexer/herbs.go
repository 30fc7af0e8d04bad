package indexer

import (
	"iter"
	"slices"

	"bencao/indexer/datapackage"
	"bencao/indexer/herb"
	"bencao/names/han"
)

// herbs knows the herbs of a package: what they are called and where they
// lead. It may be used by many goroutines.
type herbs struct {
	*herb.Names
	sources map[string][]source // by folded herb; none of a drug that is no plant
	drugs   []listedDrug
}

// listedDrug is a drug of the package's table.
type listedDrug struct {
	name    string  // as it is written first
	species []int32 // entry ids; none of a drug that is no plant
}

// source is a species from which a herb comes, as an index into the package's
// species as they were read.
type source struct {
	species  int
	from, to *int32 // years of the formulas for which it holds; nil is no limit
}

func knownHerbs(p *datapackage.Package) *herbs {
	h := &herbs{herb.New(listedHerbs(p), writtenHerbs(p)), map[string][]source{}, nil}
	species := speciesByID(p)
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

// species returns the species of a formula's herb, in order: by its name as
// written or, if none are known of that, by its plain names. Of a formula
// without a year all species are taken, whatever years they are given for.
func (h *herbs) species(written string, year *int32) []int {
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
func (h *herbs) of(name string, year *int32) []int {
	var all []int
	for _, s := range h.sources[name] {
		if year == nil || (s.from == nil || *s.from <= *year) && (s.to == nil || *year <= *s.to) {
			all = append(all, s.species)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// leads says whether a plain name leads to a species in any year.
func (h *herbs) leads(plain string) bool { return len(h.sources[plain]) > 0 }

// noPlant says whether a herb is listed without a species, under its own name
// and under its plain name.
func (h *herbs) noPlant(plain string) bool {
	of, listed := h.sources[plain]
	return len(of) == 0 && (listed || h.Listed(plain))
}

// listedHerbs yields the herbs of the package's table.
func listedHerbs(p *datapackage.Package) iter.Seq[herb.Listed] {
	return func(yield func(herb.Listed) bool) {
		for _, h := range p.HerbSpecies {
			if !yield(herb.Listed{Herb: h.Herb, Plain: h.Plain}) {
				return
			}
		}
	}
}

// writtenHerbs yields the herbs of all formulas.
func writtenHerbs(p *datapackage.Package) iter.Seq[string] {
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
func (h *herbs) listDrugs(p *datapackage.Package) {
	seen := map[string]bool{}
	for _, hs := range p.HerbSpecies {
		key := han.Fold(hs.Herb)
		if seen[key] {
			continue
		}
		seen[key] = true
		d := listedDrug{name: hs.Herb}
		for _, s := range h.species(hs.Herb, nil) {
			d.species = append(d.species, p.Species[s].EntryID)
		}
		h.drugs = append(h.drugs, d)
	}
}
