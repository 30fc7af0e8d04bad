package store

import "slices"

// HerbSummary is a herb in a list.
type HerbSummary struct {
	GUID            string   `json:"id" doc:"Lower-case UUID. It changes only if the name changes."`
	Name            string   `json:"name" doc:"Standard name in Chinese."`
	NamePinyin      Text     `json:"namePinyin" doc:"Pinyin with tone marks, a space between syllables."`
	LatinName       Text     `json:"latinName" doc:"The first pharmaceutical Latin name."`
	Kind            Text     `json:"kind" enum:"plant,fungus,alga,animal,mineral,other" doc:"The kind of the herb. other is a manufactured or mixed herb; null is unknown."`
	NoPlant         bool     `json:"noPlant" doc:"Whether the herb is known not to be a plant. Then it has no species."`
	ScientificNames []string `json:"scientificNames" doc:"Scientific names of the source species, without author."`
	Formulas        int32    `json:"formulas" doc:"Number of formulas with the herb."`
	URL             string   `json:"url" doc:"The record's web page."`
	// AliasOf is never stored. It is set when the answer is sent.
	AliasOf *HerbAlias `json:"aliasOf,omitempty" doc:"The drug, if the query is another name of it: the names were merged. Absent otherwise."`
}

// HerbAlias tells to which herb another name belongs.
type HerbAlias struct {
	GUID  string `json:"id" doc:"The drug's id."`
	Name  string `json:"name" doc:"The drug's standard name in Chinese."`
	Alias string `json:"alias" doc:"The other name that was asked for, or whose id was."`
}

// HerbDetail is a herb without the list of its formulas.
type HerbDetail struct {
	GUID           string       `json:"id" doc:"Lower-case UUID. It changes only if the name changes."`
	Name           string       `json:"name" doc:"Standard name in Chinese."`
	NamePinyin     Text         `json:"namePinyin" doc:"Pinyin with tone marks, a space between syllables."`
	LatinNames     []string     `json:"latinNames" doc:"Pharmaceutical Latin names."`
	Aliases        []string     `json:"aliases" doc:"Other names."`
	Names          []HerbCalled `json:"names" doc:"The standard name and the other names, each with its kind."`
	ProcessedForms []string     `json:"processedForms" doc:"Names of the processed forms in the tables of herbs."`
	Parts          []string     `json:"parts" doc:"Parts of the plant that are used."`
	Kind           Text         `json:"kind" enum:"plant,fungus,alga,animal,mineral,other" doc:"The kind of the herb. other is a manufactured or mixed herb; null is unknown."`
	NoPlant        bool         `json:"noPlant" doc:"Whether the herb is known not to be a plant. Then it has no species."`
	Species        []HerbOrigin `json:"species" doc:"The source species, with the years of the formulas that mean them if these are limited."`
	VariantOf      []HerbNamed  `json:"variantOf" doc:"The herbs of which this one is a processed form or a part, or that its name covers."`
	Formulas       int32        `json:"formulas" doc:"Number of formulas with the herb."`
	WrittenAs      []HerbText   `json:"writtenAs" nullable:"true" doc:"The spellings in formulas, at most 50, the most frequent first; null without the scope prescription_composition."`
	GoesWith       []HerbBeside `json:"goesWith" nullable:"true" doc:"The herbs most often in the same formula, at most 20; null without the scope prescription_composition."`
	URL            string       `json:"url" doc:"The record's web page."`
	// AliasOf is never stored. It is set when the answer is sent.
	AliasOf *HerbAlias `json:"aliasOf,omitempty" doc:"The drug, if the id is that of another name of it: the names were merged. Absent otherwise."`
}

// HerbCalled is an entry of [HerbDetail.Names]: a name of the herb of the detail.
type HerbCalled struct {
	Name     string `json:"name" doc:"A written form in Chinese."`
	Kind     string `json:"kind" enum:"standard,pharmacopoeia,book,trade,folk" doc:"What gives the name to the herb: it is the standard name, or the pharmacopoeia, a book, or the trade has it. folk: only dictionaries of folk names; such a name helps a search and proves nothing."`
	FromYear *int32 `json:"fromYear" doc:"The name means the herb in formulas from this year on; null is no limit."`
	ToYear   *int32 `json:"toYear" doc:"The name means the herb in formulas up to this year; null is no limit."`
	Source   Text   `json:"source" doc:"The book, standard or page of the web that has the name, or 构词 (the name itself says it), 省称 (characters left out), 异体字 (another form of the characters), 误字 (a slip of the writer); null if the kind is standard or folk, or if no book is known."`
	Edition  Text   `json:"edition" doc:"Author and year of the book, in Chinese, or the address of the page; null if the source is neither."`
}

// Dated reports whether the name means the herb only in formulas of some years.
func (n *HerbCalled) Dated() bool { return n.FromYear != nil || n.ToYear != nil }

// HerbOrigin is a source species of a herb.
type HerbOrigin struct {
	GUID           string `json:"guid" doc:"The species' guid."`
	ChineseName    Text   `json:"chineseName" doc:"Chinese name."`
	ScientificName Text   `json:"scientificName" doc:"Scientific name without author."`
	Part           Text   `json:"part" doc:"Part of the plant."`
	Authority      Text   `json:"authority" doc:"Pharmacopoeia or book that gives this species."`
	Preferred      *bool  `json:"preferred" doc:"Whether the source prefers this species."`
	FromYear       *int32 `json:"fromYear" doc:"The herb is this species in formulas from this year on; null is no limit."`
	ToYear         *int32 `json:"toYear" doc:"The herb is this species in formulas up to this year; null is no limit."`
	URL            string `json:"url" doc:"The record's web page."`
}

// HerbNamed is an entry of [HerbDetail.VariantOf]: the other herb and its relation to the herb of
// the detail.
type HerbNamed struct {
	GUID     string `json:"id" doc:"The herb's id."`
	Name     string `json:"name" doc:"Standard name in Chinese."`
	How      string `json:"how" enum:"processed,part,broader" doc:"How the name relates to the herb: a processed form, a part, or a broader name that covers it and others."`
	FromYear *int32 `json:"fromYear" doc:"A broader name covers the herb in formulas from this year on; null is no limit."`
	ToYear   *int32 `json:"toYear" doc:"A broader name covers the herb in formulas up to this year; null is no limit."`
	Source   Text   `json:"source" doc:"The book that says so; null if the relation is read from the names."`
	URL      string `json:"url" doc:"The record's web page."`
}

// HerbText is a spelling of a herb in formulas.
type HerbText struct {
	Herb     string `json:"herb" doc:"Herb as written in the formula."`
	Formulas int32  `json:"formulas" doc:"Number of formulas with this spelling."`
}

// HerbBeside is a herb that occurs in the same formulas as the herb of the detail.
type HerbBeside struct {
	GUID     string `json:"id" doc:"The herb's id."`
	Name     string `json:"name" doc:"Standard name in Chinese."`
	Formulas int32  `json:"formulas" doc:"Number of formulas that have both."`
	URL      string `json:"url" doc:"The record's web page."`
}

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
	for _, s := range h.Species {
		if !slices.Contains(sum.ScientificNames, s.ScientificName) { // a species may be the source in several eras
			sum.ScientificNames = append(sum.ScientificNames, s.ScientificName)
		}
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
		Formulas:       int32(len(h.Formulas)),
		URL:            herbLink(h),
	}, 1+addresses+len(variants))
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
	})
}

func (d *Data) herbOrigins(h *Herb) (origins []HerbOrigin, addresses int) {
	origins = make([]HerbOrigin, len(h.Species))
	for i, from := range h.Species {
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
