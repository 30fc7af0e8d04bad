package explorer

import (
	"html/template"
	"slices"
	"strings"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/store"
)

// counter is a number in the overview. Text names the things that are counted.
type counter struct {
	Text    string
	Count   int32
	Address string
	scope   access.Scopes // of the things
}

// overview is the data of the start page and of the statistics.
type overview struct {
	Counters           []counter
	Formulas           bool // whether pages may show formulas, and
	Compositions       bool // their ingredients
	Times              template.HTML
	Years              []draw.Year
	Gap                string // describes the longest period without a book; may be empty
	Families, Herbs    bars
	Dynasties, Sources bars
	RarerSources       bars // those that are hidden until the user unfolds the list
	Changes            []changedTable
	// Known is a bar chart with a bar for each kind of data. The bar shows how many species have
	// that kind.
	Known bars
}

func startPage(v *visit) (*page, error) {
	o, err := look(v, 8)
	if err != nil {
		return nil, err
	}
	o.Counters = o.Counters[:min(6, len(o.Counters))]
	title, lead := "start.title", "start.lead"
	if !o.Formulas {
		title, lead = "start.plants", "start.plantsLead"
	}
	return &page{template: "start", Title: v.say(title), Lead: v.say(lead), Data: o, Home: true}, nil
}

// mostBooks is the largest number of books, and of dynasties, on the page of statistics.
const mostBooks = 1000

func statsPage(v *visit) (*page, error) {
	o, err := look(v, 15)
	if err != nil {
		return nil, err
	}
	formulas, err := facets(v, "formulas.facets", "dynasty,source", mostBooks)
	if err != nil {
		return nil, err
	}
	o.Dynasties = barsOf(formulas["dynasty"], mostBooks, func(c api.ValueCount) string { return v.link("/search", "kind", "formulas", "dynasty", c.Value) })
	slices.SortFunc(o.Dynasties.Rows, func(a, b bar) int { return older(a.Value, b.Value) })
	for i, row := range o.Dynasties.Rows {
		o.Dynasties.Rows[i].Value = v.shown("dynasty", row.Value)
	}
	o.Sources = barsOf(formulas["source"], mostBooks, func(c api.ValueCount) string { return v.link("/search", "kind", "formulas", "source", c.Value) })
	o.RarerSources = o.Sources
	shown := min(15, len(o.Sources.Rows))
	o.Sources.Rows, o.RarerSources.Rows = o.Sources.Rows[:shown], o.Sources.Rows[shown:]
	if o.Known, err = known(v); err != nil {
		return nil, err
	}
	if o.Changes, err = changes(v); err != nil {
		return nil, err
	}
	return &page{template: "stats", Title: v.say("stats.title"), Lead: v.say("stats.lead"), Data: o}, nil
}

// look returns an overview with the most frequent values of each field. most limits the number of
// these values.
func look(v *visit, most int) (*overview, error) {
	stats, err := askCached[store.SiteStats](v, "stats")
	if err != nil {
		return nil, err
	}
	o := &overview{Counters: counters(v, &stats), Formulas: v.may(access.Prescriptions)}
	families, err := facets(v, "species.facets", "family", most)
	if err != nil {
		return nil, err
	}
	o.Families = barsOf(families["family"], most, func(c api.ValueCount) string {
		return v.link("/search", "kind", "species", "family", c.Value)
	})
	formulas, err := facets(v, "formulas.facets", "year", 1000)
	if err != nil {
		return nil, err
	}
	o.Years = yearsOf(formulas["year"])
	o.Gap = gap(v, o.Years)
	if len(o.Years) > 0 {
		o.Times = draw.Times(o.Years, v.say("times.label", len(o.Years)), v.dynastyName)
	}
	if o.Compositions = v.may(compositions); o.Compositions {
		herbs, err := facets(v, "formulas.facets", "herbs", most)
		if err != nil {
			return nil, err
		}
		o.Herbs = barsOf(herbs["herbs"], most, func(c api.ValueCount) string {
			return v.link("/search", "kind", "formulas", "herbs", c.Value)
		})
		if v.lang.Code != "zh" {
			all, err := allHerbs(v)
			if err != nil {
				return nil, err
			}
			for i, row := range o.Herbs.Rows {
				o.Herbs.Rows[i].Pinyin = all.sound(row.Value)
			}
		}
	}
	return o, nil
}

// longGap is a number of years. The overview mentions only a longer period without a book.
const longGap = 200

// gap describes the longest period without a book. It returns "" if that period is not longer than
// longGap years.
func gap(v *visit, years []draw.Year) string {
	at, most := 0, longGap
	for i := 1; i < len(years); i++ {
		if d := years[i].Year - years[i-1].Year; d > most {
			at, most = i, d
		}
	}
	if at == 0 {
		return ""
	}
	return v.say("times.gap", years[at-1].Year, years[at].Year)
}

// counters returns the numbers for the overview, without those that are 0 or that pages may not
// show.
func counters(v *visit, s *store.SiteStats) []counter {
	at := func(kind string) string { return v.link("/search", "kind", kind) }
	return slices.DeleteFunc([]counter{
		{v.say("count.species"), s.PlantTaxa, at("species"), access.Open}, {v.say("count.formulas"), s.Formulas, at("formulas"), access.Prescriptions},
		{v.say("count.papers"), s.Papers, at("papers"), access.Open}, {v.say("count.synonyms"), s.Synonyms, "", access.Open},
		{v.say("count.uses"), s.UseRecords, "", access.PlantUses}, {v.say("count.floras"), s.FloraTreatments, "", access.Open},
		{v.say("count.ingredients"), s.FormulaIngredients, "", compositions}, {v.say("count.paperLinks"), s.SpeciesPaperLinks, "", access.Open},
	}, func(c counter) bool { return c.Count == 0 || !v.may(c.scope) })
}

// known returns a bar chart of how many species have each kind of data.
func known(v *visit) (bars, error) {
	s, err := askCached[store.SiteStats](v, "stats")
	if err != nil || s.PlantTaxa == 0 {
		return bars{}, err
	}
	with, err := askCached[list[struct{}]](v, "species.search", "hasFormulas", "true", "pageSize", "1")
	if err != nil && !refused(err) {
		return bars{}, err
	}
	all := bars{Most: int(s.PlantTaxa), Long: true, Rows: []bar{
		{Value: v.say("known.chinese"), Count: int(s.SpeciesWithChineseName)},
		{Value: v.say("known.accepted"), Count: int(s.ReconciledChineseNamed)},
	}}
	if err == nil {
		all.Rows = append(all.Rows, bar{Value: v.say("known.formulas"), Count: with.Total, Address: v.link("/search", "kind", "species", "hasFormulas", "true")})
	}
	return all, nil
}

func signPage(v *visit) (*page, error) {
	return &page{template: "sign", Title: v.say("sign.title"), Lead: v.say("sign.lead"), Home: true}, nil
}

// signRecord returns the page at the address of a record. It shows nothing of the record, which needs
// a key, but says how to read it.
func signRecord(of func(*visit) record) func(*visit) (*page, error) {
	return func(v *visit) (*page, error) {
		return &page{template: "signRecord", Title: v.say("sign.record"), Data: v.Site + of(v).address}, nil
	}
}

// suggestions answers the script of the search box with suggestions as JSON.
func suggestions(v *visit) (*page, error) {
	q := strings.TrimSpace(v.query.Get("q"))
	if q == "" {
		return &page{file: &file{kind: "application/json", name: "suggest.json", content: []byte(`{"items":[]}`)}}, nil
	}
	answer, err := v.Ask(v.ctx, "suggest", "", map[string][]string{"q": {q}}, 0)
	if err != nil {
		return nil, err
	}
	return &page{file: &file{kind: "application/json", name: "suggest.json", content: answer}}, nil
}

// changedTable tells how many records of a kind changed since the previous version.
type changedTable struct {
	Kind       string
	New, Other some // New describes the added records, and Other the changed ones
	Removed    int
}

// some is a number of added or changed records, with links to the first few.
type some struct {
	Count int
	Named []navLink
}

// More returns the number of records without a link.
func (s some) More() int { return s.Count - len(s.Named) }

// changesNamed is the largest number of links to the added records of a table. It is also the
// largest number of links to the changed records.
const changesNamed = 6

// changes returns the changes since the previous version, without those that pages may not show.
// The first version of the data has no changes.
func changes(v *visit) ([]changedTable, error) {
	var out []changedTable
	for _, k := range kinds() {
		c, ok := v.Meta().Changes[k.name]
		if !ok || c.Before == 0 || !v.may(k.scope) {
			continue
		}
		t := changedTable{Kind: v.say("kind." + k.name), New: some{Count: c.Added}, Other: some{Count: c.Changed}, Removed: c.Removed}
		var err error
		if t.New.Named, err = named(v, k.name, c.AddedFirst); err != nil {
			return nil, err
		}
		if t.Other.Named, err = named(v, k.name, c.ChangedFirst); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// named returns links to records: those with the first few of the given ids.
func named(v *visit, table string, ids []string) ([]navLink, error) {
	var out []navLink
	for _, id := range ids[:min(changesNamed, len(ids))] {
		r, err := titledRecord(v, table, id)
		if err != nil {
			return nil, err
		}
		out = append(out, navLink{Text: r.title, Address: v.ours(r.address)})
	}
	return out, nil
}
