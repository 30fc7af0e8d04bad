package herb_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/herb"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/fullsize"
	"bencao/internal/test/noplants"
	"bencao/internal/test/testkit"
	"bencao/names/han"
	herbnames "bencao/names/herb"
	"bencao/store"

	gocmp "github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

// herbarium finds the record of a herb by the herb's name.
type herbarium struct {
	known  *herb.Herbs
	herbs  []store.Herb
	byName map[string]int
}

// collect makes the records of a package.
func collect(p *datapackage.Package) herbarium {
	h := herbarium{known: herb.New(p), byName: map[string]int{}}
	d := &store.Data{Species: p.Species, Formulas: p.Formulas}
	for i := range d.Species {
		d.Species[i].Num = store.Num(i)
	}
	for i := range d.Formulas {
		d.Formulas[i].Num = store.Num(i)
		for j := range d.Formulas[i].Ingredients {
			in := &d.Formulas[i].Ingredients[j]
			in.Plain = h.known.Plain(in.Herb)
		}
	}
	h.herbs = h.known.Records(p, d, func(name string) string { return name })
	for i := range h.herbs {
		for _, m := range h.herbs[i].Merged {
			h.byName[han.Fold(m.Name)] = i
		}
	}
	for i := range h.herbs {
		h.byName[han.Fold(h.herbs[i].Name)] = i
	}
	return h
}

// record returns the index of the record to which a name belongs, or -1.
func (h herbarium) record(name string) int {
	if i, ok := h.byName[han.Fold(name)]; ok {
		return i
	}
	for _, plain := range h.known.Plain(name) {
		if i, ok := h.byName[plain]; ok {
			return i
		}
	}
	return -1
}

// relation returns how the records of two names are related.
func (h herbarium) relation(a, b string) string {
	i, j := h.record(a), h.record(b)
	if i < 0 || j < 0 {
		return "none"
	}
	if i == j {
		return string(herbnames.Same)
	}
	for _, v := range h.herbs[i].VariantOf {
		if int(v.Herb) == j {
			return v.How
		}
	}
	for _, v := range h.herbs[j].VariantOf {
		if int(v.Herb) == i {
			return v.How
		}
	}
	return string(herbnames.Different)
}

// judge compares the relations between records with those in a list of judged pairs. It returns the
// number of pairs with the correct relation.
func (h herbarium) judge(t *testing.T, rows [][]string) (right int) {
	t.Helper()
	for _, row := range rows {
		got := h.relation(row[0], row[1])
		switch want := row[2]; {
		case got == want:
			right++
		case got == string(herbnames.Same) && (want == string(herbnames.Different) || want == string(herbnames.Broader)):
			t.Errorf("%s and %s are merged, but judged %s", row[0], row[1], want)
		default:
			t.Logf("%s and %s are %s, judged %s", row[0], row[1], got, want)
		}
	}
	return right
}

// judged reads a list of judged pairs.
func judged(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); len(fields) >= 3 && !strings.HasPrefix(line, "#") && fields[0] != "a" && fields[0] != "name1" {
			rows = append(rows, fields)
		}
	}
	return rows
}

// fullPackage reads those tables of the full-size package that the records of herbs need.
func fullPackage(t *testing.T) *datapackage.Package {
	t.Helper()
	without := []string{"synonyms", "aliases", "flora", "papers", "species_papers", "uses"}
	p, err := datapackage.Read(t.Context(), checklisttest.Full(t, "china-plants.zip"), datapackage.Options{Exclude: without}, &finding.Log{})
	must(t, err)
	return p
}

// TestStandardNamesFull compares relations in the full-size package with pairs judged from the
// literature. It also checks that the most frequent ingredients of that package resolve to herbs.
func TestStandardNamesFull(t *testing.T) {
	rows := judged(t, fullsize.Path(t, "golden/drugs-same-dev.tsv"))
	p := fullPackage(t)
	h := collect(p)
	if right := h.judge(t, rows); right*100 < 97*len(rows) {
		t.Errorf("%d of %d judged pairs are right; at least 97 %% should be", right, len(rows))
	}
	count := map[string]int{}
	leads := map[string]bool{}
	for i := range p.Formulas {
		for _, in := range p.Formulas[i].Ingredients {
			count[in.Herb]++
			leads[in.Herb] = len(in.Herbs) > 0 || len(in.Plain) == 0
		}
	}
	names := make([]string, 0, len(count))
	for name := range count {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return count[b] - count[a] })
	lines, lost := 0, 0
	for _, name := range names {
		if lines >= 40_000 {
			break
		}
		if lines += count[name]; !leads[name] {
			lost += count[name]
			t.Logf("%s resolves to no drug: %d lines", name, count[name])
		}
	}
	if lost*100 > lines {
		t.Errorf("%d of the %d most frequent ingredients resolve to no drug; at most 1 %% may", lost, lines)
	}
}

// TestStandardNames compares relations with those in judged.tsv, for a package whose herb_species has
// a row for every name in the file. These rows have neither a species nor a plain name. Then it
// checks a package with plain names: a row whose plain name is its own name keeps the name apart,
// and a row with another plain name merges the two names.
func TestStandardNames(t *testing.T) {
	p := &datapackage.Package{}
	listed := map[string]bool{}
	rows := judged(t, filepath.Join("testdata", "judged.tsv"))
	for _, row := range rows {
		for _, name := range row[:2] {
			if !listed[name] {
				listed[name] = true
				p.HerbSpecies = append(p.HerbSpecies, datapackage.HerbSpecies{Herb: name})
			}
		}
	}
	if right := collect(p).judge(t, rows); right != len(rows) {
		t.Errorf("%d of %d pairs are right", right, len(rows))
	}
	p.HerbSpecies = []datapackage.HerbSpecies{{Herb: "麦冬"}, {Herb: "麦门冬", Plain: "麦门冬"}, {Herb: "甘草"}, {Herb: "炙甘草", Plain: "甘草"}}
	h := collect(p)
	if got := h.relation("麦门冬", "麦冬"); got != string(herbnames.Different) {
		t.Errorf("麦门冬 and 麦冬 are %s, which the package keeps apart", got)
	}
	if got := h.relation("炙甘草", "甘草"); got != string(herbnames.Same) {
		t.Errorf("炙甘草 and 甘草 are %s, which the package merges", got)
	}
}

// TestPartsAreHerbs checks that a part of a plant that formulas seldom name is a herb of its own, and
// that a herb with a word for processing is the herb.
func TestPartsAreHerbs(t *testing.T) {
	id := int32(1)
	p := &datapackage.Package{
		Species:     []store.Species{{SpeciesDetail: store.SpeciesDetail{EntryID: id, ScientificName: "Tetradium ruticarpum"}}},
		HerbSpecies: []datapackage.HerbSpecies{{Herb: "吴茱萸", SpeciesID: &id}},
	}
	for _, name := range []string{"吴茱萸根", "淡吴茱萸"} {
		p.Formulas = append(p.Formulas, store.Formula{Ingredients: []store.Ingredient{{Herb: name}}})
	}
	h := collect(p)
	for name, want := range map[string]string{"吴茱萸根": "part", "淡吴茱萸": "same"} {
		if got := h.relation(name, "吴茱萸"); got != want {
			t.Errorf("%s and 吴茱萸 are %s, want %s", name, got, want)
		}
	}
	if i := h.record("吴茱萸根"); i >= 0 && len(h.herbs[i].Species) != 1 {
		t.Errorf("吴茱萸根 has the species %v, want that of 吴茱萸", h.herbs[i].Species)
	}
}

// TestRecordHasStandardName checks that the record of a herb has the name in the pharmacopoeia, also
// if the package lists only another name of the herb.
func TestRecordHasStandardName(t *testing.T) {
	h := collect(&datapackage.Package{HerbSpecies: []datapackage.HerbSpecies{{Herb: "制南星"}, {Herb: "天南星"}}})
	if i := h.record("制南星"); i < 0 || h.herbs[i].Name != "制天南星" {
		t.Errorf("制南星 has the record %d, want that of 制天南星", i)
	}
	if got := h.relation("制南星", "天南星"); got != string(herbnames.Processed) {
		t.Errorf("制南星 and 天南星 are %s, want processed", got)
	}
}

// TestJudgedPairsFull compares relations in the full-size package with further pairs that somebody
// judged from the literature before the program was asked.
func TestJudgedPairsFull(t *testing.T) {
	h := collect(fullPackage(t))
	for file, wrong := range map[string]int{"drugs-same-4.tsv": 2, "drugs-same-5.tsv": 2} {
		rows := judged(t, fullsize.Path(t, "golden/"+file))
		if right := h.judgePairs(t, rows); right < len(rows)-wrong {
			t.Errorf("%d of %d judged pairs of %s are right; at most %d may be wrong", right, len(rows), file, wrong)
		}
	}
}

// judgePairs does the same as judge for pairs that are judged same, apart or form.
func (h herbarium) judgePairs(t *testing.T, rows [][]string) (right int) {
	t.Helper()
	for _, row := range rows {
		got := h.relation(row[0], row[1])
		ok := got == row[2]
		switch row[2] {
		case "form":
			ok = got == string(herbnames.Processed) || got == string(herbnames.Part)
		case "apart":
			if ok = got == string(herbnames.Different) || got == "none"; got == string(herbnames.Same) {
				t.Errorf("%s and %s are merged, but judged apart", row[0], row[1])
			}
		}
		if ok {
			right++
		} else {
			t.Logf("%s and %s are %s, judged %s", row[0], row[1], got, row[2])
		}
	}
	return right
}

// update rewrites testdata/written.txt.
var update = flag.Bool("update", false, "rewrite testdata/written.txt")

// TestWrittenNamesFull compares the herbs that the names in formulas of the full-size package mean
// with a file that is read in review: it shows all that a changed line of the tables of names
// changes. A name that rests on a folk name alone must be decided in names.txt.
func TestWrittenNamesFull(t *testing.T) {
	p := fullPackage(t)
	h := collect(p)
	means, count := map[string]string{}, map[string]int{}
	for i := range p.Formulas {
		for _, in := range p.Formulas[i].Ingredients {
			name := h.known.Name(in.Herb)
			if count[name]++; len(in.Herbs) == 0 || means[name] != "" {
				continue
			}
			var records []string
			for _, n := range in.Herbs {
				r := &h.herbs[n]
				var species []string
				for _, s := range r.Species {
					species = append(species, s.ScientificName)
				}
				records = append(records, fmt.Sprintf("%s %s %s", r.Name, cmp.Or(r.Kind, "?"), strings.Join(species, ", ")))
			}
			means[name] = strings.TrimSpace(strings.Join(records, " + "))
			found := herbnames.LookupReading(herbnames.Reading{Base: name})
			if len(found) > 0 && found[0].By == herbnames.FolkName && len(herbnames.StatementsOn(name)) == 0 && slices.Equal(in.Plain, []string{found[0].Reading.Base}) {
				t.Errorf("%s, in %q, rests on the folk name of %s alone; decide in names.txt what it is", name, in.Herb, found[0].Name)
			}
		}
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(means)) {
		if count[name] > 1 {
			fmt.Fprintf(&out, "%s => %s\n", name, means[name])
		}
	}
	file := filepath.Join("testdata", "written.txt")
	if *update {
		must(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("the herbs that names in formulas mean have changed; look whether they are better, then run go test ./indexer/herb -run Written -update (-before +now):\n%s", diff)
	}
}

// TestNamesOfNoPlantsFull checks that the names of animals, minerals, fungi and algae lead to no
// record with a species, but for the names in both.txt.
func TestNamesOfNoPlantsFull(t *testing.T) {
	h := collect(fullPackage(t))
	for d, name := range noplants.Names(t, filepath.Join("..", "..", "names", "herb", "testdata", "both.txt")) {
		if d.Kind == herbnames.Other { // herb_species says that 饴糖 is made of barley
			continue
		}
		if i := h.record(name); i >= 0 && len(h.herbs[i].Species) > 0 {
			t.Errorf("%s of %s, which is no plant, leads to %s of %s", name, d.Name, h.herbs[i].Name, h.herbs[i].Species[0].ScientificName)
		}
	}
}

// TestRecordsAgreeWithIngredientsFull checks that each ingredient of the full-size package leads to
// the species of the records of its herbs.
func TestRecordsAgreeWithIngredientsFull(t *testing.T) {
	p := fullPackage(t)
	h := collect(p)
	links := 0
	for i := range p.Formulas {
		for _, in := range p.Formulas[i].Ingredients {
			has := h.known.Species(in.Herb, nil)
			links += len(has)
			var want []int
			records := 0
			for _, plain := range in.Plain {
				n, ok := h.byName[han.Fold(plain)]
				if !ok {
					continue
				}
				records++
				for _, s := range h.herbs[n].Species {
					want = append(want, int(s.Species))
				}
			}
			slices.Sort(want)
			want = slices.Compact(want)
			row := len(has) > 0 && !slices.ContainsFunc(has, func(s int) bool { return !slices.Contains(want, s) }) // a row of the name as written may say less
			if len(has) > 0 && records == 0 {
				t.Errorf("the ingredient %s leads to the species %v, and to no record", in.Herb, has)
			}
			if records == len(in.Plain) && !row && !slices.Equal(has, want) {
				t.Errorf("the ingredient %s leads to the species %v, and the records of %v to %v", in.Herb, has, in.Plain, want)
			}
		}
	}
	if links < 40_000 {
		t.Errorf("%d links from ingredients to species, want more", links)
	}
}

// TestJoinedFull checks judged words that join several drugs (赤白芍): each means all of its drugs, or
// none.
func TestJoinedFull(t *testing.T) {
	rows := judged(t, fullsize.Path(t, "golden/prescriptions/joined.tsv"))[1:]
	h, right := collect(fullPackage(t)), 0
	for _, row := range rows {
		var names []string
		for _, plain := range h.known.Plain(row[2]) {
			if i, ok := h.byName[plain]; ok {
				names = append(names, h.herbs[i].Name)
			}
		}
		if len(names) == 0 || h.areExpected(names, row[3]) {
			right++
			continue
		}
		t.Logf("%s is %q, want %s", row[2], names, row[3])
	}
	if right*100 < 90*len(rows) {
		t.Errorf("%d of %d words that join drugs are right; at least 90 %% should be", right, len(rows))
	}
}

// areExpected reports whether names are the expected drugs: names with ";" between them, each with "|"
// between those that are right.
func (h herbarium) areExpected(names []string, expected string) bool {
	want := strings.Split(expected, ";")
	return len(names) == len(want) && !slices.ContainsFunc(want, func(drug string) bool {
		return !slices.ContainsFunc(strings.Split(drug, "|"), func(one string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return h.record(name) == h.record(one) })
		})
	})
}

// TestNotedFull checks that 炙甘草 finds the formulas of the full-size package with 甘草（炙）, and that
// these stay formulas of 甘草.
func TestNotedFull(t *testing.T) {
	p := fullPackage(t)
	h := collect(p)
	liquorice, roasted := &h.herbs[h.record("甘草")], &h.herbs[h.record("炙甘草")]
	asked, found := 0, 0
	for i := range p.Formulas {
		f := &p.Formulas[i]
		for _, in := range f.Ingredients {
			if in.Herb != "甘草" || !strings.Contains(in.Note, "炙") {
				continue
			}
			asked++
			if slices.Contains(in.Noted, roasted.Name) {
				found++
			} else {
				t.Logf("the note %q does not say 炙甘草", in.Note)
			}
			if !slices.Equal(in.Plain, []string{"甘草"}) || !slices.Contains(liquorice.Formulas, f.Num) {
				t.Errorf("甘草（%s） of formula %d counts as %q", in.Note, f.EntryID, in.Plain)
			}
		}
	}
	if asked < 1000 || found*100 < 99*asked {
		t.Errorf("the notes of %d of %d ingredients 甘草 say 炙甘草; at least 99 %% should", found, asked)
	}
	for _, n := range roasted.Noted {
		if slices.Contains(roasted.Formulas, n) {
			t.Errorf("formula %d counts twice for 炙甘草", n)
		}
	}
}

// TestSlipsFull checks judged slips and short forms: at least 80 % mean the right drug, and none another.
func TestSlipsFull(t *testing.T) {
	rows := judged(t, fullsize.Path(t, "golden/prescriptions/slips.tsv"))[1:]
	h, right := collect(fullPackage(t)), 0
	for _, row := range rows {
		names := h.known.Plain(row[2])
		switch {
		case h.areExpected(names, row[3]):
			right++
		case h.record(row[2]) >= 0:
			t.Errorf("%s is %q, want %s", row[2], names, row[3])
		default:
			t.Logf("%s is not understood, want %s", row[2], row[3])
		}
	}
	if right*100 < 80*len(rows) {
		t.Errorf("%d of %d slips are right; at least 80 %% should be", right, len(rows))
	}
}
