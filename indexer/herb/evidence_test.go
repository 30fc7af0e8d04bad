package herb_test

import (
	"slices"
	"strings"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/indexer/herb"
	herbnames "bencao/names/herb"
	"bencao/store"
)

// rows returns a package with species, which get the entry ids 1, 2 and so on, and rows of
// herb_species such as "甘草 1", "木通 2 1900..", or "云苓 = 茯苓".
func rows(species []string, lines ...string) *datapackage.Package {
	p := &datapackage.Package{}
	for i, name := range species {
		p.Species = append(p.Species, store.Species{SpeciesDetail: store.SpeciesDetail{EntryID: int32(i + 1), ScientificName: store.Text(name)}})
	}
	for _, line := range lines {
		c := strings.Fields(line)
		row := datapackage.HerbSpecies{Herb: c[0]}
		for i, s := range c[1:] {
			switch {
			case s == "=":
				row.Plain = c[i+2]
			case strings.HasSuffix(s, ".."):
				row.FromYear = new(int32(1000))
			case row.Plain == "":
				row.SpeciesID = new(int32(s[0] - '0'))
			}
		}
		p.HerbSpecies = append(p.HerbSpecies, row)
	}
	return p
}

// TestDatedBeforeUndated checks which species a name has in formulas of a year for which names.txt
// gives it to another herb: 通草 is 木通 up to 1116. A row of herb_species overrides this only if it
// has years or a plain name.
func TestDatedBeforeUndated(t *testing.T) {
	species := []string{"Tetrapanax papyrifer", "Akebia quinata"}
	for _, test := range []struct {
		lines []string
		year  int32
		want  string
	}{
		{[]string{"通草 1", "木通 2"}, 652, "Akebia quinata"},
		{[]string{"通草 1", "木通 2"}, 1584, "Tetrapanax papyrifer"},
		{[]string{"通草 1", "木通 2", "通草 1 1000.."}, 1078, "Tetrapanax papyrifer"},
		{[]string{"通草 1 = 通草", "木通 2"}, 652, "Tetrapanax papyrifer"},
	} {
		p := rows(species, test.lines...)
		h := herb.New(p)
		var got []string
		for _, i := range h.Species("通草", &test.year) {
			got = append(got, string(p.Species[i].ScientificName))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%v: 通草 of %d is %v, want %s", test.lines, test.year, got, test.want)
		}
	}
}

// sourcesOfRecord returns the source species of a herb's record with their evidence: "Panax ginseng
// table", or "Rheum palmatum book of 大黄" if the book is about the relation to another herb.
// A species that does not count in formulas is in brackets.
func sourcesOfRecord(p *datapackage.Package, name string) (list []string) {
	for _, one := range collect(p).herbs {
		if one.Name != name {
			continue
		}
		for i, s := range slices.Concat(one.Species, one.Others) {
			text := s.ScientificName
			for _, e := range s.Evidence {
				text += " " + e.By
				if e.Herb != "" {
					text += " of " + string(e.Herb)
				}
			}
			if i >= len(one.Species) {
				text = "(" + text + ")"
			}
			list = append(list, text)
		}
	}
	return list
}

// TestSourcesHaveEvidence checks that a row of herb_species hides no source that the pharmacopoeia has.
func TestSourcesHaveEvidence(t *testing.T) {
	species := []string{"Glycyrrhiza uralensis", "Glycyrrhiza inflata", "Glycyrrhiza glabra", "Lycium chinense", "Lycium barbarum", "Rheum palmatum", "Rheum tanguticum"}
	for _, test := range []struct {
		line, herb, want string
	}{
		{"甘草 1", "甘草", "Glycyrrhiza uralensis table pharmacopoeia, (Glycyrrhiza inflata pharmacopoeia), (Glycyrrhiza glabra pharmacopoeia)"},
		{"人参", "甘草", "Glycyrrhiza uralensis pharmacopoeia, Glycyrrhiza inflata pharmacopoeia, Glycyrrhiza glabra pharmacopoeia"},
		{"枸杞子 4", "枸杞子", "Lycium chinense table, (Lycium barbarum pharmacopoeia)"},
		{"甘草", "甘草", ""},
		{"熟大黄 6", "熟大黄", "Rheum palmatum table book of 大黄, (Rheum tanguticum book of 大黄)"},
	} {
		if got := strings.Join(sourcesOfRecord(rows(species, test.line), test.herb), ", "); got != test.want {
			t.Errorf("herb_species has %q: %s is %s, want %s", test.line, test.herb, got, test.want)
		}
	}
}

// recordOf returns the record with a standard name, or nil.
func recordOf(p *datapackage.Package, name string) *store.Herb {
	h := collect(p)
	for i := range h.herbs {
		if h.herbs[i].Name == name {
			return &h.herbs[i]
		}
	}
	return nil
}

// TestAbsentSources checks that a record names the source species that the package does not have,
// unless herb_species says that the herb is no plant.
func TestAbsentSources(t *testing.T) {
	for _, test := range []struct{ lines, want string }{
		{"枳实 1", "Citrus sinensis pharmacopoeia"},
		{"枳实", ""},
	} {
		r := recordOf(rows([]string{"Citrus aurantium"}, test.lines), "枳实")
		var got []string
		for _, a := range r.Absent {
			got = append(got, a.ScientificName+" "+a.Evidence[0].By)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("herb_species has %q: the absent species are %v, want %s", test.lines, got, test.want)
		}
	}
}

// TestRecordsOfAbsentPlants checks that a package of few plants gets no records for the herbs of
// others. TestSourcesFull checks that a package of a whole flora does.
func TestRecordsOfAbsentPlants(t *testing.T) {
	if recordOf(rows([]string{"Citrus aurantium"}, "枳实 1"), "黑种草子") != nil {
		t.Error("黑种草子 has a record, although the package has one species, and not that of 黑种草子")
	}
}

// TestMeant checks that the record of a herb says which other herb its name meant, and that a row of
// herb_species with years or a plain name overrides this.
func TestMeant(t *testing.T) {
	species := []string{"Tetrapanax papyrifer", "Akebia quinata"}
	for line, want := range map[string]int{"通草 1": 1, "通草 1 = 通草": 0} {
		r := recordOf(rows(species, line, "木通 2"), "通草")
		if len(r.Meant) != want || want > 0 && (*r.Meant[0].ToYear != 1116 || r.Meant[0].FromYear != nil || r.Meant[0].Source != "本草纲目") {
			t.Errorf("herb_species has %q: 通草 meant %+v, want %d herbs, 木通 up to 1116", line, r.Meant, want)
		}
	}
}

// TestEditions checks the edition of the pharmacopoeia that gives a source: the last one for herbs
// that left it, and for their forms.
func TestEditions(t *testing.T) {
	p := rows([]string{"Dendrobium huoshanense", "Aristolochia debilis"}, "甘草")
	for name, want := range map[string]string{"石斛": "2020", "马兜铃": "2015", "蜜马兜铃": "2015"} {
		for _, s := range recordOf(p, name).Species {
			if !strings.HasSuffix(string(s.Evidence[0].Edition), want) {
				t.Errorf("%s of %s is in the edition %s, want %s", s.ScientificName, name, s.Evidence[0].Edition, want)
			}
		}
	}
}

// TestPartsOfLatin checks the parts that the pharmaceutical Latin name of today's pharmacopoeia gives.
func TestPartsOfLatin(t *testing.T) {
	p := rows([]string{"Asarum sieboldii", "Zingiber officinale", "Uncaria rhynchophylla", "Bambusa tuldoides", "Pinellia ternata"}, "甘草")
	for name, want := range map[string]string{
		"细辛": "Radix Rhizoma", "生姜皮": "Cortex", "钩藤": "Ramulus", "竹茹": "Caulis", "半夏": "Rhizoma", "阿胶": "Colla", "芒硝": "",
	} {
		if got := strings.Join(recordOf(p, name).Parts, " "); got != want {
			t.Errorf("the parts of %s are %q, want %q", name, got, want)
		}
	}
}

// TestDissents checks which rows of herb_species are against the pharmacopoeia.
func TestDissents(t *testing.T) {
	p := rows([]string{"Lycium chinense", "Lycium barbarum", "Glycyrrhiza uralensis", "Panax ginseng"},
		"枸杞子 1", "枸杞子 2", "甘草 3", "人参 3 1000..", "川芎 4", "某草 4")
	h := herb.New(p)
	slices.Reverse(p.Species) // a build sorts the species after New
	var got []string
	for _, d := range h.Dissents(p) {
		got = append(got, d.Herb+" "+string(p.Species[d.Species].ScientificName)+" against "+strings.Join(d.Others, ", "))
	}
	want := "枸杞子 Lycium chinense against Lycium barbarum; 川芎 Panax ginseng against Ligusticum chuanxiong"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("dissents are %s, want %s", text, want)
	}
}

// TestAutonym checks that the pharmacopoeia's name of a plant means the species, although the package
// has the name as a synonym of the variety with the same epithet.
func TestAutonym(t *testing.T) {
	p := rows([]string{"Styphnolobium japonicum var. japonicum", "Styphnolobium japonicum"}, "槐花 2")
	p.Species[0].Synonyms = []store.Synonym{{Name: "Sophora japonica"}}
	if d := herb.New(p).Dissents(p); len(d) > 0 {
		t.Errorf("the row of 槐花 is against the pharmacopoeia: %+v", d)
	}
	if got, want := strings.Join(sourcesOfRecord(p, "槐花"), ", "), "Styphnolobium japonicum table pharmacopoeia"; got != want {
		t.Errorf("槐花 is %s, want %s", got, want)
	}
}

// TestDoses checks the doses by dynasty. A dose of unknown weight and one of two herbs do not count.
func TestDoses(t *testing.T) {
	p := rows([]string{"Pinellia ternata"}, "半夏 1")
	add := func(dynasty string, year int32, herb string, grams ...float64) {
		f := store.Formula{FormulaDetail: store.FormulaDetail{Dynasty: store.Text(dynasty), Year: &year}}
		for _, g := range grams {
			f.Ingredients = append(f.Ingredients, store.Ingredient{Herb: herb, Grams: &g})
		}
		f.Ingredients = append(f.Ingredients, store.Ingredient{Herb: herb})
		p.Formulas = append(p.Formulas, f)
	}
	add("宋", 1078, "半夏", 1, 2)
	add("唐", 652, "半夏", 10)
	add("宋", 1078, "半夏", 3, 4, 10)
	add("宋", 1078, "半夏茯苓", 100)
	h := collect(p)
	want := []store.HerbDose{{Dynasty: "唐", Doses: 1, Quarter: 10, Median: 10, Quarter3: 10}, {Dynasty: "宋", Doses: 5, Quarter: 2, Median: 3, Quarter3: 4}}
	if got := h.herbs[h.record("半夏")].Doses; !slices.Equal(got, want) {
		t.Errorf("doses are %+v, want %+v", got, want)
	}
}

// TestSourcesFull checks with the full-size package that no record hides a source of the
// pharmacopoeia, and lists the rows of herb_species against it.
func TestSourcesFull(t *testing.T) {
	p := fullPackage(t)
	herbs := collect(p)
	h := herb.New(p)
	known := map[string]bool{}
	for i := range p.Species {
		known[string(p.Species[i].ScientificName)] = true
	}
	more, checked := 0, 0
	for _, one := range herbs.herbs {
		if len(one.Others) > 0 {
			more++
		}
		for _, s := range slices.Concat(one.Species, one.Others) {
			if len(s.Evidence) == 0 {
				t.Errorf("%s: no evidence for %s", one.Name, s.ScientificName)
			}
		}
	}
	for _, d := range herbnames.All() {
		i := herbs.record(d.Name)
		if d.Book != herbnames.Pharmacopoeia || i < 0 || herbs.herbs[i].Name != d.Name {
			continue
		}
		for _, s := range d.Species {
			if !known[s.Names[0]] || s.Unsure {
				continue
			}
			checked++
			if !slices.ContainsFunc(slices.Concat(herbs.herbs[i].Species, herbs.herbs[i].Others), func(has store.HerbSource) bool { return has.ScientificName == s.Names[0] }) {
				t.Errorf("the record of %s hides %s", d.Name, s.Names[0])
			}
		}
	}
	for _, d := range herbnames.All() {
		if i := herbs.record(d.Name); i < 0 && !d.Unsure {
			t.Errorf("%s has no record", d.Name)
		} else if i >= 0 && d.IsPlant() && !herbs.herbs[i].NoPlant && len(herbs.herbs[i].Species)+len(herbs.herbs[i].Absent) == 0 && len(d.Species) > 0 {
			t.Errorf("the record of %s names no plant, the table %s", d.Name, d.Species[0].Names[0])
		}
	}
	dissents := h.Dissents(p)
	for _, d := range dissents {
		t.Logf("%s is %s in herb_species, and %v in the pharmacopoeia", d.Herb, p.Species[d.Species].ScientificName, d.Others)
	}
	t.Logf("%d records have further sources, %d rows are against the pharmacopoeia", more, len(dissents))
	if more < 40 || len(dissents) < 8 || checked < 500 {
		t.Errorf("%d records with further sources, %d rows against the pharmacopoeia, %d sources checked; at least 40, 8 and 500 are known", more, len(dissents), checked)
	}
	uses, later := 0, 0
	for i := range p.Formulas {
		f := &p.Formulas[i]
		if f.Year == nil || *f.Year > 1116 {
			continue
		}
		for _, in := range f.Ingredients {
			if in.Herb != "通草" {
				continue
			}
			uses++
			for _, s := range h.Species(in.Herb, f.Year) {
				if strings.HasPrefix(string(p.Species[s].ScientificName), "Tetrapanax") {
					later++
				}
			}
		}
	}
	if uses < 30 || later > 0 {
		t.Errorf("%d of %d uses of 通草 up to 1116 have the later plant", later, uses)
	}
}
