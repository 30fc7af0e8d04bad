package snapshotfiles_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/snapshotfiles"
	"bencao/internal/test/fullsize"
	"bencao/internal/test/indextest"
	"bencao/internal/test/race"
	"bencao/internal/test/testkit"
	"bencao/mappings/search"
	"bencao/names"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

// TestNamesOfHerbsAgree asks for every name of the tables of herbs. names.match, the search of species and
// the record of the herb must agree with the table on the plant, or a row of testdata/agree.txt says why
// they do not. An answer may start with another plant if this plant has the name itself, as 木瓜 does, or
// if herb_species gives it to the herb; it then also has the plant of the table.
func TestNamesOfHerbsAgree(t *testing.T) {
	b, err := indextest.WithChecklists(t.Context(), t.TempDir())
	must(t, err)
	namesAgree(t, b)
}

// TestNamesOfHerbsAgreeFull does the same with the full package.
func TestNamesOfHerbsAgreeFull(t *testing.T) {
	if race.On || testing.Short() {
		t.Skip("NOT TESTED: the full package takes too long under -race and -short")
	}
	b, err := indextest.Run(t.Context(), t.TempDir(), fullsize.Path(t, "data/china-plants.zip"), fullsize.Path(t, "data/wcvp.zip"), fullsize.Path(t, "data/wfo-dwca.zip"))
	must(t, err)
	namesAgree(t, b)
}

// agreeing is a snapshot whose answers are compared.
type agreeing struct {
	*indextest.Build
	*snapshotfiles.Files
}

func namesAgree(t *testing.T, b *indextest.Build) {
	t.Helper()
	f, err := b.Open()
	must(t, err)
	defer func() { must(t, f.Close()) }()
	p := agreeing{b, f}
	rows := testkit.Table(t, filepath.Join("testdata", "agree.txt"))
	plants := p.plantsOfTable(t)
	records := p.herbRecords()
	asked := map[string]bool{}
	for _, name := range namesOfHerbs() {
		found := herb.Lookup(name)
		if asked[name] || len(found) == 0 || found[0].By == herb.FolkName {
			continue // a folk name proves nothing
		}
		var want plantSet
		for _, m := range found {
			want = append(want, plants[m.Herb]...)
		}
		if len(want) == 0 {
			continue // the package has none of the plants, or the herb is no plant
		}
		asked[name] = true
		var other []string
		for _, differs := range []string{p.matchDiffers(t, name, want), p.searchDiffers(t, name, records[han.Fold(name)], want), p.recordDiffers(records[han.Fold(name)], want)} {
			if differs != "" {
				other = append(other, differs)
			}
		}
		if len(other) > 0 && rows[name] == "" && rows[found[0].Name] == "" {
			t.Errorf("%s means %s of %s for the table; %s", name, found[0].Name, want[0], strings.Join(other, "; "))
		}
	}
	t.Logf("%d names asked", len(asked))
	if len(asked) < 1500 {
		t.Errorf("%d names asked; 1500 are wanted", len(asked))
	}
}

// plantSet lists the names of plants, genus and epithet.
type plantSet []string

func (s plantSet) has(scientific string) bool { return slices.Contains(s, binomialOf(scientific)) }

// binomialOf returns the genus and the epithet of a name.
func binomialOf(name string) string {
	words := strings.Fields(strings.ReplaceAll(name, "× ", ""))
	return strings.Join(words[:min(2, len(words))], " ")
}

// plantsOfTable returns the plants from which the herbs of the table come, by the names that the table and
// the checklists have for them. It leaves out herbs none of whose plants the package has.
func (p agreeing) plantsOfTable(t *testing.T) map[*herb.Herb]plantSet {
	t.Helper()
	byID := map[int32]string{}
	for i := range p.Build.Species {
		byID[p.Build.Species[i].EntryID] = string(p.Build.Species[i].ScientificName)
	}
	plants := map[*herb.Herb]plantSet{}
	for _, d := range herb.All() {
		var all plantSet
		inPackage := false
		for _, s := range d.Species {
			if !d.IsPlant() {
				break
			}
			for _, name := range s.Names {
				r, err := p.Names.Match(names.Query{Name: name, NoFuzzy: true})
				must(t, err)
				if len(r.Results) == 0 || r.Results[0].MatchType == names.MatchHigherRank || r.Results[0].Flags.Has(names.CultivarIgnored) {
					continue
				}
				all = append(all, binomialOf(name), binomialOf(string(r.Results[0].AcceptedName)))
				if r.Results[0].EntryID != nil {
					inPackage = true
					all = append(all, binomialOf(byID[*r.Results[0].EntryID]))
				}
			}
		}
		if inPackage {
			plants[d] = all
		}
	}
	return plants
}

// herbRecords returns the records of herbs by their folded names.
func (p agreeing) herbRecords() map[string]*store.Herb {
	records := map[string]*store.Herb{}
	for i := range p.Build.Herbs {
		for _, a := range p.Build.Herbs[i].Aliases {
			records[han.Fold(a.Name)] = &p.Build.Herbs[i]
		}
	}
	for i := range p.Build.Herbs {
		records[han.Fold(p.Build.Herbs[i].Name)] = &p.Build.Herbs[i]
	}
	return records
}

// matchDiffers returns how the answer of names.match to a name differs from the plants of its herb, or "".
func (p agreeing) matchDiffers(t *testing.T, name string, want plantSet) string {
	t.Helper()
	r, err := p.Names.Match(names.Query{Name: name, Limit: names.MaxLimit})
	must(t, err)
	first := -1
	for i, e := range r.Results {
		if first < 0 && (want.has(string(e.AcceptedName)) || want.has(string(e.MatchedName))) {
			first = i
		}
	}
	switch {
	case first == 0:
		return ""
	case first > 0 && r.MatchedVia != names.ViaHerbName:
		return ""
	case len(r.Results) == 0:
		return "names.match finds nothing"
	}
	e := &r.Results[0]
	return fmt.Sprintf("names.match finds %s (%s, %.2f, %s) first, that plant at %d", e.MatchedName, r.MatchedVia, e.Score, e.Flags, first+1)
}

// searchDiffers does the same for the search of species.
func (p agreeing) searchDiffers(t *testing.T, name string, h *store.Herb, want plantSet) string {
	t.Helper()
	hits, err := p.Files.Species.Search(context.Background(), search.Query{Text: name, Size: 10})
	must(t, err)
	if len(hits.Nums) == 0 {
		return "species.search finds nothing"
	}
	first := &p.Build.Species[hits.Nums[0]]
	place := slices.IndexFunc(hits.Nums, func(n store.Num) bool { return want.has(string(p.Build.Species[n].ScientificName)) })
	own := h != nil && slices.ContainsFunc(h.Species, func(s store.HerbSource) bool { return s.ScientificName == string(first.ScientificName) }) || han.Fold(string(first.ChineseName)) == han.Fold(name) || slices.ContainsFunc(first.Aliases, func(a store.Alias) bool { return han.Fold(a.Name) == han.Fold(name) })
	if place == 0 || place > 0 && own {
		return ""
	}
	return fmt.Sprintf("species.search finds %s %s first, that plant at %d", first.ChineseName, first.ScientificName, place+1)
}

// recordDiffers does the same for the record of a herb, which may be nil.
func (p agreeing) recordDiffers(h *store.Herb, want plantSet) string {
	if h == nil || slices.ContainsFunc(h.Species, func(s store.HerbSource) bool { return want.has(string(s.ScientificName)) }) ||
		slices.ContainsFunc(h.Absent, func(a store.HerbAbsent) bool { return want.has(a.ScientificName) }) {
		return ""
	}
	if len(h.Species) == 0 {
		return fmt.Sprintf("the record %s has no plant", h.Name)
	}
	return fmt.Sprintf("the record %s has %s", h.Name, h.Species[0].ScientificName)
}

// namesOfHerbs returns every name of the tables: those of the herbs, and those that names.txt relates to
// them.
func namesOfHerbs() (list []string) {
	for _, d := range herb.All() {
		list = append(list, d.Name)
		for _, a := range d.Aliases {
			list = append(list, a.Name)
		}
	}
	for _, s := range herb.Statements() {
		list = append(list, s.Name)
	}
	return list
}
