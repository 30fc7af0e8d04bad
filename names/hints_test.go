package names_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"bencao/names"
	"bencao/names/internal/answer"
	families "bencao/names/internal/family"

	"github.com/google/go-cmp/cmp"
)

// hinted returns an index of a few names that can be told apart by hints.
func hinted(t *testing.T) *names.Index {
	t.Helper()
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "1"})
	for _, u := range []names.Usage{
		{ID: "1", Name: "Rosa", Rank: "genus", Status: names.Accepted},
		{ID: "2", Name: "Acer", Author: "L.", Rank: "genus", Status: names.Accepted},
		{ID: "3", Name: "Poa chinensis", Author: "Trin.", Rank: "species", Status: names.Synonym, AcceptedID: "4"},
		{ID: "4", Name: "Poa trivialis", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "5", Name: "Poa chinensis", Author: "Steud.", Rank: "species", Status: names.Accepted},
		{ID: "6", Name: "Oryza sativa", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "7", Name: "Gossypium hirsutum", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "8", Name: "Gossypium arboreum", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "9", Name: "Oryza", Author: "L.", Rank: "genus", Status: names.Accepted},
		{ID: "11", Name: "Oryxa", Rank: "genus", Status: names.Accepted},
		{ID: "10", Name: "Gramena trivialis", Author: "Nescio", Rank: "species", Status: names.Synonym, AcceptedID: "4"},
	} {
		must(t, c.Add(u))
	}
	for i, r := range []names.Record{
		{ChineseName: "普通早熟禾", ScientificName: "Poa trivialis", Author: "L.", Rank: "species"},
		{ChineseName: "稻", ScientificName: "Oryza sativa", Author: "L.", Rank: "species", GenusChinese: "稻属"},
		{ChineseName: "陆地棉", ScientificName: "Gossypium hirsutum", Author: "L.", Rank: "species"},
		{ChineseName: "树棉", ScientificName: "Gossypium arboreum", Author: "L.", Rank: "species"},
	} {
		r.EntryID = int32(i + 1)
		must(t, b.Record(r))
	}
	return built(t, b)
}

// TestAuthorOfSpecies checks that an author in a field of its own is not the author of a variety if
// the name has it before the variety.
func TestAuthorOfSpecies(t *testing.T) {
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "1"})
	for _, u := range []names.Usage{
		{ID: "1", Name: "Pinus sylvestris", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "2", Name: "Pinus sylvestris var. mongolica", Author: "Litv.", Rank: "variety", Status: names.Accepted},
	} {
		must(t, c.Add(u))
	}
	ix := built(t, b)
	for _, tt := range []struct {
		name, author string
		score        float64
	}{
		{"Pinus sylvestris L. var. mongolica Litv.", "L.", 1},
		{"Pinus sylvestris L. var. mongolica", "L.", 0.98},
		{"Pinus sylvestris var. mongolica", "Litv.", 1},
		{"Pinus sylvestris var. mongolica", "Roxb.", 0.9},
		{"Pinus sylvestris L. var. mongolica", "Roxb.", 0.9},
	} {
		r, err := ix.Match(names.Query{Name: tt.name, Author: tt.author})
		must(t, err)
		if len(r.Results) == 0 || r.Results[0].Score != tt.score {
			t.Errorf("%s with author %s: %s, want score %v", tt.name, tt.author, render(r), tt.score)
		}
	}
}

// TestRegion checks that the region decides between homonyms given without author: the plant that
// grows in the region comes first.
func TestRegion(t *testing.T) {
	ix := hinted(t)
	for _, tt := range []struct {
		q        names.Query
		accepted string
		score    float64
	}{
		{names.Query{Name: "Poa chinensis"}, "Poa chinensis", 0.75},
		{names.Query{Name: "Poa chinensis", Region: names.RegionChina}, "Poa trivialis", 0.90},
		{names.Query{Name: "Poa chinensis Steud.", Region: names.RegionChina}, "Poa chinensis", 1},
		{names.Query{Name: "Oryza sativa", Region: names.RegionChina}, "Oryza sativa", 0.98},
		{names.Query{Name: "Poa chinensis", Region: "CHC"}, "Poa chinensis", 0.75},
	} {
		r, err := ix.Match(tt.q)
		must(t, err)
		if len(r.Results) == 0 || string(r.Results[0].AcceptedName) != tt.accepted || r.Results[0].Score != tt.score {
			t.Errorf("%+v: %s, want %s at %.2f", tt.q, render(r), tt.accepted, tt.score)
		}
	}
	if _, err := ix.Match(names.Query{Name: "Poa chinensis", Region: "mars"}); err == nil {
		t.Error("the region mars is taken")
	}
}

// TestGenusWithWords checks that a genus followed by capitalised words has a low score, because the
// words may be a cultivar. The score is normal if the words are clearly the author of the genus.
func TestGenusWithWords(t *testing.T) {
	ix := hinted(t)
	for _, tt := range []struct {
		q    names.Query
		most float64
	}{
		{names.Query{Name: "Rosa Peace"}, 0.60},
		{names.Query{Name: "Acer Crimson King"}, 0.60},
		{names.Query{Name: "Rosa L."}, 0.98},
		{names.Query{Name: "Rosa Linnaeus"}, 0.98},
		{names.Query{Name: "Rosa", Author: "Peace"}, 0.98},
		{names.Query{Name: "Acer L."}, 1},
	} {
		r, err := ix.Match(tt.q)
		must(t, err)
		if len(r.Results) != 1 || r.Results[0].Score != tt.most {
			t.Errorf("%+v: %s, want %.2f", tt.q, render(r), tt.most)
		}
	}
}

// TestGenusWithoutRow checks that a genus without a row of its own, whose species are now in another
// genus, is a synonym of that genus.
func TestGenusWithoutRow(t *testing.T) {
	r := match(hinted(t), "Gramena sp.", "")
	if len(r.Results) != 1 || r.Results[0].AcceptedName != "Poa" || r.Results[0].TaxonStatus != "synonym" {
		t.Errorf("Gramena sp.: %s, want a synonym of Poa", render(r))
	}
	if r := match(hinted(t), "Oryva sp.", ""); len(r.Results) > 0 {
		t.Errorf("Oryva sp. is as near to Oryza as to Oryxa: %s", render(r))
	}
}

// TestCrops checks that the everyday name of a crop finds, as an alias, every crop that has this
// name.
func TestCrops(t *testing.T) {
	ix := hinted(t)
	for name, want := range map[string]int{"水稻": 1, "棉花": 2, "稻": 1} {
		r, err := ix.Match(names.Query{Name: name})
		must(t, err)
		if len(r.Results) != want || (r.MatchedVia == answer.ViaChineseAlias) != (name != "稻") {
			t.Errorf("%s: %s, want %d plants", name, render(r), want)
		}
	}
}

// TestFamilyHint checks that a family works as a hint in Latin, by its old or new name, in Chinese,
// and in both languages together. A text that is not a family does not change the answer.
func TestFamilyHint(t *testing.T) {
	ix := fixture(t)
	ask := func(q names.Query) names.Entry {
		t.Helper()
		r, err := ix.Match(q)
		if err != nil || len(r.Results) == 0 {
			t.Fatalf("%+v: %v, %s", q, err, render(r))
		}
		return r.Results[0]
	}
	for _, name := range []string{"Panax ginseng", "Panax ginsneg", "人参 Panax ginseng"} {
		without := ask(names.Query{Name: name})
		for _, family := range []string{"Araliaceae", "ARALIACEAE", "五加科", "五加科 Araliaceae", "143. 五加科", "Aralia.", "Aral."} {
			with := ask(names.Query{Name: name, Family: family})
			if with.Score < without.Score || !with.Flags.Has(answer.FamilyHint) || with.Flags.Has(answer.FamilyDiffers) {
				t.Errorf("%s with %s: %.2f %v, want at least %.2f and familyHint", name, family, with.Score, with.Flags, without.Score)
			}
		}
		for _, family := range []string{"-", "unknown", "NA", "五加属", "待定"} {
			with := ask(names.Query{Name: name, Family: family})
			if with.Score != without.Score || with.Flags.Has(answer.FamilyHint) {
				t.Errorf("%s with %s: %.2f %v, want %.2f and no hint", name, family, with.Score, with.Flags, without.Score)
			}
		}
		with := ask(names.Query{Name: name, Family: "蔷薇科"})
		if with.Score >= without.Score || !with.Flags.Has(answer.FamilyDiffers) {
			t.Errorf("%s with 蔷薇科: %.2f %v, want less than %.2f and familyDiffers", name, with.Score, with.Flags, without.Score)
		}
	}
}

// TestFamilyOfASynonym checks that a synonym in another family than its accepted name has the flag if
// the query gives that family: the plant of the answer is not in it. The name is still right, so the
// answer stays one to be accepted.
func TestFamilyOfASynonym(t *testing.T) {
	ix := smallIndex(t,
		names.Usage{ID: "1", Name: "Trachelospermum axillare", Author: "Hook.f.", Rank: "Species", Status: names.Accepted, Family: "Apocynaceae"},
		names.Usage{ID: "2", AcceptedID: "1", Name: "Maesa scandens", Author: "H.Lév.", Rank: "Species", Status: names.Synonym, Family: "Primulaceae"},
		names.Usage{ID: "3", Name: "Maesa perlarius", Author: "(Lour.) Merr.", Rank: "Species", Status: names.Accepted, Family: "Primulaceae"},
		names.Usage{ID: "4", AcceptedID: "3", Name: "Maesa scandens", Author: "Nescio", Rank: "Species", Status: names.Synonym, Family: "Primulaceae"},
		names.Usage{ID: "5", AcceptedID: "1", Name: "Ardisia dubia", Author: "H.Lév.", Rank: "Species", Status: names.Synonym, Family: "Primulaceae"})
	for _, tt := range []struct {
		name, family string
		score        float64
		differs      bool
	}{
		{"Maesa scandens H.Lév.", "Apocynaceae", 1, false},
		{"Maesa scandens H.Lév.", "Primulaceae", 0.90, true},
		{"Maesa scandens H.Lév.", "Myrsinaceae", 0.90, true},
		{"Maesa skandens H.Lév.", "Primulaceae", 0.90, true},
		{"Maesa scandens H.Lév.", "Rosaceae", 0.85, true},
		{"Maesa scandens Nescio", "Primulaceae", 1, false},
		{"Ardisia dubia Quisquis", "Primulaceae", 0.90, true},
		{"Ardisia dubia Quisquis", "Rosaceae", 0.85, true},
	} {
		r, err := ix.Match(names.Query{Name: tt.name, Family: tt.family})
		if err != nil || len(r.Results) == 0 || r.Results[0].Flags.Has(answer.FamilyDiffers) != tt.differs || r.Results[0].Score != tt.score {
			t.Errorf("%s in %s: %v, %s; want %.2f, familyDiffers %t", tt.name, tt.family, err, render(r), tt.score, tt.differs)
		}
	}
}

// TestFamiliesOfSynonyms checks, for synonyms of WCVP, that their own family never makes an answer one
// to be checked, and that the answer has the flag if it is in another family.
func TestFamiliesOfSynonyms(t *testing.T) {
	ix := sharedIndex(t)
	asked, differ := 0, 0
	must(t, eachRow(filepath.Join(sharedDir(t), "data", "wcvp.zip"), "wcvp_names.csv", '|', func(row map[string]string) error {
		if row["taxon_status"] != "Synonym" || row["family"] == "" {
			return nil
		}
		q := names.Query{Name: row["taxon_name"], Author: row["taxon_authors"], Limit: 1}
		without, err := ix.Match(q)
		must(t, err)
		if len(without.Results) == 0 || families.Same(string(without.Results[0].AcceptedFamily), row["family"]) {
			return nil
		}
		q.Family = row["family"]
		with, err := ix.Match(q)
		must(t, err)
		before, e := without.Results[0], with.Results[0]
		asked++
		if e.Flags.Has(answer.FamilyDiffers) {
			differ++
		}
		if before.Score >= names.ScoreTake && (e.Score < names.ScoreTake || e.AcceptedName != before.AcceptedName) {
			t.Errorf("%s %s: %s, in %s: %s", q.Name, q.Author, render(without), q.Family, render(with))
		}
		return nil
	}))
	if t.Logf("%d of %d have the flag", differ, asked); asked < 1000 || 10*differ < 9*asked {
		t.Errorf("%d of %d have the flag, want nine of ten of 1000 and more", differ, asked)
	}
}

// TestChineseNameHint checks the effects of a Chinese name given beside the scientific name. It may
// confirm a candidate, choose one, find one, or contradict one. The first candidate always has the
// highest score.
func TestChineseNameHint(t *testing.T) {
	ix := hinted(t)
	for _, tt := range []struct {
		name, beside  string
		accepted      string
		least, most   float64
		contradictory bool
	}{
		{"Oryza sativa", "稻", "Oryza sativa", 1, 1, false},                        // confirms the answer
		{"Poa chinensis", "普通早熟禾", "Poa trivialis", 0.9, 1, false},                // chooses between homonyms
		{"Poa chinensis Nescio", "普通早熟禾", "Poa trivialis", 0.7, 0.7, false},       // chooses, although the author is unknown
		{"Poa chinensis Steud.", "普通早熟禾", "Poa chinensis", 0.9, 1, true},          // the author decides, against the Chinese name
		{"Xyzzia nihil", "稻", "Oryza sativa", 0.7, 0.75, false},                   // finds a candidate although no checklist has the scientific name
		{"Gossypium herbaceoides", "树棉", "Gossypium arboreum", 0.7, 0.75, false},  // finds a candidate although no checklist has the scientific name
		{"Oryza sativa", "树棉", "Oryza sativa", 0.7, 0.85, true},                   // contradicts the scientific name
		{"Oryza sativa", "无此名", "Oryza sativa", 0.98, 0.98, false},                // is unknown, so it has no effect
		{"Oryza sativa", "稻属", "Oryza sativa", 0.98, 0.98, false},                 // is that of the genus, so it has no effect
		{"Oryza sativa", "rice", "Oryza sativa", 0.98, 0.98, false},               // is not Chinese, so it has no effect
		{"树棉", "稻", "Gossypium arboreum", 0.98, 0.98, false},                      // has no effect, since the name itself is Chinese
		{"Gossypium arboreun", "陆地棉", "Gossypium arboreum", 0.7, 0.85, true},      // contradicts a misspelt name
		{"Oryza sativus", "稻", "Oryza sativa", 0.9, 1, false},                     // confirms a misspelt name
		{"野生陆地棉(Gossypium arboreum)", "", "Gossypium arboreum", 0.7, 0.98, false}, // only a part of the Chinese words is a name, so it does not contradict
		{"Gossypium arboreum", "野生陆地棉", "Gossypium arboreum", 0.85, 0.98, false},  // the same with the Chinese name in its own field
	} {
		r, err := ix.Match(names.Query{Name: tt.name, ChineseName: tt.beside})
		if err != nil || len(r.Results) == 0 {
			t.Errorf("%s beside %s: %v, %s", tt.name, tt.beside, err, render(r))
			continue
		}
		best := r.Results[0]
		if string(best.AcceptedName) != tt.accepted || best.Score < tt.least || best.Score > tt.most || best.Flags.Has(answer.ChineseNameDiffers) != tt.contradictory {
			t.Errorf("%s beside %s: %s at %.2f, want %s at %.2f to %.2f", tt.name, tt.beside, render(r), best.Score, tt.accepted, tt.least, tt.most)
		}
		for _, other := range r.Results[1:] {
			if other.Score >= best.Score {
				t.Errorf("%s beside %s: %s has %.2f, the first has %.2f", tt.name, tt.beside, other.MatchedName, other.Score, best.Score)
			}
		}
	}
}

// TestChineseFamilies checks that adding the family column of a Chinese list to the query never
// lowers the score of a row.
func TestChineseFamilies(t *testing.T) {
	ix := sharedIndex(t)
	family := regexp.MustCompile(`family (\S+)`)
	rows := 0
	for row := range judged(t, filepath.Join(sharedDir(t), "golden", "names-3", "cnplants.tsv")) {
		beside := family.FindStringSubmatch(row["note"])
		if beside == nil {
			continue
		}
		rows++
		without, err := ix.Match(names.Query{Name: row["input"]})
		must(t, err)
		with, err := ix.Match(names.Query{Name: row["input"], Family: beside[1]})
		must(t, err)
		if len(with.Results) == 0 || len(without.Results) == 0 || with.Results[0].Score < without.Results[0].Score ||
			with.Results[0].MatchedName != without.Results[0].MatchedName {
			t.Errorf("%s with %s: %s, without: %s", row["input"], beside[1], render(with), render(without))
		}
	}
	if rows < 250 {
		t.Errorf("%d rows have a family, want 250 and more", rows)
	}
}

// TestHintsWithoutValue checks that a hint that states that there is no value is none.
func TestHintsWithoutValue(t *testing.T) {
	ix := hinted(t)
	for _, name := range []string{"Oryza sativa", "Oryza satyva", "Poa chinensis"} {
		want, err := ix.Match(names.Query{Name: name})
		must(t, err)
		for _, none := range []string{"NA", "N/A", "NULL", "None", "nan", "#N/A", "n.a.", "unknown", "s.n.", "-", " – "} {
			got, err := ix.Match(names.Query{Name: name, Author: none, Family: none, ChineseName: none})
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s with the hints %q (-without +with): %v\n%s", name, none, err, diff)
			}
		}
	}
	if names.Missing("Nannf.") || names.Missing("S.Nakai") || names.Missing("Unger") {
		t.Error("an author is taken for none")
	}
}
