package explorer

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"bencao/api/access"
	"bencao/api/explorer/typeset"
	"bencao/store"
)

// speciesView is the data of the page of a species.
type speciesView struct {
	store.SpeciesDetail
	eras
	// OneRow reports that the matched name and the Chinese names come from the same checklist.
	OneRow    bool
	Status    template.HTML // status of the name in this data set
	There     template.HTML // status of the name in the checklist
	Matched   string        // describes how the name was found in the checklist
	POWO      string
	IPNI, WFO string
	Synonyms  []template.HTML
	Listed    []listedNames // the names in the checklists
	Growth    []growth      // where the species grows
	Elsewhere []navLink
	Flora     []store.FloraTreatment
	Uses      []useGroup
	UsesShut  bool
	Papers    []paperLine
	More      navLink // link to all papers about the species
	Formulas  []store.FormulaSummary
	Herbs     []store.HerbSummary // herbs that come from the species
	ByYear    bool                // Formulas is sorted by year, the oldest first
	Heads     []navLink           // sort a list of several pages by name and by year
	All       string              // address of the list of all formulas of the species
	CSV       navLink             // the same list as a file
	Below     []store.SpeciesSummary
	Shut      bool // pages may not show formulas
	pager          // of the formulas
	Total     int  // number of all formulas of the species
	Cite      citation
	JSON      string
	Base      string
}

// Known reports whether the page knows the number of formulas. In a public snapshot that number is
// 0 for every species.
func (s *speciesView) Known() bool { return !s.Shut || s.SpeciesDetail.Formulas > 0 }

// KnownUses reports whether the page knows the number of recorded uses.
func (s *speciesView) KnownUses() bool { return !s.UsesShut || s.UseRecords > 0 }

// Names returns the number of synonyms: that of the list with most.
func (s *speciesView) Names() int {
	n := len(s.Synonyms)
	for i := range s.Listed {
		n = max(n, len(s.Listed[i].Homotypic)+s.Listed[i].Others)
	}
	return n
}

// useGroup holds the recorded uses from one collection, ordered by category. The fields that begin
// with Has report which columns are not empty.
type useGroup struct {
	Collection                string
	Uses                      []store.PlantUse
	HasPart, HasWords, HasWho bool
	HasWhere, HasReference    bool
}

// paperLine is a paper in a list.
type paperLine struct {
	store.PaperSummary
	Address string
}

// papersShown is the number of papers that the page of a species lists.
const papersShown = 15

func speciesPage(v *visit) (*page, error) {
	guid := v.Param("guid")
	s, err := ask[store.SpeciesDetail](v, "species.detail", guid)
	if err != nil {
		return nil, err
	}
	view := &speciesView{SpeciesDetail: s, Base: "/species/" + url.PathEscape(s.GUID), JSON: v.asJSON()}
	for _, name := range s.Synonyms {
		view.Synonyms = append(view.Synonyms, typeset.LatinAsCited(name))
	}
	if view.Listed, err = listedOf(v, guid); err != nil {
		return nil, err
	}
	if view.Growth, err = growthOf(v, guid); err != nil {
		return nil, err
	}
	if view.Flora, err = ask[[]store.FloraTreatment](v, "species.flora", guid); err != nil {
		return nil, err
	}
	view.Flora = once(view.Flora)
	if err := view.addUses(v, guid); err != nil {
		return nil, err
	}
	if err := view.addHerbs(v, guid); err != nil {
		return nil, err
	}
	papers, err := papersAbout(v, guid)
	if err != nil {
		return nil, err
	}
	for _, p := range papers[:min(papersShown, len(papers))] {
		view.Papers = append(view.Papers, paperLine{p, v.ours(p.URL)})
	}
	view.More = navLink{Text: v.say("species.allPapers", typeset.Thousands(len(papers))), Address: v.link("/search", "kind", "papers", "species", s.GUID)}
	if err := view.addFormulas(v, guid); err != nil {
		return nil, err
	}
	view.identify(v)
	view.Elsewhere = elsewhere(v, accepted(&s), view.POWO)
	view.Cite = citeRecord(v, typeset.Latin(s.ScientificName, s.Author), s.URL, view.Base)
	return &page{template: "species", Title: speciesTitle(&s), Lead: speciesTitle(&s) + ", " + string(s.Family), Data: view, Linked: view.linkedData()}, nil
}

// accepted returns the accepted name of a species, or its own name if no checklist has it.
func accepted(s *store.SpeciesDetail) string {
	if s.NameMatch != nil && s.NameMatch.AcceptedName != "" {
		return string(s.NameMatch.AcceptedName)
	}
	return string(s.ScientificName)
}

// papersAbout returns the papers about a species in the order of the page. Papers with a title come
// first: for others, the page can show only the DOI.
func papersAbout(v *visit, guid string) ([]store.PaperSummary, error) {
	papers, err := ask[[]store.PaperSummary](v, "species.papers", guid)
	slices.SortStableFunc(papers, func(a, b store.PaperSummary) int {
		return cmp.Compare(min(1, len(b.Title)), min(1, len(a.Title)))
	})
	return papers, err
}

// once merges entries of the same flora that differ only in the Chinese name. For instance, one
// name may be in simplified and the other in traditional characters.
func once(all []store.FloraTreatment) (out []store.FloraTreatment) {
	for _, f := range all {
		i := slices.IndexFunc(out, func(o store.FloraTreatment) bool {
			return o.Flora == f.Flora && o.NameInFlora == f.NameInFlora && o.Volume == f.Volume && o.Page == f.Page && o.URL == f.URL
		})
		switch {
		case i < 0:
			out = append(out, f)
		case !slices.Contains(strings.Split(string(out[i].ChineseNameInFlora), "、"), string(f.ChineseNameInFlora)):
			out[i].ChineseNameInFlora += "、" + f.ChineseNameInFlora
		}
	}
	return out
}

func speciesTitle(s *store.SpeciesDetail) string {
	return strings.TrimSpace(string(s.ChineseName) + " " + string(s.ScientificName))
}

// identify adds the status of the name, and links to the accepted name in other databases.
func (view *speciesView) identify(v *visit) {
	m := view.NameMatch
	if m == nil {
		view.Status = typeset.Badge("none", v.say("status.none"))
		return
	}
	view.OneRow = m.MatchSource == "CoL-China" && m.ChineseNameColChina != "" && view.ChineseName != ""
	status := strings.ToLower(string(m.TaxonStatus))
	kind := "look"
	if status == "accepted" {
		kind = "ok"
	}
	view.There = typeset.Badge(kind, v.lang.Known("status."+status, string(m.TaxonStatus)))
	view.Matched, view.Status = v.lang.Word("species.matched", string(m.MatchType)), view.There
	if m.AcceptedName != "" && !sameName(string(m.AcceptedName), string(view.ScientificName)) {
		view.Matched = v.say("species.otherName")
		view.Status = typeset.Badge("look", v.say("status.other"))
	}
	if m.IPNIID != "" {
		view.IPNI = "https://www.ipni.org/n/" + url.PathEscape(string(m.IPNIID))
		view.POWO = "https://powo.science.kew.org/taxon/urn:lsid:ipni.org:names:" + url.PathEscape(string(m.IPNIID))
	}
	if m.WFOID != "" {
		view.WFO = "https://www.worldfloraonline.org/taxon/" + url.PathEscape(string(m.WFOID))
	}
}

// sameName reports whether two names are the same if hybrid signs are ignored.
func sameName(a, b string) bool {
	plain := strings.NewReplacer("× ", "", "×", "")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

// addHerbs adds the herbs that come from the species. The herbs that most formulas use come first.
func (view *speciesView) addHerbs(v *visit, guid string) error {
	l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "species", guid, "sort", "prominence", "pageSize", "12")
	if refused(err) {
		return nil
	}
	for i := range l.Items {
		l.Items[i].URL = v.ours(l.Items[i].URL)
	}
	view.Herbs = l.Items
	return err
}

// addUses adds the recorded uses. They are grouped by collection and, within a collection, by
// category.
func (view *speciesView) addUses(v *visit, guid string) error {
	uses, err := ask[[]store.PlantUse](v, "species.uses", guid)
	if refused(err) {
		view.UsesShut = true
		return nil
	}
	for _, u := range uses {
		i := slices.IndexFunc(view.Uses, func(g useGroup) bool { return g.Collection == u.Collection })
		if i < 0 {
			i = len(view.Uses)
			view.Uses = append(view.Uses, useGroup{Collection: u.Collection})
		}
		g := &view.Uses[i]
		g.HasPart, g.HasWords, g.HasWho = g.HasPart || u.Part != "", g.HasWords || u.Description != "", g.HasWho || u.EthnicGroup != ""
		g.HasWhere, g.HasReference = g.HasWhere || u.Region != "" || u.Country != "", g.HasReference || u.Reference != ""
		g.Uses = append(g.Uses, u)
	}
	for _, g := range view.Uses {
		first := map[store.Text]int{} // index of the first use in each category
		for i, u := range slices.Backward(g.Uses) {
			first[u.Category] = i
		}
		slices.SortStableFunc(g.Uses, func(a, b store.PlantUse) int { return first[a.Category] - first[b.Category] })
	}
	return err
}

// mostYears is the limit for facets by year. It is larger than the number of different years.
const mostYears = 10_000

// addFormulas adds one page of the formulas that use the species. It also adds the years of all
// these formulas.
func (view *speciesView) addFormulas(v *visit, guid string) error {
	op, id, params := "species.formulas", guid, []string{"page", v.query.Get("page")}
	sort := "year"
	if v.query.Get("sort") == "name" {
		sort = "name"
	}
	ordered := v.may(access.Prescriptions | access.SpeciesPrescriptions)
	if view.ByYear = ordered && sort == "year"; ordered {
		op, id, params = "formulas.search", "", append(params, "species", guid, "sort", sort)
	}
	l, err := ask[list[store.FormulaSummary]](v, op, id, params...)
	if refused(err) {
		view.Shut = true
		return nil
	}
	if err != nil {
		return err
	}
	for i := range l.Items {
		if l.Items[i].URL = v.ours(l.Items[i].URL); !v.may(access.Prescriptions) {
			l.Items[i].URL = ""
		}
	}
	view.Formulas = l.Items
	view.Total, view.pager = l.Total, v.pager(l.Page, l.PageSize, l.Total, len(l.Items), "#formulas")
	if l.Total == 0 {
		return view.addBelow(v)
	}
	if ordered {
		if view.Pages > 1 {
			view.Heads = []navLink{{Address: v.again("sort", "name", "page", "") + "#formulas", Here: sort == "name"}, {Address: v.again("sort", "", "page", "") + "#formulas", Here: sort == "year"}}
		}
		view.All = v.link("/search", "kind", "formulas", "species", guid, "sort", sort)
		view.CSV = v.file(int(view.SpeciesDetail.Formulas), url.Values{"kind": {"formulas"}, "species": {guid}, "sort": {sort}, "group": {""}})
	}
	return view.count(v, guid)
}

// addBelow is called for a taxon without formulas. It adds the taxa with formulas that have the
// same genus and epithet, such as varieties.
func (view *speciesView) addBelow(v *visit) error {
	name := string(view.ScientificName)
	if view.Genus == "" || !strings.Contains(name, " ") {
		return nil
	}
	genus, epithet, _ := strings.Cut(strings.ReplaceAll(name, "× ", ""), " ")
	epithet, _, _ = strings.Cut(epithet, " ")
	l, err := ask[list[store.SpeciesSummary]](v, "species.search", "", "genus", genus, "hasFormulas", "true", "pageSize", "100")
	if refused(err) {
		return nil
	}
	for _, s := range l.Items {
		if rest := strings.TrimPrefix(string(s.ScientificName), genus+" "+epithet); rest != string(s.ScientificName) && (rest == "" || rest[0] == ' ') {
			s.URL = store.Text(v.ours(string(s.URL)))
			view.Below = append(view.Below, s)
		}
	}
	return err
}

// count counts the formulas by year and by dynasty, and draws them. It draws nothing if the pages
// lack the scope.
func (view *speciesView) count(v *visit, guid string) error {
	counted, err := facets(v, "formulas.facets", "year,dynasty", mostYears, "species", guid)
	if err != nil || counted == nil {
		return err
	}
	view.eras, err = erasOf(v, counted, "species", guid)
	return err
}

// linkedData returns the species as schema.org JSON-LD.
func (view *speciesView) linkedData() any {
	out := map[string]any{
		"@context": "https://schema.org", "@type": "Taxon", "@id": view.URL, "url": view.URL,
		"http://purl.org/dc/terms/conformsTo": map[string]string{"@id": "https://bioschemas.org/profiles/Taxon/1.0-RELEASE", "@type": "CreativeWork"},
		"name":                                string(view.ScientificName), "identifier": view.GUID,
		"scientificName": map[string]string{"@type": "TaxonName", "name": string(view.ScientificName), "author": string(view.Author)},
	}
	if view.Rank != "" {
		out["taxonRank"] = string(view.Rank)
	}
	if view.ChineseName != "" {
		out["alternateName"] = map[string]string{"@value": string(view.ChineseName), "@language": "zh-Hans"}
	}
	if view.Genus != "" {
		out["parentTaxon"] = map[string]string{"@type": "Taxon", "name": string(view.Genus), "taxonRank": "genus"}
	}
	var same []string
	for _, address := range []string{view.POWO, view.IPNI, view.WFO} {
		if address != "" {
			same = append(same, address)
		}
	}
	if same != nil {
		out["sameAs"] = same
	}
	return out
}

// chineseFamilies maps families to their Chinese names. The map is empty unless the page is
// Chinese.
func chineseFamilies(v *visit) (map[string]string, error) {
	names := map[string]string{}
	if v.lang.Code != "zh" {
		return names, nil
	}
	counted, err := facets(v, "species.facets", "family", mostFamilies)
	for _, c := range counted["family"].Counts {
		if c.Chinese != nil {
			names[c.Value] = *c.Chinese
		}
	}
	return names, err
}

// mostFamilies is the limit for the facet of families. It is larger than the number of families.
const mostFamilies = 2000

// findSpecies searches for species. On Chinese pages it adds the Chinese names of their families.
func findSpecies(v *visit, k *kind, params []string) (*found, error) {
	families, err := chineseFamilies(v)
	if err != nil {
		return nil, err
	}
	return foundOf(v, k, params, func(s store.SpeciesSummary, why explanation) hit {
		h := hit{Address: v.ours(string(s.URL)), Latin: typeset.Latin(s.ScientificName, s.Author)}
		if s.ChineseName != "" {
			h.Name = typeset.MarkedRuby(string(s.ChineseName), "", why.within(string(s.ChineseName)))
		}
		if why.Field == "scientificName" {
			h.Latin = why.latin(string(s.ScientificName), string(s.Author))
		}
		h.By = why.foundBy(v, string(s.ChineseName), string(s.ScientificName))
		family := template.HTML(typeset.Escape(string(s.Family)))
		if name := families[string(s.Family)]; name != "" {
			family = typeset.Chinese(name) + " " + family
		}
		h.Notes = []template.HTML{family}
		if s.AcceptedName != "" && s.AcceptedName != s.ScientificName {
			h.Notes = append(h.Notes, template.HTML(typeset.Escape(v.say("search.accepted"))+" ")+typeset.Latin(s.AcceptedName, ""))
		}
		return h
	})
}
