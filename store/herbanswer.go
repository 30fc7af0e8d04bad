package store

import "slices"

func herbLink(h *Herb) string { return siteURL("/herbs/" + h.GUID) }

func (d *Data) herbSummary(h *Herb) (Template, error) {
	sum := HerbSummary{
		GUID:            h.GUID,
		Name:            h.Name,
		NamePinyin:      Text(h.NamePinyin),
		Kind:            Text(h.Kind),
		NoPlant:         h.NoPlant,
		ScientificNames: []string{},
		Formulas:        int32(len(h.Formulas)),
		URL:             herbLink(h),
	}
	if len(h.Latin) > 0 {
		sum.LatinName = Text(h.Latin[0])
	}
	for _, s := range slices.Concat(h.Species, h.Others) {
		if !slices.Contains(sum.ScientificNames, s.ScientificName) { // a species may be the source in several eras
			sum.ScientificNames = append(sum.ScientificNames, s.ScientificName)
		}
	}
	for _, a := range h.Absent {
		sum.ScientificNames = append(sum.ScientificNames, a.ScientificName)
	}
	return render(sum, 1)
}

// herbDetail renders the detail without the lists that come from formulas. It then fills in these
// lists, marked so that only [Composition] shows them.
func (d *Data) herbDetail(h *Herb) (Template, error) {
	aliases := make([]string, len(h.Aliases))
	names := []HerbCalled{{Name: h.Name, Kind: "standard"}}
	for i, a := range h.Aliases {
		aliases[i] = a.Name
		names = append(names, HerbCalled{a.Name, a.Kind, a.FromYear, a.ToYear, Text(a.Source), Text(a.Edition)})
	}
	species, addresses := d.herbOrigins(h)
	variants := make([]HerbNamed, len(h.VariantOf))
	for i, v := range h.VariantOf {
		of := &d.Herbs[v.Herb]
		variants[i] = HerbNamed{GUID: of.GUID, Name: of.Name, How: v.How, FromYear: v.FromYear, ToYear: v.ToYear, Source: Text(v.Source), URL: herbLink(of)}
	}
	apart := make([]HerbBook, len(h.Apart))
	for i, a := range h.Apart {
		of := &d.Herbs[a.Herb]
		apart[i] = HerbBook{GUID: of.GUID, Name: of.Name, Source: Text(a.Source), URL: herbLink(of)}
	}
	meant := make([]HerbMeaning, len(h.Meant))
	for i, m := range h.Meant {
		of := &d.Herbs[m.Herb]
		meant[i] = HerbMeaning{GUID: of.GUID, Name: of.Name, FromYear: m.FromYear, ToYear: m.ToYear, Source: Text(m.Source), URL: herbLink(of)}
	}
	var left *HerbLeft
	if h.LeftYear != 0 {
		left = &HerbLeft{h.LeftYear, h.LeftBy}
	}
	out, err := render(HerbDetail{
		GUID:           h.GUID,
		Name:           h.Name,
		NamePinyin:     Text(h.NamePinyin),
		LatinNames:     list(h.Latin),
		Aliases:        aliases,
		Names:          names,
		ProcessedForms: list(h.Forms),
		Parts:          list(h.Parts),
		Kind:           Text(h.Kind),
		NoPlant:        h.NoPlant,
		Species:        species,
		VariantOf:      variants,
		Absent:         append([]HerbAbsent{}, h.Absent...),
		NameMeant:      meant,
		ConfusedWith:   apart,
		Left:           left,
		Formulas:       int32(len(h.Formulas)),
		FormulasByNote: int32(len(h.Noted)),
		URL:            herbLink(h),
	}, 1+addresses+len(variants)+len(meant)+len(apart))
	if err != nil {
		return nil, err
	}
	written := make([]HerbText, len(h.Written))
	for i, w := range h.Written {
		written[i] = HerbText{Herb: w.Herb, Formulas: int32(w.Formulas)}
	}
	with := make([]HerbBeside, len(h.With))
	for i, w := range h.With {
		of := &d.Herbs[w.Herb]
		with[i] = HerbBeside{GUID: of.GUID, Name: of.Name, Formulas: int32(w.Formulas), URL: herbLink(of)}
	}
	return d.composed(out, []guarded{
		{"writtenAs", func() (Template, error) { return render(written, 0) }},
		{"goesWith", func() (Template, error) { return render(with, len(with)) }},
		{"unlistedFormulas", func() (Template, error) { return render(h.InText, 0) }},
		{"doses", func() (Template, error) { return render(append([]HerbDose{}, h.Doses...), 0) }},
	})
}

func (d *Data) herbOrigins(h *Herb) (origins []HerbOrigin, addresses int) {
	all := slices.Concat(h.Species, h.Others)
	origins = make([]HerbOrigin, len(all))
	for i, from := range all {
		s := &d.Species[from.Species]
		origins[i] = HerbOrigin{
			GUID:           s.GUID,
			ChineseName:    Text(from.ChineseName),
			ScientificName: Text(from.ScientificName),
			Part:           Text(from.Part),
			Authority:      Text(from.Authority),
			Preferred:      from.Preferred,
			FromYear:       from.FromYear,
			ToYear:         from.ToYear,
			URL:            speciesLink(s),
			Counted:        i < len(h.Species),
			Evidence:       append([]HerbEvidence{}, from.Evidence...),
		}
		addresses += ours(s.URL)
	}
	return origins, addresses
}

// list returns texts, or an empty list if texts is nil. JSON would show nil as null instead of [].
func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
