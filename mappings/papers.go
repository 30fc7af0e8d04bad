package mappings

import (
	"cmp"
	"strconv"
	"strings"

	"bencao/store"
)

// PapersDir is the folder of the index of papers in a snapshot.
const PapersDir = "papers.bleve"

// Papers lists the fields of papers.
//
// To add a search field, add a row here and test queries to testdata/papers.txt. The index, the
// documents and the query follow from the row. If Facet is set, the field is also a facet. A
// filter by the field is a row of [Filters]. [Rows] refuses a second field with the analyzer
// [Title]: the index stores one title length per record and ranks by it.
var Papers = []Field[store.Paper]{
	{
		Name: "title", Analyzer: Title, Tiers: Tiers{Words: 80, WordStart: 60, Typo: 50, SomeWords: 30},
		Values: func(p *store.Paper) []string { return []string{string(p.Title)} },
	},
	{
		Name: "doi", Analyzer: DOI, Tiers: Tiers{Whole: 100, Prefix: 90},
		Values: func(p *store.Paper) []string { return []string{string(p.DOI)} },
	},
	{
		Name: "pubmedId", Analyzer: Number, Tiers: Tiers{Whole: 100},
		Values: func(p *store.Paper) []string { return []string{string(p.PubMedID)} },
	},
	{
		Name: "author", Analyzer: Person, // the filter accepts words and initials of a name
		Values: func(p *store.Paper) []string { return people(string(p.Authors)) },
	},
	{
		Name: "year", Analyzer: Year,
		Values: func(p *store.Paper) []string { return []string{paperYear(string(p.Year))} },
	},
	{
		Name: "source", Analyzer: Facet,
		Values: func(p *store.Paper) []string { return []string{string(p.Source)} },
	},
	{
		Name: "family", Analyzer: Facet,
		Values: func(p *store.Paper) []string {
			out := make([]string, len(p.Families))
			for i, f := range p.Families {
				out[i] = familyForms(f.Name, f.Chinese)
			}
			return out
		},
	},
	{
		Name: "genus", Analyzer: Facet,
		Values: func(p *store.Paper) []string {
			out := make([]string, len(p.Genera))
			for i, g := range p.Genera {
				out[i] = forms(g.Name, g.Chinese)
			}
			return out
		},
	},
	{
		Name: "species", Analyzer: Facet, Numbers: true,
		Values: func(p *store.Paper) []string {
			out := make([]string, len(p.Species))
			for i, n := range p.Species {
				out[i] = strconv.Itoa(int(n))
			}
			return out
		},
	},
	{
		Name: "nameOrder", Analyzer: Order,
		Compare: func(all []store.Paper) func(a, b int) int {
			return byKeys(all, func(p *store.Paper) string { return strings.ToLower(string(p.Title)) })
		},
	},
	{
		Name: "yearOrder", Analyzer: Order, // newest first
		Compare: func(all []store.Paper) func(a, b int) int {
			return func(a, b int) int { return cmp.Compare(paperYear(string(all[b].Year)), paperYear(string(all[a].Year))) }
		},
	},
	{
		Name: "prominenceOrder", Analyzer: Order, // papers about the most species first
		Compare: func(all []store.Paper) func(a, b int) int {
			return func(a, b int) int { return cmp.Compare(len(all[b].Species), len(all[a].Species)) }
		},
	},
}

// PaperOrder returns a comparison of papers in the answer order. Papers are given by index. The
// newest year comes first, and papers without a year come last. Papers of the same year are sorted
// by title, then by id.
func PaperOrder(all []store.Paper) func(a, b int) int {
	years := make([]string, len(all))
	for i := range all {
		years[i] = paperYear(string(all[i].Year))
	}
	return func(a, b int) int {
		if c := cmp.Compare(years[b], years[a]); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(all[a].Title, all[b].Title), cmp.Compare(all[a].ID, all[b].ID))
	}
}

// paperYear returns the first four consecutive digits of a year, such as 2019 for "2019 [2020]". It
// returns "" if there are none.
func paperYear(s string) string {
	for i := 0; i+4 <= len(s); i++ {
		if strings.Trim(s[i:i+4], "0123456789") == "" {
			return s[i : i+4]
		}
	}
	return ""
}
