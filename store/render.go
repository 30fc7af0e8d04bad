package store

import (
	"bytes"
	"net/url"

	"bencao/names/region"
)

// Data holds the records and values from which [Write] makes a store. The Num of a record is its
// index in its slice.
type Data struct {
	Species  []Species
	Formulas []Formula
	Papers   []Paper
	Herbs    []Herb
	Stats    SiteStats
	// Patterns holds the values that package patterns computes, by key.
	Patterns map[string][]byte
	// Regions is the geography; nil means that of the program.
	Regions *region.Table
	// Withheld are the parts that the store leaves out. They are null in every answer.
	Withheld Parts
}

// link returns own, the address of the operator's page for a record. If own is empty, link returns
// the address of this site's page at path.
func link(own, path string) string {
	if own != "" {
		return own
	}
	return siteURL(path)
}

// ours returns the number of addresses of this site in a record's answer. own is the address of the
// operator's page for the record. The number is 1 if own is empty, and 0 otherwise.
func ours(own string) int {
	if own == "" {
		return 1
	}
	return 0
}

func speciesLink(s *Species) string { return link(s.URL, "/species/"+s.GUID) }
func formulaLink(f *Formula) string { return link(f.URL, "/formulas/"+f.GUID) }
func paperLink(p *Paper) string     { return link(p.URL, "/papers/"+url.PathEscape(p.ID)) }

func speciesAnswer(s *Species) SpeciesSummary {
	sum := SpeciesSummary{
		EntryID:        s.EntryID,
		GUID:           s.GUID,
		ChineseName:    s.ChineseName,
		ScientificName: s.ScientificName,
		Author:         s.Author,
		Family:         s.Family,
		URL:            Text(speciesLink(s)),
	}
	if s.NameMatch != nil {
		sum.AcceptedName = s.NameMatch.AcceptedName
	}
	return sum
}

func (d *Data) speciesSummary(s *Species) (Template, error) {
	return render(speciesAnswer(s), ours(s.URL))
}

func (d *Data) speciesDetail(s *Species) (Template, error) {
	synonyms := make([]string, len(s.Synonyms))
	for i, syn := range s.Synonyms {
		synonyms[i] = syn.Name
		if syn.Author != "" {
			synonyms[i] += " " + syn.Author
		}
	}
	out := s.SpeciesDetail
	out.Synonyms = synonyms
	out.FloraTreatments = int32(len(s.Flora))
	out.Formulas = int32(len(s.Formulas))
	out.UseRecords = int32(len(s.Uses))
	out.Papers = int32(len(s.Papers))
	out.URL = speciesLink(s)
	return render(out, ours(s.URL))
}

func (d *Data) speciesFlora(s *Species) (Template, error) {
	return render(append([]FloraTreatment{}, s.Flora...), 0)
}

func (d *Data) speciesUses(s *Species) (Template, error) {
	return render(append([]PlantUse{}, s.Uses...), 0)
}

func (d *Data) formulaSummary(f *Formula) (Template, error) {
	return render(FormulaSummary{
		EntryID:        f.EntryID,
		GUID:           f.GUID,
		Name:           f.Name,
		NamePinyin:     f.NamePinyin,
		Dynasty:        f.Dynasty,
		Year:           f.Year,
		OriginalSource: f.OriginalSource,
		URL:            formulaLink(f),
	}, ours(f.URL))
}

// formulaDetail renders the detail without the lists that need a scope. It then fills in these
// lists, each between the marks of its part.
func (d *Data) formulaDetail(f *Formula) (Template, error) {
	detail := f.FormulaDetail
	detail.Unlisted, detail.Codes = nil, nil
	detail.URL = formulaLink(f)
	out, err := render(detail, ours(f.URL))
	if err != nil {
		return nil, err
	}
	if out, err = d.composed(out, []guarded{
		{"ingredients", func() (Template, error) { return d.ingredients(f) }},
		{"unlisted", func() (Template, error) { return render(append([]string{}, f.Unlisted...), 0) }},
		{"codes", func() (Template, error) { return render(append([]FormulaCode{}, f.Codes...), 0) }},
	}); err != nil || d.Withheld&Similarity != 0 {
		return out, err
	}
	for _, field := range []string{"similarEuclidean", "similarJaccard"} {
		out = fillIn(out, field, nil, markSimilarity, endSimilarity) // the part is empty: appendDetail inserts the list
	}
	return out, nil
}

// guarded is a field that is shown only with [Composition].
type guarded struct {
	field  string
	render func() (Template, error)
}

// composed fills in the fields that are shown only with [Composition], unless this part is
// withheld.
func (d *Data) composed(out Template, fields []guarded) (Template, error) {
	if d.Withheld&Composition != 0 {
		return out, nil
	}
	for _, f := range fields {
		part, err := f.render()
		if err != nil {
			return nil, err
		}
		out = fillIn(out, f.field, part, markComposition, endComposition)
	}
	return out, nil
}

// fillIn replaces the first null of a field with part, between the marks open and done.
func fillIn(answer Template, field string, part []byte, open, done byte) Template {
	marked := make([]byte, 0, len(part)+2)
	return replaceNull(answer, field, append(append(append(marked, open), part...), done))
}

// replaceNull replaces the first null of a field with a value.
func replaceNull(answer Template, field string, value []byte) Template {
	// Quotes in strings are escaped, so only the field itself matches.
	before, after, found := bytes.Cut(answer, []byte(`,"`+field+`":null`))
	if !found {
		return answer
	}
	out := make(Template, 0, len(answer)+len(value))
	out = append(append(append(out, before...), `,"`...), field...)
	out = append(append(append(out, `":`...), value...), after...)
	return out
}

func paperAnswer(p *Paper) PaperSummary {
	out := p.PaperSummary
	out.URL = paperLink(p)
	return out
}

func (d *Data) paperSummary(p *Paper) (Template, error) {
	return render(paperAnswer(p), ours(p.URL))
}
