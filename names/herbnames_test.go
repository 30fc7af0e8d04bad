package names_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/internal/test/noplants"
	"bencao/names"
	"bencao/names/herb"
	"bencao/names/internal/checklist"
)

// TestHerbNamesAreSynonyms checks plant names that only books on herbs have. Each must resolve to
// the species that the checklist has under another name, and give SourceHerbs as the source.
func TestHerbNamesAreSynonyms(t *testing.T) {
	ix := smallIndex(t,
		names.Usage{ID: "1", Name: "Dolomiaea costus", Author: "(Falc.) Kasana & A.K.Pandey", Rank: "species", Status: names.Accepted},
		names.Usage{ID: "2", Name: "Citrus × aurantium", Author: "L.", Rank: "species", Status: names.Accepted},
	)
	for _, tt := range []struct{ name, accepted, source string }{
		{"Aucklandia lappa", "Dolomiaea costus", checklist.SourceHerbs},
		{"Aucklandia lappa Decne.", "Dolomiaea costus", checklist.SourceHerbs},
		{"Dolomiaea costus", "Dolomiaea costus", names.SourceWCVP},
		{"Citrus sinensis", "Citrus × aurantium", checklist.SourceHerbs},
	} {
		r := match(ix, tt.name, "")
		if len(r.Results) == 0 {
			t.Errorf("%s: nothing, want %s", tt.name, tt.accepted)
			continue
		}
		if e := r.Results[0]; string(e.AcceptedName) != tt.accepted || e.MatchSource != tt.source || e.Score > 0.98 || tt.source == checklist.SourceHerbs && e.Score > 0.90 {
			t.Errorf("%s: %s %.2f of %s, want %s of %s", tt.name, e.AcceptedName, e.Score, e.MatchSource, tt.accepted, tt.source)
		}
	}
}

// TestJoinedHerbs matches words that join several drugs: an answer has the plants of all, in doubt, unless
// they are of one plant.
func TestJoinedHerbs(t *testing.T) {
	var usages []names.Usage
	for i, n := range []string{"Aconitum carmichaelii", "Aconitum kusnezoffii", "Rehmannia glutinosa", "Paeonia lactiflora", "Ophiopogon japonicus", "Asparagus cochinchinensis", "Crataegus pinnatifida", "Poria cocos"} {
		usages = append(usages, names.Usage{ID: strconv.Itoa(i + 1), Name: n, Rank: "species", Status: names.Accepted})
	}
	ix := smallIndex(t, usages...)
	for _, tt := range []struct{ word, herbs, plants string }{
		{"川草乌", "川乌、草乌", "Aconitum carmichaelii, Aconitum kusnezoffii"},
		{"制川草乌", "川乌、草乌", "Aconitum carmichaelii, Aconitum kusnezoffii"},
		{"二冬", "天冬、麦冬", "Asparagus cochinchinensis, Ophiopogon japonicus"},
		{"生熟地", "生地黄、熟地黄", "Rehmannia glutinosa"},
		{"赤白芍", "赤芍、白芍", "Paeonia lactiflora"},
		{"楂曲", "山楂、六神曲", "Crataegus pinnatifida"},
		{"煅龙牡", "龙骨、牡蛎", ""},
		{"白芍", "白芍", "Paeonia lactiflora"},
	} {
		r := match(ix, tt.word, "")
		var plants []string
		sure := false
		for _, e := range r.Results {
			plants = append(plants, string(e.MatchedName))
			sure = sure || e.Score >= names.ScoreLook
		}
		if got := strings.Join(plants, ", "); string(r.HerbName) != tt.herbs || got != tt.plants {
			t.Errorf("%s is %q with the plants %s; want %q with %s", tt.word, r.HerbName, got, tt.herbs, tt.plants)
		}
		if sure != (len(plants) == 1 && tt.word != "楂曲") {
			t.Errorf("%s: %s, sure %v", tt.word, plants, sure)
		}
	}
}

// TestAllHerbNames matches every scientific name in the table of herb plants with the full data. If
// any name of a species in the table resolves to a species, its other names must too.
func TestAllHerbNames(t *testing.T) {
	ix := sharedIndex(t)
	all, lost, unlisted := 0, 0, 0
	for _, d := range herb.All() {
		if !d.IsPlant() {
			continue
		}
		for _, s := range d.Species {
			leads := func(name string) bool {
				r := match(ix, name, "")
				return len(r.Results) > 0 && r.Results[0].MatchType != names.MatchHigherRank
			}
			for _, name := range s.Names {
				all++
				switch {
				case leads(name):
				case slices.ContainsFunc(s.Names, leads):
					lost++
					t.Errorf("%s of %s leads nowhere, but another name of it does", name, d.Name)
				default:
					unlisted++
					t.Logf("%s of %s: no list has it", name, d.Name)
				}
			}
		}
	}
	t.Logf("%d names, %d lost, %d in no list", all, lost, unlisted)
	if all < 1300 {
		t.Errorf("only %d names of drug plants", all)
	}
}

var binomial = regexp.MustCompile(`^[A-Z][a-z]+ [a-z]{4,}$`)

// TestNamesOfNoPlants matches every name of the animals, minerals, fungi, algae and made drugs in the
// table with the full data. None may find a plant, but for the names in both.txt. The names of the
// species that they come from find the drug; the checklist of China has algae.
func TestNamesOfNoPlants(t *testing.T) {
	ix := sharedIndex(t)
	asked := 0
	for d, name := range noplants.Names(t, filepath.Join("herb", "testdata", "both.txt")) {
		asked++
		r := match(ix, name, "")
		if len(r.Results) > 0 {
			t.Errorf("%s of %s, which is no plant, finds %s", name, d.Name, r.Results[0].MatchedName)
		}
		if name == d.Name && r.HerbName == "" {
			t.Errorf("%s is not known as a drug", name)
		}
	}
	for _, d := range herb.All() {
		if d.IsPlant() {
			continue
		}
		for _, s := range d.Species {
			for _, name := range s.Names {
				if r := match(ix, name, ""); binomial.MatchString(name) && d.Kind != herb.Alga && herb.OfSpecies(name) != nil && (len(r.Results) > 0 || r.HerbName == "") {
					t.Errorf("%s, of which %s comes, is %s and finds %d plants", name, d.Name, r.HerbName, len(r.Results))
				}
			}
		}
	}
	if asked < 3000 {
		t.Errorf("only %d names", asked)
	}
}

// TestNamesOfSomeYears matches the names that mean other herbs in other years with the full data. Without
// a year, an answer has a plant of each herb that has plants, none of them at 0.9 or above, unless the
// pharmacopoeia or a flora has the name today or all the herbs are of one plant.
func TestNamesOfSomeYears(t *testing.T) {
	ix := sharedIndex(t)
	asked := 0
	for _, s := range herb.Statements() {
		found := herb.LookupReading(herb.Reading{Base: s.Name})
		if !s.Dated() || !slices.ContainsFunc(found, func(f herb.Match) bool { return f.IsPlant() && f.Dated }) {
			continue
		}
		asked++
		r := match(ix, s.Name, "")
		var accepted []string
		for _, e := range r.Results {
			accepted = append(accepted, string(e.AcceptedName))
			if flora := r.MatchedVia == "chineseName"; e.Score >= 0.9 && len(r.Results) > 1 && !flora {
				t.Errorf("%s: %s at %.2f", s.Name, e.AcceptedName, e.Score)
			}
		}
		for _, name := range s.Herbs {
			for _, f := range herb.Lookup(name) {
				if f.IsPlant() && !slices.ContainsFunc(f.Species, func(of herb.Species) bool {
					return slices.ContainsFunc(of.Names, func(n string) bool {
						m := match(ix, n, "")
						return len(m.Results) > 0 && slices.Contains(accepted, string(m.Results[0].AcceptedName))
					})
				}) {
					t.Errorf("%s: %v, none of %s", s.Name, accepted, name)
				}
			}
		}
	}
	if asked < 10 {
		t.Errorf("%d names asked; 10 are wanted", asked)
	}
}
