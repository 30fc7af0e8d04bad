package api_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bencao/internal/test/indextest"
	"bencao/internal/test/snapshottest"
	"bencao/internal/test/testkit"
	"bencao/names"
	"bencao/store"
)

// must ends the test if there is an error.
var must = testkit.Must

// The guids of records that many tests use.
const (
	ginseng    = "af3292fc-12d3-59b2-83b2-9deda4bc842a" // as in the examples of the OpenAPI document
	willow     = "5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d07"
	guizhiTang = "7c0dea0f-00af-56ad-9a48-171a85941d9e"
	cassiaTwig = "2ec8d702-d96b-5ed0-b26d-728450423535"
	gypsum     = "2c1e0f0e-6f0a-5d55-8a4c-1d7a2b3c4d03"
	nobody     = "00000000-0000-4000-8000-000000000000"
)

func ptr[T any](v T) *T { return &v }

// records returns the plants of 桂枝汤, 人参, a species with few fields, three formulas, three papers,
// and four herbs, one of them a mineral.
func records() *store.Data {
	species := []store.Species{
		{
			SpeciesDetail: store.SpeciesDetail{
				GUID: ginseng, EntryID: 1, ChineseName: "人参", ChineseNamePinyin: "rén shēn", ScientificName: "Panax ginseng", Author: "C.A.Mey.",
				Rank: "species", Family: "Araliaceae", FamilyChinese: "五加科", Genus: "Panax", GenusChinese: "人参属",
				NameMatch: &store.NameMatchInfo{
					MatchSource: "WCVP", MatchType: "exact", Score: ptr(1.0), AcceptedName: "Panax ginseng", AcceptedAuthor: "C.A.Mey.",
					AcceptedFamily: "Araliaceae", TaxonStatus: "accepted", WCVPID: "146697", IPNIID: "91472-1", WFOID: "wfo-0000263606",
					ChineseNameColChina: "人参", ChecklistVersion: "WCVP v13",
				},
			},
			Synonyms: []store.Synonym{{ID: 1, Name: "Panax schinseng", Author: "T.Nees"}, {ID: 2, Name: "Aralia ginseng", Author: "(C.A.Mey.) Baill."}},
			Aliases:  []store.Alias{{Name: "棒槌", Pinyin: "bàng chui", Kind: "local"}},
			Flora: []store.FloraTreatment{
				{ID: 1, Flora: "FRPS", NameInFlora: "Panax ginseng C. A. Mey.", ChineseNameInFlora: "人参", Volume: "54", Page: "180", URL: "https://www.iplant.cn/frps/vol/54"},
				{ID: 2, Flora: "FOC", Volume: "13"},
			},
			Uses: []store.PlantUse{
				{ID: 1, Collection: "general", Category: "medicine", Part: "root", Description: "tonic, \"大补元气\"", Reference: "中国药典"},
				{ID: 2, Collection: "folk", EthnicGroup: "朝鲜族", Country: "China", Region: "Jilin"},
			},
			Listings:  []store.Listing{{List: snapshottest.ListWCVP, ID: "146697"}},
			Areas:     []store.ListedArea{{Code: "CHM", Name: "Manchuria", Chinese: "中国东北"}, {Code: "JAP", Name: "Japan", Chinese: "日本", Introduced: true}},
			LifeForms: []string{"perennial"},
			Papers:    []store.Num{0, 1},
			Formulas:  []store.Num{2},
		},
		{SpeciesDetail: store.SpeciesDetail{GUID: "5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d02", EntryID: 2, ChineseName: "肉桂", ChineseNamePinyin: "ròu guì", ScientificName: "Cinnamomum cassia", Author: "(L.) J.Presl", Rank: "species", Family: "Lauraceae"}, Formulas: []store.Num{0, 1}},
		{SpeciesDetail: store.SpeciesDetail{GUID: "5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d03", EntryID: 3, ChineseName: "芍药", ChineseNamePinyin: "sháo yào", ScientificName: "Paeonia lactiflora", Author: "Pall.", Rank: "species", Family: "Paeoniaceae"}, Formulas: []store.Num{0, 1}},
		{SpeciesDetail: store.SpeciesDetail{GUID: "5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d04", EntryID: 4, ChineseName: "甘草", ChineseNamePinyin: "gān cǎo", ScientificName: "Glycyrrhiza uralensis", Author: "Fisch. ex DC.", Rank: "species", Family: "Fabaceae"}, Formulas: []store.Num{0, 1}},
		{SpeciesDetail: store.SpeciesDetail{GUID: "5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d05", EntryID: 5, ChineseName: "姜", ChineseNamePinyin: "jiāng", ScientificName: "Zingiber officinale", Author: "Roscoe", Rank: "species", Family: "Zingiberaceae"}, Formulas: []store.Num{0, 1}},
		{SpeciesDetail: store.SpeciesDetail{GUID: "5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d06", EntryID: 6, ChineseName: "枣", ChineseNamePinyin: "zǎo", ScientificName: "Ziziphus jujuba", Author: "Mill.", Rank: "species", Family: "Rhamnaceae"}, Formulas: []store.Num{0, 1}},
		{SpeciesDetail: store.SpeciesDetail{GUID: willow, EntryID: 7, ScientificName: "Salix babylonica", URL: "https://elsewhere.example/7?a=1&b=<2>"}},
	}
	herbs := func(names ...string) []store.Ingredient {
		of := map[string]store.Num{"桂枝": 1, "芍药": 2, "甘草": 3, "生姜": 4, "大枣": 5, "人参": 0}
		doses := map[string]string{"桂枝": "三两", "芍药": "三两", "甘草": "二两", "生姜": "三两", "大枣": "十二枚", "人参": "一两"}
		grams := map[string]*float64{"三两": ptr(41.4), "二两": ptr(27.6)}
		list := make([]store.Ingredient, len(names))
		for i, n := range names {
			list[i] = store.Ingredient{Seq: int32(i + 1), Herb: n, Plain: []string{n}, Dose: doses[n], Grams: grams[doses[n]]}
			if num, ok := of[n]; ok {
				list[i].Species = []store.Num{num}
			}
			if record := slices.Index([]string{"桂枝", "甘草"}, n); record >= 0 {
				list[i].Herbs = []store.Num{store.Num(record)}
			}
		}
		return list
	}
	five := []string{"桂枝", "芍药", "甘草", "生姜", "大枣"}
	formulas := []store.Formula{
		{
			FormulaDetail: store.FormulaDetail{
				GUID: guizhiTang, EntryID: 1, Name: "桂枝汤", NamePinyin: "guì zhī tāng", Composition: "桂枝三两（去皮） 芍药三两 甘草二两（炙） 生姜三两（切） 大枣十二枚（擘）",
				Efficacy: "解肌发表，调和营卫", Indications: "太阳中风，阳浮而阴弱", Preparation: "上五味，以水七升，微火煮取三升，去滓，温服一升", Dynasty: "东汉", Year: ptr(int32(219)), OriginalAuthor: "张仲景", OriginalSource: "伤寒论", Compilation: "辨太阳病脉证并治", Codes: []store.FormulaCode{{System: "GB/T 31773-2015", Code: "0101001", Label: "桂枝汤"}, {System: "local", Code: "GZT"}},
			},
			Ingredients:      herbs(five...),
			Species:          []store.Num{1, 2, 3, 4, 5},
			SimilarJaccard:   []store.Similar{{Formula: 1, Value: 5.0 / 6}},
			SimilarEuclidean: []store.Similar{{Formula: 1, Value: 4}},
		},
		{
			FormulaDetail: store.FormulaDetail{
				GUID: "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02", EntryID: 2, Name: "桂枝加葛根汤", NamePinyin: "guì zhī jiā gě gēn tāng", Dynasty: "东汉", Year: ptr(int32(219)), OriginalSource: "伤寒论",
			},
			Ingredients: herbs(append(five, "葛根")...), Species: []store.Num{1, 2, 3, 4, 5},
			SimilarJaccard: []store.Similar{{Formula: 0, Value: 5.0 / 6}},
		},
		{FormulaDetail: store.FormulaDetail{GUID: "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d03", EntryID: 3, Name: "独参汤", NamePinyin: "dú shēn tāng", Dynasty: "元", OriginalSource: "十药神书"}, Ingredients: herbs("人参"), Species: []store.Num{0}},
	}
	araliaceae, panax := []store.Taxon{{Name: "Araliaceae", Chinese: "五加科"}}, []store.Taxon{{Name: "Panax", Chinese: "人参属"}}
	papers := []store.Paper{
		{PaperSummary: store.PaperSummary{ID: "doi:10.1038/nature.2013.1", Title: "Ginsenosides of Panax ginseng", Authors: "Li, M.; Wang, L.", Source: "Phytochemistry", Year: "2013", DOI: "10.1038/nature.2013.1", PubMedID: "23000001"}, Species: []store.Num{0}, Families: araliaceae, Genera: panax},
		{PaperSummary: store.PaperSummary{ID: "p2", Title: "人参皂苷的研究进展", Year: "2001", Source: "中草药"}, Species: []store.Num{0}, Families: araliaceae, Genera: panax},
		{PaperSummary: store.PaperSummary{ID: "p3", Title: "Paeoniflorin, a review"}},
	}
	plant := func(n store.Num, part string) []store.HerbSource {
		s := species[n]
		return []store.HerbSource{{Species: n, ChineseName: string(s.ChineseName), ScientificName: string(s.ScientificName), Part: part}}
	}
	herbRecords := []store.Herb{
		{
			GUID: cassiaTwig, Name: "桂枝", NamePinyin: "guì zhī", Latin: []string{"Cinnamomi Ramulus"}, Aliases: []store.HerbName{{Reading: store.Reading{Name: "柳桂", Pinyin: "liǔ guì"}, Kind: "book"}},
			Forms: []string{"炒桂枝"}, Parts: []string{"twig"}, Kind: "plant", Species: plant(1, "twig"), Formulas: []store.Num{0, 1},
			Written: []store.HerbWritten{{Herb: "桂枝", Formulas: 2}}, With: []store.HerbTogether{{Herb: 1, Formulas: 2}},
		},
		{
			GUID: "2c1e0f0e-6f0a-5d55-8a4c-1d7a2b3c4d02", Name: "甘草", NamePinyin: "gān cǎo", Latin: []string{"Glycyrrhizae Radix et Rhizoma", "Glycyrrhizae Radix"},
			Parts: []string{"root"}, Kind: "plant", Species: append(plant(3, "root"), store.HerbSource{Species: 3, ScientificName: "Glycyrrhiza uralensis", FromYear: ptr(int32(600))}),
			Formulas: []store.Num{0, 1}, Written: []store.HerbWritten{{Herb: "甘草", Formulas: 2}}, With: []store.HerbTogether{{Herb: 0, Formulas: 2}},
		},
		{GUID: gypsum, Name: "石膏", NamePinyin: "shí gāo", Latin: []string{"Gypsum Fibrosum"}, Kind: "mineral", NoPlant: true},
		{
			GUID: "2c1e0f0e-6f0a-5d55-8a4c-1d7a2b3c4d04", Name: "桂枝尖", NamePinyin: "guì zhī jiān",
			VariantOf: []store.HerbVariant{{Herb: 0, How: "part"}},
		},
	}
	for i := range herbRecords {
		herbRecords[i].Num = store.Num(i)
	}
	for i := range species {
		species[i].Num = store.Num(i)
	}
	for i := range formulas {
		formulas[i].Num = store.Num(i)
	}
	for i := range papers {
		papers[i].Num = store.Num(i)
	}
	return &store.Data{
		Species: species, Formulas: formulas, Papers: papers, Herbs: herbRecords,
		Stats: store.SiteStats{
			SpeciesWithChineseName: 6, PlantTaxa: 7, ReconciledChineseNamed: 1, FloraTreatments: 2, Formulas: 3,
			FormulaIngredients: 12, FormulaCodes: 2, SpeciesFormulaLinks: 11, UseRecords: 2, Papers: 3,
			SpeciesPaperLinks: 2, Synonyms: 2, FolkKnowledge: 1,
			ComputedAt: time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC), ReconciledPct: ptr(100.0 / 6),
		},
	}
}

// wcvp are the names in the checklist of every snapshot.
var wcvp = []names.Usage{
	{ID: "146697", Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Status: names.Accepted, Family: "Araliaceae", IPNIID: "91472-1", WFOID: "wfo-0000263606", Facts: names.Facts{
		Publication: "Bull. Cl. Phys.-Math. Acad. Imp. Sci. Saint-Pétersbourg 1: 340", Published: "1843", LifeForm: "perennial", Area: "Russian Far East to Korea", Reviewed: "Y",
	}},
	{ID: "146699", AcceptedID: "146697", Name: "Aralia ginseng", Author: "(C.A.Mey.) Baill.", Rank: "species", Status: names.Synonym, Family: "Araliaceae", Facts: names.Facts{BasionymID: "146697"}},
	{ID: "146698", Name: "Panax notoginseng", Author: "(Burkill) F.H.Chen", Rank: "species", Status: names.Accepted, Family: "Araliaceae"},
}

// places are where the plants grow.
var places = map[string][]store.Place{"146697": {{Code: "CHM"}, {Code: "JAP", Introduced: true}, {Code: "PRM", Status: store.Doubtful}}}

// usual is the snapshot of records, shared by all tests that do not change it.
var usual = snapshottest.Shared{Data: records, WCVP: wcvp, Places: places, Before: []snapshottest.Version{{ID: firstVersion, Data: firstRecords}, {ID: secondVersion, Data: secondRecords}}}

// Versions of the data that are older than the snapshot of the tests' servers.
const (
	firstVersion  = "20261118T021500Z-000001"
	secondVersion = "20261119T021500Z-000001" // as in the example of the OpenAPI document
)

// secondRecords returns the records of the previous version: without 独参汤 and its paper, with
// another name of 人参, and with a paper that was removed.
func secondRecords() *store.Data {
	d := records()
	d.Species[0].ChineseName = "人蔘"
	d.Formulas[2].GUID, d.Formulas[2].Name = oldFormula, "古方"
	d.Papers[2].ID, d.Papers[2].Title = "p-gone", "Withdrawn"
	return d
}

// firstRecords returns the records of firstVersion. They differ from those of secondVersion in the
// name of 石膏, and in the id and title of the removed paper.
func firstRecords() *store.Data {
	d := records()
	d.Species[0].ChineseName = "人蔘"
	d.Formulas[2].GUID, d.Formulas[2].Name = oldFormula, "古方"
	d.Herbs[2].Name = "細石"
	d.Papers[2].ID, d.Papers[2].Title = "p-older", "Never read"
	return d
}

// oldFormula is the guid of a formula that only older versions have.
const oldFormula = "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d99"

// sample is the snapshot of the sample, shared by all tests.
var sample indextest.Shared

func TestMain(m *testing.M) { usual.Run(m, sample.Remove) }

// buildSnapshot writes a snapshot for one test.
func buildSnapshot(tb testing.TB, d *store.Data) string {
	tb.Helper()
	return snapshottest.Write(tb, d, wcvp...)
}

// replaceStore replaces the store in a snapshot's directory.
func replaceStore(tb testing.TB, dir string, d *store.Data) {
	tb.Helper()
	path := filepath.Join(dir, "store.bolt")
	must(tb, os.Remove(path))
	must(tb, store.Write(context.Background(), path, d, nil))
}
