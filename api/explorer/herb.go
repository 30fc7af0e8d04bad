package explorer

import (
	"cmp"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/mappings/patterns"
	"bencao/store"
)

// herbView is the data of the page of a herb.
type herbView struct {
	store.HerbDetail
	eras
	Origins []store.HerbOrigin
	HasEra  bool // at least one origin is valid for some years only
	HasPart bool
	Also    bool                   // at least one origin does not count in formulas
	Native  map[string][]string    // the regions in which each origin is native, by its guid
	More    int32                  // number of further formulas whose text names the herb
	First   []store.FormulaSummary // the first of the formulas with the herb
	With    []together
	// Related lists other herbs from the same species.
	Related []store.HerbSummary
	// Called lists the other names by what gives them to the herb.
	Called []called
	// Often and Seldom list the words that formulas use for the herb. A word in Seldom occurs in
	// only one formula.
	Often, Seldom []store.HerbText
	Shut          bool // the pages may not show the contents of formulas
	All           string
	WithNotes     string // the formulas that the name finds, with those in which only a note says it; "" if there are none
	CSV, DosesCSV navLink
	JSON          string
	Base          string
	Cite          citation
}

// Known reports whether the page knows the number of formulas. In a public snapshot that number is
// 0 for every herb.
func (h *herbView) Known() bool { return !h.Shut || h.HerbDetail.Formulas > 0 }

// AllByName returns the number of formulas that the name finds.
func (h *herbView) AllByName() int32 { return h.HerbDetail.Formulas + h.FormulasByNote }

// called is a list of other names with the same kind and source. A name that means the herb only in
// some years is alone in its list.
type called struct {
	store.HerbCalled
	Names []string
}

// Sources returns the number of source species, with those that the data do not have.
func (h *herbView) Sources() int { return len(h.Origins) + len(h.Absent) }

// callNames groups the other names, in their order.
func (view *herbView) callNames() {
	for _, n := range view.HerbDetail.Names[1:] {
		i := slices.IndexFunc(view.Called, func(c called) bool {
			return c.Kind == n.Kind && c.Source == n.Source && !c.Dated() && !n.Dated()
		})
		if i < 0 {
			i = len(view.Called)
			view.Called = append(view.Called, called{HerbCalled: n})
		}
		view.Called[i].Names = append(view.Called[i].Names, n.Name)
	}
}

// together is a herb that occurs in the same formulas as the herb of the page.
type together struct {
	Name, Address string
	Pinyin        string
	Count         int
	usual, share  float64
	Picture       template.HTML
	Share         string // percentage of the formulas with the page's herb that also have this herb
	Times         string // how many times more frequent this herb is in those formulas than in all formulas; empty if unknown
}

// herbFormulas is the number of formulas that the page of a herb lists.
const herbFormulas = 10

func herbPage(v *visit) (*page, error) {
	h, err := ask[store.HerbDetail](v, "herbs.detail", v.Param("guid"))
	if err != nil {
		return nil, err
	}
	if h.AliasOf != nil {
		return &page{moved: "/herbs/" + url.PathEscape(h.GUID)}, nil
	}
	base := "/herbs/" + url.PathEscape(h.GUID)
	view := &herbView{HerbDetail: h, Base: base, JSON: v.asJSON(), Shut: h.GoesWith == nil, Origins: h.Species, Native: map[string][]string{}}
	for i := range view.Origins {
		o := &view.Origins[i]
		o.URL = v.ours(o.URL)
		view.HasEra = view.HasEra || o.FromYear != nil || o.ToYear != nil
		view.HasPart = view.HasPart || o.Part != ""
		view.Also = view.Also || !o.Counted
		regions, err := native(v, o.GUID)
		if err != nil {
			return nil, err
		}
		if regions != nil {
			view.Native[o.GUID] = regions
		}
	}
	if h.InText != nil {
		view.More = *h.InText
	}
	for i := range view.ConfusedWith {
		view.ConfusedWith[i].URL = v.ours(view.ConfusedWith[i].URL)
	}
	for i := range view.NameMeant {
		view.NameMeant[i].URL = v.ours(view.NameMeant[i].URL)
	}
	for i := range view.VariantOf {
		view.VariantOf[i].URL = v.ours(view.VariantOf[i].URL)
	}
	if err := view.addRelated(v); err != nil {
		return nil, err
	}
	view.callNames()
	for _, w := range h.WrittenAs {
		if w.Formulas > 1 || w.Herb == h.Name {
			view.Often = append(view.Often, w)
		} else {
			view.Seldom = append(view.Seldom, w)
		}
	}
	if !view.Shut && h.FormulasByNote > 0 {
		view.WithNotes = v.link("/search", "kind", "formulas", "herbs", view.Name, "sort", "year")
	}
	if !view.Shut && h.Formulas > 0 {
		if err := view.addFormulas(v); err != nil {
			return nil, err
		}
	}
	title := herbTitle(&h)
	view.Cite = citeRecord(v, typeset.Chinese(title), h.URL, base)
	return &page{template: "herb", Title: title, Lead: title, Data: view}, nil
}

func herbTitle(h *store.HerbDetail) string {
	if len(h.LatinNames) == 0 {
		return h.Name
	}
	return h.Name + " " + h.LatinNames[0]
}

// addFormulas adds the first formulas with the herb. It also adds the years of all these formulas,
// and the other herbs in them.
func (view *herbView) addFormulas(v *visit) error {
	written := "" // formulas in which only a note gives the name are counted apart
	if view.FormulasByNote > 0 {
		written = "written"
	}
	l, err := ask[list[store.FormulaSummary]](v, "formulas.search", "", "herbs", view.Name, "forms", written, "sort", "year", "pageSize", strconv.Itoa(herbFormulas))
	if err != nil {
		return err
	}
	for i := range l.Items {
		l.Items[i].URL = v.ours(l.Items[i].URL)
	}
	view.First = l.Items
	view.All = v.link("/search", "kind", "formulas", "herbs", view.Name, "forms", written, "sort", "year")
	view.CSV = v.file(int(view.HerbDetail.Formulas), url.Values{"kind": {"formulas"}, "herbs": {view.Name}, "forms": {written}, "sort": {"year"}, "group": {""}})
	view.DosesCSV = v.file(int(view.HerbDetail.Formulas), url.Values{"kind": {"formulas"}, "herbs": {view.Name}, "forms": {written}, "sort": {"year"}, "group": {""}, "doses": {view.Name}})
	counted, err := facets(v, "formulas.facets", "year,dynasty", 1000, "herbs", view.Name, "forms", written)
	if err != nil {
		return err
	}
	if view.eras, err = erasOf(v, counted, "herbs", view.Name, "forms", written); err != nil {
		return err
	}
	return view.addTogether(v)
}

// addTogether adds the herbs that occur together with the page's herb. For each it compares how
// frequent the herb is in these formulas and in all formulas.
func (view *herbView) addTogether(v *visit) error {
	whole, err := facets(v, "formulas.facets", "herbs", 1000)
	if err != nil {
		return err
	}
	stats, err := askCached[store.SiteStats](v, "stats")
	if err != nil {
		return err
	}
	common := countsOf(whole["herbs"])
	herbs, err := allHerbs(v)
	if err != nil {
		return err
	}
	most := 0.0
	for _, w := range view.GoesWith {
		t := together{Name: w.Name, Address: v.ours(w.URL), Pinyin: herbs.sound(w.Name), Count: int(w.Formulas)}
		t.share = float64(w.Formulas) / float64(view.Formulas)
		t.Share = percentOf(float64(w.Formulas) / float64(view.Formulas))
		n := common[w.Name]
		if h := herbs[w.Name]; n == 0 && h != nil {
			n = int(h.Formulas)
		}
		if n > 0 && stats.Formulas > 0 && view.Formulas >= fewFormulas {
			t.usual = float64(n) / float64(stats.Formulas)
			t.Times = timesAs(t.share / t.usual)
		}
		most = max(most, t.share, t.usual)
		view.With = append(view.With, t)
	}
	for i := range view.With {
		t := &view.With[i]
		t.Picture = draw.BarAgainst(t.share, t.usual, most)
	}
	return nil
}

// fewFormulas is the smallest number of formulas for which the page of a herb compares frequencies.
const fewFormulas = 20

// Few reports whether the herb occurs in fewer formulas than fewFormulas.
func (view *herbView) Few() bool { return view.Formulas < fewFormulas }

// mostRelated is the largest number of other herbs of the same species that the page names.
const mostRelated = 12

// addRelated adds other herbs from the same species. If this herb comes from several species, only
// the first of them counts.
func (view *herbView) addRelated(v *visit) error {
	if len(view.Origins) == 0 {
		return nil
	}
	l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "species", view.Origins[0].GUID, "sort", "prominence", "pageSize", strconv.Itoa(mostRelated+1))
	if err != nil {
		return err
	}
	for _, h := range l.Items {
		if h.GUID != view.GUID {
			h.URL = v.ours(h.URL)
			view.Related = append(view.Related, h)
		}
	}
	return nil
}

// countsOf returns the numbers of records in a facet, by value.
func countsOf(f api.Facet) map[string]int {
	out := make(map[string]int, len(f.Counts))
	for _, c := range f.Counts {
		out[c.Value] = int(c.Count)
	}
	return out
}

func findHerbs(v *visit, k *kind, params []string) (*found, error) {
	return foundOf(v, k, params, func(s store.HerbSummary, why explanation) hit {
		h := hit{Address: v.ours(s.URL), Name: typeset.MarkedRuby(s.Name, string(s.NamePinyin), why.within(s.Name))}
		if s.LatinName != "" {
			h.Latin = typeset.Herb(string(s.LatinName))
		}
		h.By = why.foundBy(v, s.Name, string(s.LatinName))
		if s.NoPlant && s.Kind != "" {
			h.Notes = append(h.Notes, template.HTML(typeset.Escape(v.lang.Word("herb", string(s.Kind)))))
		}
		for _, name := range s.ScientificNames {
			h.Notes = append(h.Notes, typeset.Latin(name, ""))
		}
		if s.Formulas > 0 { // a public snapshot has no links between herbs and formulas, so the number is 0
			h.Notes = append(h.Notes, template.HTML(typeset.Escape(v.say("herb.count", typeset.Thousands(s.Formulas)))))
		}
		return h
	})
}

// eras shows the years and the dynasties of certain formulas, such as those with a herb.
type eras struct {
	Times     template.HTML
	Years     []draw.Year
	Dynasties bars
	// Shares reports what the picture of the dynasties shows. If it is set, the picture shows these
	// formulas as a percentage of all formulas of a dynasty. Otherwise it shows their number.
	Shares bool
}

// chronicle lists the dynasties of the data, the oldest first.
var chronicle = []string{"先秦", "春秋", "战国", "秦", "汉", "西汉", "东汉", "三国", "魏", "晋", "西晋", "东晋", "南朝", "北朝", "南北朝", "隋", "唐", "五代",
	"宋", "北宋", "辽", "南宋", "金", "元", "明", "清", "民国", "现代", "当代"}

// older compares two dynasties by age, for sorting. Dynasties that are not in chronicle come last.
func older(a, b string) int {
	place := func(d string) int {
		if i := slices.Index(chronicle, d); i >= 0 {
			return i
		}
		return len(chronicle)
	}
	return cmp.Or(place(a)-place(b), cmp.Compare(a, b))
}

// yearsOf returns the years of a facet, the earliest first.
func yearsOf(f api.Facet) (all []draw.Year) {
	for _, c := range f.Counts {
		if y, err := strconv.Atoi(c.Value); err == nil {
			all = append(all, draw.Year{Year: y, Count: int(c.Count)})
		}
	}
	slices.SortFunc(all, func(a, b draw.Year) int { return a.Year - b.Year })
	return all
}

// dynastyName returns the name of a dynasty in the user's language.
func (v *visit) dynastyName(d string) string { return v.lang.Known("dynasty."+d, d) }

// erasOf draws the years and dynasties of formulas, which are counted by both. A dynasty links to the
// formulas of it that pass the filter, which is given by alternating names and values.
func erasOf(v *visit, counted map[string]api.Facet, filter ...string) (eras, error) {
	e := eras{Years: yearsOf(counted["year"])}
	if len(e.Years) > 1 {
		e.Times = draw.Times(e.Years, v.say("times.label", len(e.Years)), v.dynastyName)
	}
	dynasties := countsOf(counted["dynasty"])
	totals := map[string]int{}
	if e.Shares = v.may(access.Prescriptions); e.Shares {
		whole, err := facets(v, "formulas.facets", "dynasty", 200)
		if err != nil {
			return e, err
		}
		totals = countsOf(whole["dynasty"])
	}
	most := 0.0
	for _, d := range slices.SortedFunc(maps.Keys(dynasties), older) {
		e.Dynasties.Most = max(e.Dynasties.Most, dynasties[d])
		row := bar{Value: d, Count: dynasties[d], Address: v.link("/search", slices.Concat([]string{"kind", "formulas", "dynasty", d}, filter)...)}
		if totals[d] > 0 {
			row.Share, row.Of = percentOf(float64(dynasties[d])/float64(totals[d])), totals[d]
			row.share = float64(dynasties[d]) / float64(totals[d])
			most = max(most, row.share)
		}
		e.Dynasties.Rows = append(e.Dynasties.Rows, row)
	}
	for i := range e.Dynasties.Rows {
		row := &e.Dynasties.Rows[i]
		row.Length = float64(row.Count) / float64(max(1, e.Dynasties.Most))
		if e.Shares {
			row.Length = row.share / max(most, 1e-9)
		}
	}
	return e, nil
}

// timesAs returns a ratio as text, such as ×2.5.
func timesAs(ratio float64) string { return "×" + strconv.FormatFloat(ratio, 'f', 1, 64) }

// herbIndex finds a herb by its name. It is empty if pages may not show herbs.
type herbIndex map[string]*store.HerbSummary

// mostHerbPages is the largest number of pages of the herb list that allHerbs requests from the
// API.
const mostHerbPages = 20

// allHerbs returns an index of all herbs. It asks the API only once for each version of the data.
func allHerbs(v *visit) (herbIndex, error) {
	return cached(v, v.answers, v.Tag("herbs by name"), func() (herbIndex, error) {
		all := herbIndex{}
		for page := 1; page <= mostHerbPages; page++ {
			l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "sort", "prominence", "pageSize", "100", "page", strconv.Itoa(page))
			if refused(err) {
				break
			}
			if err != nil {
				return nil, err
			}
			for _, h := range l.Items {
				all[h.Name] = &h
			}
			if page*100 >= l.Total || l.Items[len(l.Items)-1].Formulas == 0 {
				break
			}
		}
		return all, nil
	})
}

// sound returns the pinyin of the herb with exactly this name, or "" if there is none.
func (all herbIndex) sound(name string) string {
	if h, ok := all[name]; ok {
		return string(h.NamePinyin)
	}
	return ""
}

// herbAddress returns the address of the page of a herb, or "" if the herb has no page.
func (v *visit) herbAddress(d patterns.Herb) string {
	if d.ID == "" {
		return ""
	}
	return v.link("/herbs/" + url.PathEscape(string(d.ID)))
}

// sound returns the pinyin of a herb, or "" on Chinese pages.
func (v *visit) sound(index herbIndex, name string) string {
	if v.lang.Code == "zh" {
		return ""
	}
	return index.sound(name)
}
