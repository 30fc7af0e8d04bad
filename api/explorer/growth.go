package explorer

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/api/explorer/draw"
	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
	"bencao/mappings"
	"bencao/names/region"
	"bencao/store"
)

// growth is where a species grows, by one checklist.
type growth struct {
	store.Range
	Whose      template.HTML // says whose range it is, if it is that of another name
	Continents []continent   // with the regions that the checklist lists
	Introduced bool          // the checklist lists a region where the species was introduced
	Named      []spot        // regions that only the text names
	Places     []draw.Place
	Label      string // describes the picture
	Legend     []legend
}

// continent is a group of regions with the names of its rows.
type continent struct {
	Name string
	Rows []growthRow
}

// growthRow is a region of level 2 with the places in it.
type growthRow struct {
	spot
	code               string
	Native, Introduced []spot
}

// spot is a region with the address of the species there.
type spot struct{ Name, Address, Note string }

// legend explains a mark in the picture.
type legend struct {
	Key  template.HTML
	Text string
}

// growthOf returns where a species grows, by each checklist that says something about it.
func growthOf(v *visit, guid string) ([]growth, error) {
	d, err := ask[store.Distribution](v, "species.distribution", guid)
	if err != nil {
		return nil, err
	}
	regions, err := v.Regions()
	if err != nil {
		return nil, err
	}
	var all []growth
	for _, r := range d.Ranges {
		g := growth{Range: r, Whose: whose(v, r.Relation, r.Name, string(r.Author))}
		for _, a := range d.Areas {
			if a.Source == r.Source {
				g.add(v, regions.Path(string(a.Code)), &a)
			}
		}
		if g.describe(v); g.Continents != nil || g.Named != nil || g.Text != "" {
			all = append(all, g)
		}
	}
	return all, nil
}

// whose says that a checklist tells about another name than the record has. It returns "" if it does
// not.
func whose(v *visit, relation, name, author string) template.HTML {
	text := v.lang.Known("whose."+relation, "")
	if text == "" {
		return ""
	}
	return template.HTML(typeset.Escape(text)) + typeset.Latin(name, author)
}

// add adds an area. path has the regions around the area; it is empty for an area outside the geography.
func (g *growth) add(v *visit, path []region.Region, a *store.Area) {
	p := spot{Name: v.areaName(string(a.Name), string(a.NameChinese), string(a.Code))}
	if path != nil {
		p.Address = v.link("/search", "kind", "species", "region", string(a.Code))
	}
	if a.Basis == "named" {
		g.Named = append(g.Named, p)
		return
	}
	mark := draw.Native
	if a.Establishment == "introduced" {
		mark, g.Introduced = draw.Introduced, true
	}
	if p.Note = strings.ToLower(v.lang.Known("where."+a.Status, "")); p.Note != "" {
		mark = map[string]draw.Mark{"extinct": draw.Extinct, "doubtful": draw.Doubtful}[a.Status]
	}
	row := g.row(v, path)
	if a.Establishment == "introduced" {
		row.Introduced = append(row.Introduced, p)
	} else {
		row.Native = append(row.Native, p)
	}
	if len(path) > 0 {
		at := path[min(len(path), 3)-1] // the table has no points of regions of level 4
		g.Places = append(g.Places, draw.Place{Latitude: at.Latitude, Longitude: at.Longitude, Mark: mark})
	}
}

// row returns the row for an area, which it adds if there is none. path is as in [growth.add].
func (g *growth) row(v *visit, path []region.Region) *growthRow {
	name, row := v.say("where.elsewhere"), growthRow{}
	if len(path) > 0 {
		around := path[min(len(path), 2)-1]
		name = v.areaName(path[0].Name, path[0].Chinese, path[0].Code)
		row.code = around.Code
		row.spot = spot{Name: v.areaName(around.Name, around.Chinese, around.Code), Address: v.link("/search", "kind", "species", "region", around.Code)}
	}
	at := slices.IndexFunc(g.Continents, func(c continent) bool { return c.Name == name })
	if at < 0 {
		at = len(g.Continents)
		g.Continents = append(g.Continents, continent{Name: name})
	}
	rows := &g.Continents[at].Rows
	if at = slices.IndexFunc(*rows, func(r growthRow) bool { return r.code == row.code }); at < 0 {
		at = len(*rows)
		*rows = append(*rows, row)
	}
	return &(*rows)[at]
}

// areaName returns the name of an area in the language of the page.
func (v *visit) areaName(name, chinese, code string) string {
	if v.lang.Code == "zh" && chinese != "" {
		return chinese
	}
	if name != "" {
		return name
	}
	return code
}

// describe adds the legend of the picture, and its description.
func (g *growth) describe(v *visit) {
	var said []string
	for _, mark := range []struct {
		mark draw.Mark
		key  string
	}{{draw.Native, "where.native"}, {draw.Introduced, "where.introduced"}, {draw.Extinct, "where.extinct"}, {draw.Doubtful, "where.doubtful"}} {
		n := 0
		for _, p := range g.Places {
			if p.Mark == mark.mark {
				n++
			}
		}
		if n > 0 {
			text := v.say(mark.key) + " " + strconv.Itoa(n)
			g.Legend, said = append(g.Legend, legend{draw.Key(mark.mark), text}), append(said, text)
		}
	}
	g.Label = v.say("where.picture", strings.Join(said, v.say("list.comma")))
}

// native returns the names of the regions of level 2 in which a species is native by the checklist
// that comes first.
func native(v *visit, guid string) ([]string, error) {
	all, err := growthOf(v, guid)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, g := range all {
		for _, c := range g.Continents {
			for _, row := range c.Rows {
				if len(row.Native) > 0 && row.Name != "" {
					names = append(names, row.Name)
				}
			}
		}
		if names != nil {
			return names, nil
		}
	}
	return nil, nil
}

// listedNames are the names of a species in one checklist.
type listedNames struct {
	store.ChecklistNames
	Whose     template.HTML
	Homotypic []store.ListedName   // have the type of the accepted name
	Other     [][]store.ListedName // groups of names with one type
	Others    int                  // number of names in Other
}

// listedOf returns the names of a species in each checklist that has it.
func listedOf(v *visit, guid string) ([]listedNames, error) {
	all, err := ask[store.SpeciesNames](v, "species.names", guid)
	if err != nil {
		return nil, err
	}
	var out []listedNames
	for _, c := range all.Checklists {
		if a := c.Accepted; len(c.Synonyms) == 0 && a.Publication == "" && a.Published == "" && a.LifeForm == "" {
			continue // the page has its accepted name elsewhere
		}
		l := listedNames{ChecklistNames: c, Whose: whose(v, c.Relation, c.Accepted.Name, string(c.Accepted.Author))}
		for _, g := range c.Synonyms {
			if g.Homotypic {
				l.Homotypic = append(l.Homotypic, g.Names...)
				continue
			}
			l.Other = append(l.Other, g.Names)
			l.Others += len(g.Names)
		}
		out = append(out, l)
	}
	return out, nil
}

// cited writes a name with its publication, as botanists print it: Panax ginseng C.A.Mey., Bull. Cl.
// Phys.-Math. Acad. Imp. Sci. Saint-Pétersbourg 1: 340 (1842).
func cited(n store.ListedName) template.HTML {
	text := ""
	if n.Publication != "" {
		text += ", " + string(n.Publication)
	}
	if n.Published != "" {
		text += " (" + string(n.Published) + ")"
	}
	if remarks := strings.TrimLeft(string(n.Remarks), ", "); remarks != "" {
		text += ", " + remarks
	}
	return typeset.Latin(n.Name, n.Author) + template.HTML(typeset.Escape(text))
}

// doubted are the statuses of synonyms that the page names. Others stand in the remarks.
var doubted = []string{"misapplied", "unplaced", "orthographic", "local", "artificialHybrid"}

// status returns the status of a synonym, or "" if it is plain.
func status(lang *texts.Language) func(string) string {
	return func(status string) string {
		if !slices.Contains(doubted, status) {
			return ""
		}
		return lang.Known("status."+strings.ToLower(status), status)
	}
}

// lifeForm translates a life form such as "climbing shrub or tree". A text with an unknown word stays
// unchanged.
func lifeForm(lang *texts.Language) func(any) string {
	return func(text any) string {
		written := fmt.Sprint(text)
		if lang.Code != "zh" {
			return written
		}
		forms := strings.Split(strings.ReplaceAll(written, ", ", " or "), " or ")
		for i, form := range forms {
			if forms[i] = mappings.LifeFormInChinese(form); forms[i] == "" {
				return written
			}
		}
		return strings.Join(forms, lang.Say("where.or"))
	}
}

// elsewhere returns links to sites that have what this data does not. All but POWO search for the
// name.
func elsewhere(v *visit, name, powo string) []navLink {
	q := url.QueryEscape(name)
	if powo == "" {
		powo = "https://powo.science.kew.org/results?q=" + q
	}
	var links []navLink
	for _, site := range []struct{ name, address string }{
		{"powo", powo},
		{"iucn", "https://www.iucnredlist.org/search?query=" + q + "&searchType=species"},
		{"gbif", "https://www.gbif.org/species/search?q=" + q},
		{"foc", "http://www.efloras.org/browse.aspx?flora_id=2&name_str=" + q},
		{"iplant", "https://www.iplant.cn/info/" + url.PathEscape(name)},
	} {
		links = append(links, navLink{Text: v.say("elsewhere." + site.name), Address: site.address})
	}
	return links
}
