package store

import (
	"cmp"
	"slices"
	"strings"
)

// Level is the level at which the drugs of a formula are counted.
type Level string

// The levels. Each counts what the level before it takes as one.
const (
	// Source counts by source species and part of the plant: 枳实 and 枳壳 are one. Drugs without a
	// species are counted by their standard name.
	Source Level = "source"
	// Standard counts drugs by their standard names: 麦门冬 and 麦冬 are one, 枳实 and 枳壳 are two, and so
	// are 地黄 and 熟地黄.
	Standard Level = "standard"
	// Written counts the texts of the ingredients, verbatim: 麦门冬 and 麦冬 are two. It includes texts
	// that are no herbs, such as 等分.
	Written Level = "written"
)

// CountedDrug is a drug of a formula at some level.
type CountedDrug struct {
	// ID is the id of the herb with the standard name. As written it is that of the herb that the text
	// leads to, or "" if it leads to none or to several. By source it is the guid of the species and the
	// part, with a slash between them.
	ID string
	// Name is in Chinese. It is unique at the levels Standard and Written, ID at Standard and Source.
	Name string
}

// DrugsOf returns the drugs of a formula at a level, each once, sorted by name and ID. It is how
// patterns are to be counted: collect DrugsOf(&d.Formulas[i], level) for all i, after the records of
// herbs have been made (materia.Records); a formula without ingredients has none.
//
//	for i := range d.Formulas {
//		for _, drug := range d.DrugsOf(&d.Formulas[i], store.Standard) {
//			counts[drug.ID]++ // drug.Name is 麦冬 for both 麦门冬 and 麦冬
//		}
//	}
func (d *Data) DrugsOf(f *Formula, at Level) []CountedDrug {
	var out []CountedDrug
	for i := range f.Ingredients {
		in := &f.Ingredients[i]
		switch at {
		case Written:
			one := CountedDrug{Name: in.Herb}
			if len(in.Herbs) == 1 {
				one.ID = d.Herbs[in.Herbs[0]].GUID
			}
			out = append(out, one)
		case Source:
			for _, n := range in.Herbs {
				out = append(out, d.bySource(n))
			}
		default:
			for _, n := range in.Herbs {
				out = append(out, CountedDrug{d.Herbs[n].GUID, d.Herbs[n].Name})
			}
		}
	}
	slices.SortFunc(out, func(a, b CountedDrug) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return slices.Compact(out)
}

// bySource returns a herb by its first source and its first part.
func (d *Data) bySource(n Num) CountedDrug {
	h := &d.Herbs[n]
	if len(h.Species) == 0 {
		return CountedDrug{h.GUID, h.Name}
	}
	part := h.Species[0].Part
	if part == "" && len(h.Parts) > 0 {
		part = h.Parts[0]
	}
	s := &d.Species[h.Species[0].Species]
	return CountedDrug{s.GUID + "/" + strings.ToLower(part), strings.TrimSpace(cmp.Or(s.ChineseName, s.ScientificName) + " " + part)}
}
