package herb

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"bencao/indexer/datapackage"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

// addEvidence adds to each source species of a record whose statements give it. It also adds the
// species that only the table of herbs gives.
func (c *collection) addEvidence(r *draft) {
	known := c.knownSources(r.key)
	says := func(species store.Num) (of []store.HerbEvidence) {
		entry := c.data.Species[species].EntryID
		for _, s := range c.listedSources(r.key) {
			if e := (store.HerbEvidence{By: "table", Source: store.Text(s.Authority)}); s.entry == entry && !slices.Contains(of, e) {
				of = append(of, e)
			}
		}
		for _, s := range known {
			if e := evidence(s.Authority, s.edition, s.of); s.entry == entry && !slices.Contains(of, e) {
				of = append(of, e)
			}
		}
		return of
	}
	for i := range r.Species {
		r.Species[i].Evidence = says(r.Species[i].Species)
	}
	if r.NoPlant {
		return
	}
	r.Absent = c.absent(r.key)
	for _, s := range known {
		of := &c.data.Species[c.species[s.entry]]
		if slices.ContainsFunc(slices.Concat(r.Species, r.Others), func(has store.HerbSource) bool { return has.Species == of.Num }) {
			continue
		}
		s.Species, s.ChineseName, s.ScientificName = of.Num, string(of.ChineseName), string(of.ScientificName)
		s.Evidence = says(of.Num)
		r.Others = append(r.Others, s.HerbSource)
	}
	slices.SortStableFunc(r.Others, func(a, b store.HerbSource) int { return cmp.Compare(a.Species, b.Species) })
}

// absent returns the species that the table of herbs gives a plain name and the package lacks.
func (c *collection) absent(plain string) (list []store.HerbAbsent) {
	for _, o := range origins(plain) {
		if !o.IsPlant() {
			continue
		}
		says := evidence(o.authority, o.edition(), "")
		if o.statement != nil {
			says.Herb = store.Text(o.Name)
		}
		for _, s := range o.Species {
			if _, has := c.named.species(s); has || s.Unsure {
				continue
			}
			if i := slices.IndexFunc(list, func(a store.HerbAbsent) bool { return a.ScientificName == s.Names[0] }); i >= 0 {
				list[i].Evidence = append(list[i].Evidence, says)
			} else {
				list = append(list, store.HerbAbsent{ScientificName: s.Names[0], Evidence: []store.HerbEvidence{says}})
			}
		}
	}
	return list
}

// meant returns the herbs that the name of a record meant in formulas of some years: 通草 was 木通 up to
// 1116.
func (c *collection) meant(r *draft) (list []store.HerbMeant) {
	for _, s := range herb.StatementsOn(r.key) {
		if s.Relation != herb.Same || !s.Dated() {
			continue
		}
		plain, ok := c.At(cmp.Or(s.To, s.From)).InYear(r.key)
		if other := c.drafts[plain]; ok && other != nil && other != r {
			list = append(list, store.HerbMeant{Herb: other.Num, FromYear: s.From, ToYear: s.To, Source: s.Source})
		}
	}
	return list
}

// evidence returns the statement of an edition of a book of the table of herbs; "" is no single book.
// of is the herb to which the book relates the name, and "" if the statement is about the species itself: no
// book of 1578 names Rheum tanguticum, but 本草纲目 says that 熟大黄 is 大黄.
func evidence(book, edition, of string) store.HerbEvidence {
	e := store.HerbEvidence{By: "book", Source: store.Text(book), Edition: store.Text(edition), Herb: store.Text(of)}
	switch book {
	case herb.Pharmacopoeia:
		e.By = "pharmacopoeia"
	case "":
		e.By = "other"
	}
	return e
}

// apart returns the herbs from which a book keeps a record apart.
func (c *collection) apart(r *draft) (list []store.HerbApart) {
	add := func(name, source string) {
		other, ok := c.drafts[c.key(name)]
		if ok && other != r && !slices.ContainsFunc(list, func(a store.HerbApart) bool { return a.Herb == other.Num }) {
			list = append(list, store.HerbApart{Herb: other.Num, Source: source})
		}
	}
	for _, s := range herb.Statements() {
		if s.Relation != herb.Different {
			continue
		}
		for _, name := range s.Herbs {
			switch r.key {
			case han.Fold(s.Name):
				add(name, s.Source)
			case han.Fold(name):
				add(s.Name, s.Source)
			}
		}
	}
	return list
}

// addDoses summarises the doses of each herb by dynasty. It counts ingredients that are one herb
// alone and whose weight is known.
func (c *collection) addDoses(sorted []*draft) {
	type era struct {
		herb    store.Num
		dynasty string
	}
	grams, begins := map[era][]float64{}, map[string]int32{}
	for i := range c.data.Formulas {
		f := &c.data.Formulas[i]
		if f.Dynasty == "" || f.Year == nil {
			continue
		}
		dynasty := string(f.Dynasty)
		if first, known := begins[dynasty]; !known || *f.Year < first {
			begins[dynasty] = *f.Year
		}
		for k := range f.Ingredients {
			if in := &f.Ingredients[k]; in.Grams != nil && len(in.Herbs) == 1 {
				at := era{in.Herbs[0], dynasty}
				grams[at] = append(grams[at], *in.Grams)
			}
		}
	}
	for at, of := range grams {
		slices.Sort(of)
		r := sorted[at.herb]
		r.Doses = append(r.Doses, store.HerbDose{Dynasty: at.dynasty, Doses: int32(len(of)), Quarter: quantile(of, .25), Median: quantile(of, .5), Quarter3: quantile(of, .75)})
	}
	for _, r := range sorted {
		slices.SortFunc(r.Doses, func(a, b store.HerbDose) int {
			return cmp.Or(cmp.Compare(begins[a.Dynasty], begins[b.Dynasty]), cmp.Compare(a.Dynasty, b.Dynasty))
		})
	}
}

// quantile returns the p quantile of sorted values to four digits. Between two values it is linear.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(math.Floor(at))
	value := sorted[low]
	if low+1 < len(sorted) {
		value += (at - float64(low)) * (sorted[low+1] - value)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 4, 64), 64)
	if err != nil {
		panic(err) // FormatFloat writes what ParseFloat reads
	}
	return rounded
}

// Dissent is a row of herb_species whose plant is none of those that the pharmacopoeia gives the herb.
type Dissent struct {
	Herb    string
	Species int      // index of the package's species in their present order
	Others  []string // the scientific names of the pharmacopoeia
}

// Dissents returns the rows of herb_species against the pharmacopoeia. A row that is limited to some
// years is about a plant of that time and none of them.
func (h *Herbs) Dissents(p *datapackage.Package) (list []Dissent) {
	species := p.SpeciesByID()
	for _, row := range p.HerbSpecies {
		if row.SpeciesID == nil || row.FromYear != nil || row.ToYear != nil {
			continue
		}
		plain := h.Plain(row.Herb)
		if len(plain) != 1 {
			continue
		}
		for _, o := range origins(plain[0]) {
			if o.Book != herb.Pharmacopoeia || o.statement != nil {
				continue
			}
			d := Dissent{Herb: row.Herb, Species: species[*row.SpeciesID]}
			for _, s := range o.Species {
				if entry, ok := h.named.species(s); ok && entry == *row.SpeciesID {
					d.Others = nil
					break
				}
				d.Others = append(d.Others, s.Names[0])
			}
			if d.Others != nil {
				list = append(list, d)
			}
		}
	}
	return list
}
