package store

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bencao/names/region"
)

func (d *Data) regions() *region.Table {
	if d.Regions == nil {
		return region.Default()
	}
	return d.Regions
}

// listed calls f with the taxon of each listing that has names.
func (t *Taxa) listed(all []Listing, f func(l *TaxaList, relation string, taxon *ListTaxon)) error {
	for _, l := range all {
		taxon, err := t.Find(l.List, l.ID)
		if err != nil {
			return err
		}
		if taxon.Synonym && l.Relation == IsAccepted {
			l.Relation = IsSynonym
		}
		if len(taxon.Names) > 0 {
			f(t.lists[l.List], l.Relation.String(), &taxon)
		}
	}
	return nil
}

// SpeciesNames returns the names of a species with the given listings.
func (t *Taxa) SpeciesNames(all []Listing) (SpeciesNames, error) {
	out := SpeciesNames{Checklists: []ChecklistNames{}}
	err := t.listed(all, func(l *TaxaList, relation string, taxon *ListTaxon) {
		out.Checklists = append(out.Checklists, ChecklistNames{
			Source: l.Source, Release: Text(l.Release), Relation: relation, Accepted: listedName(&taxon.Names[0]), Synonyms: synonymGroups(taxon.Names),
		})
	})
	return out, err
}

// synonymGroups returns the groups of synonyms of the first name. A name has the type of the first name
// if the checklist says so, or has the same basionym. The other names with one basionym are a group.
func synonymGroups(names []TaxonName) []SynonymGroup {
	basionym := func(n *TaxonName) string { return cmp.Or(n.BasionymID, n.ID) }
	types := map[string]bool{basionym(&names[0]): true, names[0].ID: true}
	for i := range names {
		if names[i].Homotypic {
			types[basionym(&names[i])] = true
		}
	}
	groups, at := []SynonymGroup{}, map[string]int{}
	for i := range names[1:] {
		n := &names[1+i]
		of := basionym(n)
		if types[of] || types[n.ID] {
			of = ""
		}
		if _, known := at[of]; !known {
			at[of] = len(groups)
			groups = append(groups, SynonymGroup{Homotypic: of == ""})
		}
		g := &groups[at[of]]
		g.Names = append(g.Names, listedName(n))
	}
	older := func(a, b ListedName) int {
		return cmp.Or(cmp.Compare(yearOf(&a), yearOf(&b)), strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	}
	for i := range groups {
		slices.SortFunc(groups[i].Names, older)
	}
	slices.SortFunc(groups, func(a, b SynonymGroup) int {
		if a.Homotypic != b.Homotypic {
			return cmp.Compare(len(b.Names)*truth(b.Homotypic), len(a.Names)*truth(a.Homotypic))
		}
		return older(a.Names[0], b.Names[0])
	})
	return groups
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// yearOf returns the year of a name. Names without a year come last.
func yearOf(n *ListedName) int32 {
	if n.Year == nil {
		return 1 << 30
	}
	return *n.Year
}

func listedName(n *TaxonName) ListedName {
	out := ListedName{
		ID: n.ID, Name: n.Name, Author: Text(n.Author), Rank: Text(n.Rank), Status: n.Status, Publication: Text(n.Publication), Published: Text(n.Published), Year: yearIn(n.Published),
		LifeForm: Text(n.LifeForm), Climate: Text(n.Climate), Basionym: Text(n.Basionym), HybridFormula: Text(n.HybridFormula), Remarks: Text(n.Remarks), IPNIID: Text(n.IPNI), WFOID: Text(n.WFO),
	}
	if n.Reviewed != "" {
		reviewed := n.Reviewed == "Y"
		out.Reviewed = &reviewed
	}
	return out
}

var yearText = regexp.MustCompile(`\b1[5-9]\d\d\b|\b20\d\d\b`)

// yearIn returns the last year in a date of publication: 1844 in "1843 publ. 1844". It returns nil if
// there is none.
func yearIn(published string) *int32 {
	all := yearText.FindAllString(published, -1)
	if len(all) == 0 {
		return nil
	}
	n, err := strconv.ParseInt(all[len(all)-1], 10, 32)
	if err != nil {
		panic(err) // four digits
	}
	year := int32(n)
	return &year
}

// Distribution returns where a species with the given listings grows. The geography gives the names of
// the areas.
func (t *Taxa) Distribution(all []Listing, regions *region.Table) (Distribution, error) {
	out := Distribution{Areas: []Area{}, Ranges: []Range{}}
	err := t.listed(all, func(l *TaxaList, relation string, taxon *ListTaxon) {
		n := &taxon.Names[0]
		out.Ranges = append(out.Ranges, Range{
			Source: l.Source, Release: Text(l.Release), Relation: relation, ID: n.ID, Name: n.Name, Author: Text(n.Author),
			Text: Text(n.Area), LifeForm: Text(n.LifeForm), Climate: Text(n.Climate), Listed: len(taxon.Places) > 0,
		})
		add := func(p Place, basis string) {
			a := Area{Code: Text(p.Code), Name: Text(p.Name), Establishment: Establishment(p.Introduced), Status: p.Status.String(), Basis: basis, Source: l.Source, Release: Text(l.Release)}
			if r, ok := regions.Get(p.Code); ok {
				level := int32(r.Level)
				a.Level, a.Name, a.NameChinese, a.Country, a.Parent = &level, cmp.Or(Text(r.Name), a.Name), Text(r.Chinese), Text(r.Country), Text(r.Parent)
			}
			out.Areas = append(out.Areas, a)
		}
		for _, p := range taxon.Places {
			add(p, "listed")
		}
		if len(taxon.Places) == 0 {
			for _, code := range named(regions, n.Area) {
				add(Place{Code: code}, "named")
			}
		}
	})
	slices.SortStableFunc(out.Areas, func(a, b Area) int { return regions.Compare(string(a.Code), string(b.Code)) })
	return out, err
}

// Establishment returns the word of Darwin Core for how a plant came to a place.
func Establishment(introduced bool) string {
	if introduced {
		return "introduced"
	}
	return "native"
}

// separatesAreas matches the texts between the areas of a range.
var separatesAreas = regexp.MustCompile(`[,;()]|\bto\b|\band\b|&`)

// named returns the codes of the botanical countries that a text about a range names. A name that
// stands for several, or for a part of one, has no code: region words are never the whole region.
func named(regions *region.Table, text string) (codes []string) {
	for _, name := range separatesAreas.Split(text, -1) {
		name = strings.TrimSpace(name)
		if len(name) <= len("CHC") { // a code is no name
			continue
		}
		r, ok := regions.Find(name)
		if ok && r.Level == 2 { // Mongolia is both
			var parts []region.Region
			if parts, ok = regions.Parts(r.Code), false; len(parts) == 1 {
				r, ok = parts[0], true
			}
		}
		if ok && r.Level > 2 && !slices.Contains(codes, r.Code) {
			codes = append(codes, r.Code)
		}
	}
	return codes
}
