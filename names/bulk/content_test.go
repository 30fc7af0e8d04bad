package bulk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bencao/internal/null"
	"bencao/names"
	"bencao/names/bulk"

	"github.com/google/go-cmp/cmp"
)

// TestColumnsByContent checks which columns are taken if the headers are unknown, or say something
// else than the cells.
func TestColumnsByContent(t *testing.T) {
	match := tableMatcher(t)
	for _, tt := range []struct {
		what, list string
		want       bulk.Taken
	}{
		{"common names beside the names of an authority",
			"Native Status,Physiognomy,MN DNR Official Name,Common Name,Emerging (New) Taxonomy,Gleason & Cronquist Synonym\n" +
				"native,forb,Panax quinquefolius,American Ginseng,,\nnative,tree,Pinus sylvestris,scotch pine,,\nnative,grass,Poa annua,annual bluegrass,Poa annua var. reptans,Poa supina\n",
			bulk.Taken{Name: "MN DNR Official Name", ByCells: []string{"MN DNR Official Name"}, Others: []string{"Emerging (New) Taxonomy", "Gleason & Cronquist Synonym"}}},
		{"two headers of names", "AccSpeciesName,OrigName,value\nPanax ginseng,Panax schinseng,1\nPoa annua,Poa supina,2\n",
			bulk.Taken{Name: "AccSpeciesName", Others: []string{"OrigName"}}},
		{"two columns with authors in turn", "scientificName,acceptedName\nPoa annua,Poa annua L.\nPinus sylvestris L.,Pinus sylvestris\n",
			bulk.Taken{Name: "scientificName", Others: []string{"acceptedName"}}},
		{"Chinese under a common name", "Species,Chinese common name\nPinus tabuliformis,油松\nSalvia miltiorrhiza,丹参\n",
			bulk.Taken{Name: "Species", ChineseName: "Chinese common name", ByCells: []string{"Chinese common name"}}},
		{"Korean", "학명,국명\nPinus sylvestris,구주소나무\nPoa annua,새포아풀\n", bulk.Taken{Name: "학명"}},
		{"Russian", "Латинское название;Русское\nPinus sylvestris;Сосна обыкновенная\nPoa annua;Мятлик однолетний\n", bulk.Taken{Name: "Латинское название"}},
		{"French", "Nom latin,Famille\nPinus sylvestris,Pinaceae\nPoa annua,Poaceae\n", bulk.Taken{Name: "Nom latin", Family: "Famille"}},
		{"an unknown header of two columns", "Растение,Прим.\nPinus sylvestris,лес\nPoa annua,луг\n", bulk.Taken{Name: "Растение", ByCells: []string{"Растение"}}},
		{"chinese beside scientific", "chinese,scientific\n油松,Pinus tabuliformis\n丹参,Salvia miltiorrhiza\n", bulk.Taken{Name: "scientific", ChineseName: "chinese"}},
		{"a header of names over Chinese names", "name,bot\n油松,Pinus tabuliformis\n丹参,Salvia miltiorrhiza\n",
			bulk.Taken{Name: "bot", ChineseName: "name", ByCells: []string{"bot"}}},
		{"a rank and an epithet in two columns, families thrice",
			"Family APG2,FAMFOSTER,FamCroat,Genus,Prefix,Species,Author,v/s,Varsub,Varsubauth\n" +
				"Pinaceae,Pinaceae,Pinaceae,Pinus,,sylvestris,L.,v,mongolica,Litv.\nPoaceae,Gramineae,Gramineae,Poa,cf.,annua,L.,,,\nAraliaceae,Araliaceae,Araliaceae,Panax,,ginseng,C.A.Mey.,,,\n",
			bulk.Taken{Genus: "Genus", Epithet: "Species", Infraspecific: "Varsub", Rank: "v/s", Author: "Author", BelowAuthor: "Varsubauth", Qualifier: "Prefix", Family: "Family APG2",
				ByCells: []string{"Family APG2", "v/s", "Varsub", "Varsubauth", "Prefix"}}},
		{"names with their source", "current_binomial,current_name,source_current_name,current_authority\nPinus sylvestris,Pinus sylvestris var. mongolica,WCVP,Litv.\nPoa annua,Poa annua,WCVP,L.\n",
			bulk.Taken{Name: "current_name", Author: "current_authority", ByCells: []string{"current_authority"}, Others: []string{"current_binomial"}}},
		{"authors under another header", "taxon,wer\nPanax notoginseng,(Burkill) F.H.Chen\nPoa annua,L.\n", bulk.Taken{Name: "taxon", Author: "wer", ByCells: []string{"wer"}}},
		{"Dutch", "Latijnse naam;Nederlandse naam\nPinus sylvestris;grove den\nPoa annua;straatgras\n", bulk.Taken{Name: "Latijnse naam", ByCells: []string{"Latijnse naam"}}},
		{"Vietnamese", "Tên khoa học,Tên Việt Nam,Họ\nPinus sylvestris,Thông,Pinaceae\nPoa annua,Cỏ,Poaceae\n",
			bulk.Taken{Name: "Tên khoa học", Family: "Họ", ByCells: []string{"Tên khoa học", "Họ"}}},
		{"synonyms in another column", "TaxonID,Taxon scientific name,Synonyms\n1,Acer palmatum Thunb.,Acer polymorphum\n2,Poa annua L.,\n",
			bulk.Taken{Name: "Taxon scientific name", Others: []string{"Synonyms"}}},
		{"genus and epithet beside synonyms", "Genus,Species,Synonyms\nPinus,sylvestris,Pinus rubra\nPoa,annua,\nPanax,ginseng,Panax schinseng\n",
			bulk.Taken{Genus: "Genus", Epithet: "Species", Others: []string{"Synonyms"}}},
		{"genus and epithet beside two columns of the same rank", "Genus,Species,Erste,Zweite\nPinus,sylvestris,Pinus rubra,Pinus nigra\nPoa,annua,Poa supina,Poa humilis\n",
			bulk.Taken{Genus: "Genus", Epithet: "Species", Others: []string{"Erste", "Zweite"}}},
		{"genus and epithet beside the name", "Genus,Species,Scientific Name\nPinus,sylvestris,Pinus sylvestris\nPoa,annua,Poa annua\n",
			bulk.Taken{Name: "Scientific Name", Genus: "Genus", Epithet: "Species"}},
		{"Chinese names beside some synonyms", "名称,异名\n油松,Pinus leucosperma\n丹参,Salvia pogonocalyx\n三七,\n", bulk.Taken{Name: "名称", Others: []string{"异名"}}},
		{"genera with an example", "taxon,example\nPinus,Pinus sylvestris\nPoa,Poa annua\nAraliaceae,Panax ginseng\n", bulk.Taken{Name: "taxon", Others: []string{"example"}}},
		{"the name without and with its authors", "Id,Taxon,Family,Name (excl. author citation)\n1,Panax notoginseng (Burkill) F.H.Chen,Araliaceae,Panax notoginseng\n2,Poa annua L.,Poaceae,Poa annua\n",
			bulk.Taken{Name: "Taxon", Family: "Family", Others: []string{"Name (excl. author citation)"}}},
		{"Chinese names under another header", "TCM_name,Herb_latin_name,Function\n油松,Pinus tabuliformis,expectorant\n丹参,Salvia miltiorrhiza,\n三七,,hemostatic\n",
			bulk.Taken{Name: "Herb_latin_name", ChineseName: "TCM_name", ByCells: []string{"TCM_name"}}},
		{"Chinese names of which few are known", "TCM_name,Herb_latin_name\n油松,Pinus tabuliformis\n丹参,Salvia miltiorrhiza\n甲药,Poa annua\n乙药,Poa annua\n丙药,Pinus sylvestris\n丁药,Pinus nigra\n戊药,Acer palmatum\n己药,Panax ginseng\n庚药,Poa annua\n辛药,\n壬药,\n",
			bulk.Taken{Name: "Herb_latin_name", ChineseName: "TCM_name", ByCells: []string{"TCM_name"}}},
		{"Chinese texts are no names", "taxon,说明\nPinus tabuliformis,松科松属的常绿乔木，产于华北的山地\nSalvia miltiorrhiza,唇形科鼠尾草属的多年生草本，根入药\n", bulk.Taken{Name: "taxon"}},
		{"no header", "Panax ginseng,Korean ginseng\nPoa annua,\nPinus sylvestris,Scots pine\nAcer palmatum,Japanese maple\nSalvia miltiorrhiza,red sage\n",
			bulk.Taken{Name: "column 1", ByCells: []string{"column 1"}}},
		{"a list of names in which some have a comma", "Panax notoginseng (Burkill) F.H.Chen, 1975\nPoa annua\nPinus sylvestris, L.\nAcer palmatum\nSalvia miltiorrhiza\n", bulk.Taken{}},
		{"headers of two words that could be names", "Nama lokal,Nama ilmiah,Famili,Forma biologica\nThông,Pinus sylvestris,Pinaceae,P caesp\nCỏ,Poa annua,Poaceae,T scap\n",
			bulk.Taken{Name: "Nama ilmiah", Family: "Famili"}},
		{"the same without a usual header", "Original label,Plant source,Part used\n1,Pinus sylvestris,bark\n2,Poa annua,leaf\n", bulk.Taken{Name: "Plant source", ByCells: []string{"Plant source"}}},
		{"names with underscores", "tip.label,clade\nPinus_sylvestris,gymnosperms\nPoa_annua,monocots\n", bulk.Taken{Name: "tip.label", ByCells: []string{"tip.label"}}},
		{"Polish", "Nazwa polska,Nazwa łacińska\nsosna zwyczajna,Pinus sylvestris\nwiechlina roczna,Poa annua\n", bulk.Taken{Name: "Nazwa łacińska", Others: []string{"Nazwa polska"}}},
		{"Japanese, with remarks", "和名,学名,科名,備考\nアカマツ,Pinus sylvestris,Pinaceae,植栽\nスズメノカタビラ,Poa annua,Poaceae,帰化\n", bulk.Taken{Name: "学名", Family: "科名"}},
		{"Russian with genus and species", "Семейство;Род;Вид;Автор\nPinaceae;Pinus;sylvestris;L.\nPoaceae;Poa;annua;L.\n",
			bulk.Taken{Genus: "Род", Epithet: "Вид", Author: "Автор", Family: "Семейство"}},
		{"Korean with genus and epithet", "과,속명,종소명,명명자\nPinaceae,Pinus,sylvestris,L.\nPoaceae,Poa,annua,L.\n",
			bulk.Taken{Genus: "속명", Epithet: "종소명", Author: "명명자", Family: "과"}},
		{"two usual headers of names, without a genus", "样方号,层次,种名,拉丁名\nQ1,乔木,马尾松,Pinus sylvestris\nQ1,草本,早熟禾,Poa annua\n", bulk.Taken{Name: "拉丁名", ChineseName: "种名"}},
		{"a title that could be a name", "Herb,Latin binomial,Part\nPine,Pinus sylvestris,bark\nMeadow grass,Poa annua,herb\nGinseng,Panax ginseng,root\nMaple,Acer palmatum,leaf\nSage,Salvia miltiorrhiza,root\n",
			bulk.Taken{Name: "Latin binomial"}},
		{"organisms beside their Chinese names", "Compound,Source organism,中文名\nTaxifolin,Pinus sylvestris,欧洲赤松\nTanshinone,Salvia miltiorrhiza,丹参\n",
			bulk.Taken{Name: "Source organism", ChineseName: "中文名", ByCells: []string{"Source organism"}}},
		{"commas in the labels of a table with tabs", "Latin name, family and habit\tVernacular\tPart, use and reference\nPinus sylvestris L.\tpine, Scots pine\tbark\nPoa annua L.\t\therb\n",
			bulk.Taken{Name: "Latin name, family and habit"}},
		{"a tab at the end of a header with commas", "Name,Family\t\nPanax ginseng,Araliaceae\nPoa annua,Poaceae\n", bulk.Taken{Name: "Name", Family: "Family\t"}},
		{"a tab after a comma", "Name,\tFamily\nPanax ginseng,Araliaceae\nPoa annua,Poaceae\n", bulk.Taken{Name: "Name", Family: "\tFamily"}},
		{"the family below each name", "Latin name and family,Vernacular name(s)\nPinus sylvestris L.,pine\n\"Pinaceae, tree\",\nPoa annua L.,meadow grass\n\"Poaceae, grass\",\n",
			bulk.Taken{Name: "Latin name and family"}},
		{"organisms beside species", "Plant organism,Plant species\nPoa annua,Poa annua\nPinus nigra,Pinus sylvestris\n", bulk.Taken{Name: "Plant species", Others: []string{"Plant organism"}}},
		{"hosts beside pathogens", "host plant,plant pathogen\nPoa annua,Puccinia graminis\nPinus sylvestris,Lophodermium pinastri\n", bulk.Taken{Name: "host plant", ByCells: []string{"host plant"}, Others: []string{"plant pathogen"}}},
		{"a list under a word of another language", "Especies\nPinus sylvestris\nPoa annua\nPanax ginseng\n", bulk.Taken{Name: "Especies"}},
		{"a list of Chinese names under the word for plants", "植物\n油松\n丹参\n三七\n", bulk.Taken{Name: "植物"}},
		{"few rows with a subspecies, in French", "Genre,Espèce,Sous-espèce,Auteur\nPinus,sylvestris,,L.\nPoa,annua,raniglumis,L.\n",
			bulk.Taken{Genus: "Genre", Epithet: "Espèce", Infraspecific: "Sous-espèce", Author: "Auteur"}},
		{"few rows with a variety, in Chinese", "属名,种加词,定名人,种下等级,种下名\nPinus,sylvestris,L.,var.,mongolica\nPoa,annua,L.,,\n",
			bulk.Taken{Genus: "属名", Epithet: "种加词", Infraspecific: "种下名", Rank: "种下等级", Author: "定名人"}},
		{"a header in two scripts beside names", "name,学名 Species\nPinus sylvestris,Poa annua\nPoa annua,Pinus sylvestris\n", bulk.Taken{Name: "学名 Species", Others: []string{"name"}}},
		{"Latin names of families are none of species", "科拉丁名,属拉丁名,种\nPinaceae,Pinus,sylvestris\nPoaceae,Poa,annua\n", bulk.Taken{Family: "科拉丁名", Genus: "属拉丁名", Epithet: "种"}},
		{"a form of growth is no epithet", "scientificName,Form\nPoa annua,grass\nPinus sylvestris,tree\nAcer palmatum,tree\nSalvia miltiorrhiza,herb\n", bulk.Taken{Name: "scientificName"}},
		{"nor where the checklists have its autonym", "taxon,infraspecificEpithet\nPoa annua,annua\nPinus sylvestris var. mongolica,mongolica\nAcer palmatum,palmatum\n", bulk.Taken{Name: "taxon"}},
		{"the epithet of the name is none below it", "taxon,x\nPinus sylvestris,sylvestris\nPoa annua,annua\nAcer palmatum,palmatum\n", bulk.Taken{Name: "taxon"}},
		{"authors of names that nobody knows", "taxon,wer\nBryum argenteum,Bruch & Schimp.\nGrimmia pulvinata,(Hedw.) Sm.\nGrimmia laevigata,(Hook.f.) Brid.\n", bulk.Taken{Name: "taxon", Author: "wer", ByCells: []string{"wer"}}},
		{"an author whose abbreviation begins like a family", "taxon,wer\nBryum argenteum,Hedw.\nFunaria hygrometrica,Hedw.\n", bulk.Taken{Name: "taxon", Author: "wer", ByCells: []string{"wer"}}},
		{"a rank that is a label in other tables", "V0,V1,V2,V3,V4,V5\n1,Pinus,sylvestris,subsp.,mongolica,Brummitt\n2,Poa,annua,,,L.\n3,Panax,ginseng,var.,rubra,C.A.Mey.\n4,Salvia,miltiorrhiza,var.,alba,(Burkill) F.H.Chen\n5,Acer,palmatum,,,Thunb.\n",
			bulk.Taken{Genus: "V1", Epithet: "V2", Infraspecific: "V4", Rank: "V3", Author: "V5", ByCells: []string{"V5", "V1", "V2", "V3", "V4"}}},
		{"genera with the ending -o", "genus,species\nSenecio,vulgaris\nPlantago,lanceolata\n", bulk.Taken{Genus: "genus", Epithet: "species"}},
		{"numbers of species are no epithets", "Genus,Species\nPinus,12\nPoa,40\nPanax,3\n", bulk.Taken{Name: "Genus", ByCells: []string{"Genus"}}},
		{"two columns of names, one under a usual header", "x1,Вид\nPinus sylvestris,Poa annua\nPoa annua,Pinus sylvestris\n", bulk.Taken{Name: "Вид", Others: []string{"x1"}}},
		{"two columns of Chinese names, one under a usual header", "x1,药名\n油松,丹参\n丹参,油松\n", bulk.Taken{Name: "药名"}},
		{"genus and epithet only where the name is empty", "id,scientific_name,genus_name,species_name\n1,Panax ginseng,,\n2,Poa annua,,\n3,Pinus sylvestris,,\n4,,Acer,palmatum\n",
			bulk.Taken{Name: "scientific_name", Genus: "genus_name", Epithet: "species_name", ByCells: []string{"species_name"}}},
		{"epithets that may be words, under their header", "genus,species,subspecies\nBryum,argenteum,minor\nFunaria,hygrometrica,major\n", bulk.Taken{Genus: "genus", Epithet: "species", Infraspecific: "subspecies"}},
		{"varieties that no checklist has", "genus,species,infraspecificEpithet\nPinus,sylvestris,nescia\nPoa,annua,nescioides\nAcer,palmatum,incognita\nPanax,ginseng,\n",
			bulk.Taken{Genus: "genus", Epithet: "species", Infraspecific: "infraspecificEpithet"}},
		{"the same beside their ranks", "genus,species,subtaxon,x1\nPinus,sylvestris,nescia,var.\nPoa,annua,nescioides,subsp.\nAcer,palmatum,incognita,var.\nPanax,ginseng,,\n",
			bulk.Taken{Genus: "genus", Epithet: "species", Infraspecific: "subtaxon", Rank: "x1", ByCells: []string{"x1", "subtaxon"}}},
		{"epithets below species only further down", "genus,species,infraspecificEpithet\nPinus,sylvestris,\nPoa,annua,\n", bulk.Taken{Genus: "genus", Epithet: "species", Infraspecific: "infraspecificEpithet"}},
		{"ranks without their epithets", "taxon,rank\nPoa annua,species\nPinus sylvestris var. mongolica,variety\n", bulk.Taken{Name: "taxon"}},
		{"authors in some rows", "taxon,wer\nPoa annua,L.\nPinus sylvestris,L.\nAcer palmatum,\nSalvia miltiorrhiza,\nPanax ginseng,\n", bulk.Taken{Name: "taxon", Author: "wer", ByCells: []string{"wer"}}},
		{"authors of varieties", "Genus,Species,x1,wer\nPinus,sylvestris,mongolica,Litv.\nPinus,sylvestris,mongolica,Litv.\nPoa,annua,,L.\n",
			bulk.Taken{Genus: "Genus", Epithet: "Species", Infraspecific: "x1", Author: "wer", ByCells: []string{"wer", "x1"}}},
		{"colours and places are no names apart", "Farbe,Ort,x1\nalba,Roma,Pinus sylvestris\nrosea,Vienna,Poa annua\nlutea,Sofia,Acer palmatum\nnigra,Riga,Salvia miltiorrhiza\n",
			bulk.Taken{Name: "x1", ByCells: []string{"x1"}, Unused: []bulk.Unused{{Column: "Farbe", Holds: bulk.HoldsEpithets}}}},
		{"two qualifiers in three thousand rows", "taxon,x1\n" + strings.Repeat("Poa annua,\n", 1500) + "Poa annua,cf.\n" + strings.Repeat("Poa annua,\n", 500) + "Poa annua,cf.\n" + strings.Repeat("Poa annua,\n", 998), bulk.Taken{Name: "taxon", Qualifier: "x1", ByCells: []string{"x1"}}},
		{"texts of two words that end as in Latin", "x1,x2\nPinus sylvestris,boschi montani\nPoa annua,prati umidi\n", bulk.Taken{Name: "x1", ByCells: []string{"x1"}}},
		{"a header with brackets", "taxon,Family (APG)\nBryum argenteum,mosses\nFunaria hygrometrica,mosses\n", bulk.Taken{Name: "taxon", Family: "Family (APG)"}},
		{"the Chinese half of a header", "taxon,科名 x\nBryum argenteum,mosses\nFunaria hygrometrica,mosses\n", bulk.Taken{Name: "taxon", Family: "科名 x"}},
		{"the other half of a header", "taxon,所在 Family\nBryum argenteum,mosses\nFunaria hygrometrica,mosses\n", bulk.Taken{Name: "taxon", Family: "所在 Family"}},
		{"many mosses", "x1,x2\n" + numberedNames("Bryum", "etum", 60), bulk.Taken{Name: "x1", ByCells: []string{"x1"}}},
		{"many names that may be words", "x1,x2\n" + numberedNames("Panax", "etor", 120), bulk.Taken{Name: "x1", ByCells: []string{"x1"}}},
		{"Chinese and Latin in one cell, beside the Chinese name", "x1,植物\n油松,油松 Pinus tabuliformis\n丹参,丹参 Salvia miltiorrhiza\n", bulk.Taken{Name: "植物", ChineseName: "x1", ByCells: []string{"x1"}}},
		{"ranks in Chinese", "属名,种名,x1,等级,种下名\nPinus,sylvestris,1,变种,mongolica\nPoa,annua,,,\n", bulk.Taken{Genus: "属名", Epithet: "种名", Infraspecific: "种下名", Rank: "等级"}},
		{"a table in capitals", "X1,X2\nPINUS SYLVESTRIS,A\nPOA ANNUA,B\nACER PALMATUM,C\n", bulk.Taken{Name: "X1", ByCells: []string{"X1"}}},
		{"nothing but genera with sp.", "x1,x2\nPinus sp.,1\nPoa sp.,2\nPanax spp.,3\n", bulk.Taken{Name: "x1", ByCells: []string{"x1"}}},
		{"headers with a prefix", "dwc:genus,dwc:specificEpithet,x1\nBryum,argenteum,1\nFunaria,hygrometrica,2\n", bulk.Taken{Genus: "dwc:genus", Epithet: "dwc:specificEpithet"}},
		{"kingdoms in Chinese", "taxon,x1\nPoa annua,植物界\nAcer palmatum,植物界\nPinus sylvestris,植物界\n", bulk.Taken{Name: "taxon", Kingdom: "x1", ByCells: []string{"x1"}}},
		{"collectors are no authors", "taxon,collector\nPanax notoginseng,(Li) F.H.Chen\nPoa annua,L.\n", bulk.Taken{Name: "taxon"}},
	} {
		_, _, stats := matchTable(t, match, tt.list, bulk.Options{})
		if diff := cmp.Diff(tt.want, stats.Taken); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.what, diff)
		}
	}
}

// TestTwoColumnsOfNames checks that the user must say which is meant of two columns of names whose
// headers tell nothing.
func TestTwoColumnsOfNames(t *testing.T) {
	list := "Erste,Zweite\nPinus sylvestris,Poa annua\nPoa annua,Pinus sylvestris\n"
	_, err := bulk.Run(t.Context(), tableMatcher(t), strings.NewReader(list), &strings.Builder{}, bulk.Options{})
	if err == nil || !strings.Contains(err.Error(), "Erste, Zweite") {
		t.Errorf("error %v; want one that names both columns", err)
	}
	_, _, stats := matchTable(t, tableMatcher(t), list, bulk.Options{Column: "Zweite"})
	if stats.Taken.Name != "Zweite" || stats.Matched != 2 {
		t.Errorf("%+v", stats)
	}
}

// TestRowsByContent checks the answers to rows that need more than one column.
func TestRowsByContent(t *testing.T) {
	match := tableMatcher(t)
	// scoresOf has the score and flags of the rows of some lists.
	scoresOf := map[string][]string{
		"cells without a value":               {"0.98 "},
		"authors of species and variety":      {"1.00 rankMissing", "1.00 "},
		"the author of the species":           {"0.98 rankMissing", "1.00 "},
		"a genus in the place of its epithet": {"0.98 ", "0.98 ", "0.98 "},
		"a variety in both columns":           {"0.98 ", "0.98 ", "0.98 rankMissing"},
		"a qualifier in both cells":           {"0.98 qualifier", "0.98 ", "0.98 "},
	}
	for _, tt := range []struct {
		what, list string
		want       []string
	}{
		{"a rank and an epithet", "Genus,Species,Author,v/s,Varsub,Varsubauth\nPinus,sylvestris,L.,v,mongolica,Litv.\nPinus,sylvestris,L.,,,\n",
			[]string{"Pinus sylvestris var. mongolica", "Pinus sylvestris"}},
		{"cells without a value", "name,author,family\nPanax ginseng,NA,#N/A\nPanax ginsenk,n.a.,unknown\nPoa annua,s.n.,NULL\n", []string{"Panax ginseng", "Panax ginseng", "Poa annua"}},
		{"a family in the first row of its block", "Familie,Art\nPinaceae,Pinus sylvestris\n,Pinus tabuliformis\nPoaceae,Poa annua\n,Panax ginseng\n",
			[]string{"Pinus sylvestris", "Pinus tabuliformis+", "Poa annua", "Panax ginseng"}},
		{"families that are missing are not those above", "Familie,Art\nPinaceae,Pinus sylvestris\nPinaceae,Pinus tabuliformis\n,Poa annua\n,Acer palmatum\n", []string{"Pinus sylvestris", "Pinus tabuliformis", "Poa annua", "Acer palmatum"}},
		{"the name of the subspecies in full", "Taxon,Subtaxon\nPinus sylvestris,Pinus sylvestris var. mongolica\nPoa annua,\nPoa annua,\n", []string{"Pinus sylvestris var. mongolica", "Poa annua", "Poa annua"}},
		{"the same with genus and epithet", "Family,genus,specificEpithet\nPinaceae,Pinus,sylvestris\n,Pinus,tabuliformis\n", []string{"Pinus sylvestris", "Pinus tabuliformis+"}},
		{"families that are missing are not those above, though they are the same", "Familie,Art\nPinaceae,Pinus sylvestris\nPinaceae,Pinus tabuliformis\n,Pinus sylvestris\n,Pinus tabuliformis\n", []string{"Pinus sylvestris", "Pinus tabuliformis", "Pinus sylvestris", "Pinus tabuliformis"}},
		{"a hybrid sign apart from its genus", "genus,species\n× Pinus,sylvestris\nPoa,annua\n", []string{"Pinus sylvestris", "Poa annua"}},
		{"a variety in both columns", "Taxon,Subtaxon\nPinus sylvestris var. mongolica,mongolica\nPoa annua,\nPinus sylvestris,mongolica\n", []string{"Pinus sylvestris var. mongolica", "Poa annua", "Pinus sylvestris var. mongolica"}},
		{"the rank in a column and in the cell", "Taxon,rank,Subtaxon\nPinus sylvestris,var.,var. mongolica\nPoa annua,,\nPinus sylvestris,var.,mongolica\n", []string{"Pinus sylvestris var. mongolica", "Poa annua", "Pinus sylvestris var. mongolica"}},
		{"an abbreviated genus behind a Chinese name", "no,植物\n1,油松 Pinus tabuliformis\n2,欧洲赤松 P. sylvestris\n3,三七 Panax notoginseng\n4,人参 P. ginseng\n", []string{"Pinus tabuliformis", "Pinus sylvestris+", "Panax notoginseng", "Panax ginseng+"}},
		{"an abbreviated genus of another letter", "no,taxon\n1,Pinus tabuliformis\n2,S. sylvestris\n3,Poa annua\n", []string{"Pinus tabuliformis", "-", "Poa annua"}},
		{"an empty genus", "genus,species\nPoa,annua\n,Pinus sylvestris\nPanax,ginseng\n", []string{"Poa annua", "Pinus sylvestris", "Panax ginseng"}},
		{"a genus in the place of its epithet", "genus,species\nPoa,annua\n,Panax\nPanax,ginseng\n", []string{"Poa annua", "Panax", "Panax ginseng"}},
		{"one heading far below", "x1,taxon\n" + swapped(numberedNames("Panax", "ensis", 99)) + "Pinaceae,\n2,Pinus sylvestris\n3,Pinus tabuliformis\n", append(slices.Repeat([]string{"Panax"}, 99), "Pinaceae", "Pinus sylvestris+", "Pinus tabuliformis+")},
		{"a workbook of one column without a header", sheets(t, "A\nPoa annua\nPinus sylvestris"), []string{"Poa annua", "Pinus sylvestris"}},
		{"authors of species and variety", "Genus,Species,Author,x1,infraspecificAuthor\nPinus,sylvestris,L.,mongolica,Litv.\nPinus,sylvestris,L.,,\n", []string{"Pinus sylvestris var. mongolica", "Pinus sylvestris"}},
		{"the author of the species", "Genus,Species,Author,subspecies\nPinus,sylvestris,L.,mongolica\nPoa,annua,L.,\n", []string{"Pinus sylvestris var. mongolica", "Poa annua"}},
		{"a qualifier in both cells", "taxon,identificationQualifier\nPoa cf. annua,cf.\nPanax,cf.\nPinus sylvestris,\n", []string{"Poa annua", "Panax", "Pinus sylvestris"}},
		{"drugs in Latin", "plate,what\n1,Ginseng Radix et Rhizoma\n2,Notoginseng Radix et Rhizoma\n3,Salviae Miltiorrhizae Radix et Rhizoma\n", []string{"Panax ginseng", "Panax notoginseng", "Salvia miltiorrhiza"}},
	} {
		got, rows, _ := matchTable(t, match, tt.list, bulk.Options{})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.what, diff)
		}
		for i, score := range scoresOf[tt.what] {
			if got := rows[i]["score"] + " " + rows[i]["flags"]; got != score {
				t.Errorf("%s: row %d has %s, want %s", tt.what, i+1, got, score)
			}
		}
	}
}

// TestSheets checks that all sheets with the same header are one list, and that the others are named.
func TestSheetsAreOneList(t *testing.T) {
	match := tableMatcher(t)
	in := sheets(t, "Notes\nabout this list\tno names", "A\nname\tplot\nPoa annua\t1", "Empty", "B\na title\n\nName\tplot\nPinus sylvestris\t2\nPanax ginseng\t3", "C\nspecies\tyear\nPoa annua\t1990")
	got, rows, stats := matchTable(t, match, in, bulk.Options{})
	if want := []string{"Poa annua", "Pinus sylvestris", "Panax ginseng"}; !cmp.Equal(got, want) || rows[2]["sheet"] != "B" || rows[0]["sheet"] != "A" {
		t.Errorf("%q, %q; want %q of the sheets A, B and B", got, rows, want)
	}
	if !cmp.Equal(stats.Sheets, []string{"A", "B"}) || !cmp.Equal(stats.LeftOut, []string{"Notes", "C"}) {
		t.Errorf("read %q, left out %q; want A and B, Notes and C", stats.Sheets, stats.LeftOut)
	}
	got, rows, stats = matchTable(t, match, in, bulk.Options{Sheet: "c"})
	if _, column := rows[0]["sheet"]; !cmp.Equal(got, []string{"Poa annua"}) || column || !cmp.Equal(stats.Sheets, []string{"C"}) {
		t.Errorf("sheet C: %q, %q, %+v", got, rows, stats)
	}
	if _, err := bulk.Run(t.Context(), match, strings.NewReader(in), &strings.Builder{}, bulk.Options{Sheet: "D"}); err == nil || !strings.Contains(err.Error(), "Notes, A, Empty, B, C") {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

// numberedNames returns the rows of a table with names of a genus whose epithets have an ending.
func numberedNames(genus, end string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %c%cr%s,%c\n", genus, 'a'+i/20, 'a'+i%20, end, 'A'+i%3)
	}
	return b.String()
}

// TestOptionsTakeTheirColumns checks that a column that an option names has no other role.
func TestOptionsTakeTheirColumns(t *testing.T) {
	match := tableMatcher(t)
	for _, tt := range []struct {
		list string
		opt  bulk.Options
		name string
	}{
		{"Erste,Zweite\nPinus sylvestris,Poa annua\nPoa annua,Pinus sylvestris\n", bulk.Options{ChineseColumn: "Erste"}, "Zweite"},
		{"药名,x1\n油松,丹参\n丹参,油松\n", bulk.Options{ChineseColumn: "药名"}, "x1"},
		{"NAME,name\nPinus sylvestris,Poa annua\nPoa annua,Pinus sylvestris\n", bulk.Options{Column: "name"}, "name"},
	} {
		if _, _, stats := matchTable(t, match, tt.list, tt.opt); stats.Taken.Name != tt.name {
			t.Errorf("%q: %+v, want the name in %s", tt.list, stats.Taken, tt.name)
		}
	}
}

// swapped returns rows of two columns with the columns in the other order.
func swapped(rows string) string {
	var b strings.Builder
	for line := range strings.Lines(rows) {
		first, second, _ := strings.Cut(strings.TrimSpace(line), ",")
		b.WriteString(second + "," + first + "\n")
	}
	return b.String()
}

// TestColumnsOfAnswers checks the columns of answers that lack a part, and how many candidates are asked for.
func TestColumnsOfAnswers(t *testing.T) {
	var limit int
	match := bulk.MatchEach(func(q names.Query) (names.Response, error) {
		limit = q.Limit
		e := names.Entry{MatchedName: null.Text(q.Name), Score: 1, MatchType: names.MatchExact, Steps: []string{"found"}}
		if q.Name == "Poa annua" {
			e.AcceptedName, e.Distribution = "Poa annua", &names.Range{Native: []string{"FRA"}, Area: "Europe"}
		}
		if q.Name == "Poa anua" {
			e.AcceptedName, e.MatchType, e.EditDistance = "Poa annua", names.MatchFuzzy, 1
		}
		if q.Name == "Poa dubia" {
			e.Score = 0.6
		}
		if q.Name == "Poa" {
			return names.Response{Unread: "Poa"}, nil
		}
		return names.Response{Results: []names.Entry{e}}, nil
	})
	list := "name\nPoa annua\nPoa ignota\nPoa anua\nPoa\nPoa dubia\n"
	_, rows, _ := matchTable(t, match, list, bulk.Options{Distribution: true, Explain: true, MinScore: 0.5})
	for i, want := range []string{"FRA Europe ", "  ", "  found", "  "} {
		if got := rows[i]["native"] + " " + rows[i]["area"] + " " + rows[i]["steps"]; got != want {
			t.Errorf("row %d has %q, want %q", i+1, got, want)
		}
	}
	if limit != names.MaxLimit {
		t.Errorf("%d candidates were asked for, want %d, because some are left out", limit, names.MaxLimit)
	}
	_, rows, stats := matchTable(t, match, list, bulk.Options{Columns: bulk.ColumnsPaper})
	for i, want := range []string{"Poa annua ", "unplaced ", "Poa annua letters that differ: 1", " no name fits; not read: Poa"} {
		if got := rows[i]["acceptedNameWithAuthor"] + " " + rows[i]["remark"]; got != want {
			t.Errorf("row %d has %q, want %q", i+1, got, want)
		}
	}
	if stats.Species != 2 {
		t.Errorf("%d species, want Poa annua and Poa ignota", stats.Species)
	}
}

// TestHeadersTwice checks columns of the results that have the header of a column of the list, in JSON and for
// sheets.
func TestHeadersTwice(t *testing.T) {
	var out strings.Builder
	_, err := bulk.Run(t.Context(), tableMatcher(t), strings.NewReader("taxon,x,x\nPoa annua,1,2\n"), &out, bulk.Options{Format: bulk.JSONLines})
	if must(t, err); !strings.HasPrefix(out.String(), `{"taxon":"Poa annua","x":"1","x_2":"2","row":1,`) {
		t.Errorf("%s, want the second x as x_2", out.String())
	}
	_, rows, _ := matchTable(t, tableMatcher(t), sheets(t, "A\nname\tsheet\nPoa annua\t1", "B\nname\tsheet\nPinus sylvestris\t2"), bulk.Options{})
	if rows[1]["sheet"] != "2" || rows[1]["match.sheet"] != "B" {
		t.Errorf("%q, want 2 in sheet and B in match.sheet", rows[1])
	}
}

// TestPlain checks that every line is a name if the user says so.
func TestPlain(t *testing.T) {
	got, _, _ := matchTable(t, tableMatcher(t), "Poa annua\nname,x\nPinus sylvestris\n", bulk.Options{Plain: true})
	if want := []string{"Poa annua", "-", "Pinus sylvestris"}; !cmp.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWithGenus(t *testing.T) {
	for _, tt := range [][3]string{{"Poa L.", "annua", "Poa annua"}, {"Poa", "Poa annua", "Poa annua"}, {"poa", "ANNUA", "Poa annua"}, {"NA", "annua", "annua"}, {"Poa", "NA", "NA"}, {"", "annua", "annua"}, {"Pinus（松属）", "nigra", "Pinus nigra"}, {"松属Pinus", "nigra", "Pinus nigra"}, {"Panax*", "ginseng", "Panax ginseng"}, {"Acer,", "palmatum", "Acer palmatum"}} {
		if got := bulk.WithGenus(tt[0], tt[1]); got != tt[2] {
			t.Errorf("WithGenus(%q, %q) is %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

// TestNotes checks that the summary tells a column that its cells told from one that its header told, and a
// table without a header from others.
func TestNotes(t *testing.T) {
	for _, list := range []string{
		"Poa,annua\nPinus,sylvestris\nPanax,ginseng\nAcer,palmatum\nSalvia,miltiorrhiza\n", sheets(t, "A\nPoa annua\nPinus sylvestris"),
	} {
		_, _, stats := matchTable(t, tableMatcher(t), list, bulk.Options{})
		codes := stats.Notes(", ", func(code string, _ ...any) string { return code })
		if !slices.Contains(codes, "headless") || slices.Contains(codes, "sheet") {
			t.Errorf("without a header: %v", codes)
		}
	}
	_, _, stats := matchTable(t, tableMatcher(t), "taxon,wer\nPoa annua,L.\nPinus sylvestris,L.\n", bulk.Options{})
	notes := strings.Join(stats.Notes(", ", func(code string, values ...any) string { return fmt.Sprintln(append([]any{code}, values...)...) }), "")
	if !strings.Contains(notes, "column name taxon\n, byCells author wer\n") {
		t.Errorf("the notes are\n%s", notes)
	}
}
