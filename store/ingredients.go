package store

import (
	"encoding/binary"
	"fmt"
)

// The ingredients of a formula lead to herbs and species, each with its names and
// address. A few herbs stand in most formulas, so the detail of a formula rests with
// marks in their places, and the store has the JSON of each herb and species once.

// ingredients renders the ingredients of a formula as they rest.
func (d *Data) ingredients(f *Formula) (Template, error) {
	out := Template("[")
	for i, in := range f.Ingredients {
		one, err := render(FormulaIngredient{Seq: in.Seq, Herb: in.Herb, Dose: Text(in.Dose), Note: Text(in.Note), Role: Text(in.Role)}, 0)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		one = putLinks(one, "species", markSpecies, in.Species)
		out = append(out, putLinks(one, "herbs", markHerb, in.Herbs)...)
	}
	return append(out, ']'), nil
}

// putLinks puts marks in the place of a field's null.
func putLinks(answer Template, field string, mark byte, nums []Num) Template {
	list := []byte{'['}
	for i, n := range nums {
		if i > 0 {
			list = append(list, ',')
		}
		list = binary.AppendUvarint(append(list, mark), uint64(n))
	}
	return replaceNull(answer, field, append(list, ']'))
}

// linksOf are the links of species and of herbs that formulas lead to.
func (d *Data) linksOf() (species, herbs shelf, err error) {
	linked := make([]bool, len(d.Species)) // a few of them
	for i := range d.Formulas {
		for _, in := range d.Formulas[i].Ingredients {
			for _, n := range in.Species {
				linked[n] = true
			}
		}
	}
	species, err = newShelf(len(d.Species), func(out []byte, i int) ([]byte, error) {
		if !linked[i] {
			return out, nil
		}
		s := &d.Species[i]
		one, err := render(HerbSpecies{GUID: s.GUID, ChineseName: Text(s.ChineseName), ScientificName: Text(s.ScientificName), URL: speciesLink(s)}, ours(s.URL))
		if err != nil {
			return nil, fmt.Errorf("species %d: %w", i, err)
		}
		return append(out, one...), nil
	})
	if err != nil {
		return nil, nil, err
	}
	herbs, err = newShelf(len(d.Herbs), func(out []byte, i int) ([]byte, error) {
		h := &d.Herbs[i]
		one, err := render(HerbLink{GUID: h.GUID, Name: h.Name, URL: herbLink(h)}, 1)
		if err != nil {
			return nil, fmt.Errorf("herb %d: %w", i, err)
		}
		return append(out, one...), nil
	})
	return species, herbs, err
}
