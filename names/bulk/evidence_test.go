package bulk_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bencao/names/bulk"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/japanese"
)

// drugs are the rows of tables of herbs in Chinese.
const drugs = "1,麻黄,9g\n2,桂枝,6g\n3,甘草,3g\n4,人参,9g\n5,黄芪,12g\n"

// subtaxa returns a table with epithets below species in one row of ten. row returns the cells of a row
// for a species, a mark of a rank and an epithet, which are "" in most rows.
func subtaxa(header string, row func(genus, species, mark, epithet string) string) string {
	text := header + "\n"
	for i := range 40 {
		genus, species := "Poa", "annua"
		if i%10 == 9 {
			text += row("Pinus", "sylvestris", "var.", "mongolica") + "\n"
			continue
		}
		if i%3 == 0 {
			genus, species = "Panax", "notoginseng"
		}
		text += row(genus, species, "", "") + "\n"
	}
	return text
}

// TestColumnsByEvidence checks tables as people have them. want is the accepted name of some row: its
// number, from 1, and the name.
func TestColumnsByEvidence(t *testing.T) {
	match := tableMatcher(t)
	for _, tt := range []struct {
		what, list string
		want       bulk.Taken
		row        int
		name       string
	}{
		{"a subspecies in one row of ten", subtaxa("genus,species,authority,subtaxon,subtaxon_rank", func(g, s, mark, e string) string { return g + "," + s + ",," + e + "," + mark }),
			bulk.Taken{Genus: "genus", Epithet: "species", Author: "authority", Infraspecific: "subtaxon", Rank: "subtaxon_rank", ByCells: []string{"subtaxon_rank", "subtaxon"}}, 10, "Pinus sylvestris var. mongolica"},
		{"its rank before it", subtaxa("genus,species,rank,subtaxon", func(g, s, mark, e string) string { return g + "," + s + "," + mark + "," + e }),
			bulk.Taken{Genus: "genus", Epithet: "species", Infraspecific: "subtaxon", Rank: "rank", ByCells: []string{"subtaxon"}}, 10, "Pinus sylvestris var. mongolica"},
		{"no rank", subtaxa("Taxon,Subtaxon", func(g, s, _, e string) string { return g + " " + s + "," + e }),
			bulk.Taken{Name: "Taxon", Infraspecific: "Subtaxon", ByCells: []string{"Subtaxon"}}, 10, "Pinus sylvestris var. mongolica"},
		{"the rank in the cell", subtaxa("Taxon,Subtaxon", func(g, s, mark, e string) string { return g + " " + s + "," + strings.TrimSpace(mark+" "+e) }),
			bulk.Taken{Name: "Taxon", Infraspecific: "Subtaxon", ByCells: []string{"Subtaxon"}}, 20, "Pinus sylvestris var. mongolica"},
		{"common names of which some are genera", "name,botanicalName\nRose,Poa annua\nPanax,Panax ginseng\nScots pine,Pinus sylvestris\nIris,Acer palmatum\nred sage,Salvia miltiorrhiza\n",
			bulk.Taken{Name: "botanicalName"}, 2, "Panax ginseng"},
		{"an empty name falls back to genus and epithet", "id,scientific_name,genus_name,species_name\n1,Panax ginseng,,\n2,,Poa,annua\n3,,Pinus,sylvestris\n4,Acer palmatum,,\n5,,Salvia,miltiorrhiza\n",
			bulk.Taken{Name: "scientific_name", Genus: "genus_name", Epithet: "species_name", ByCells: []string{"species_name"}}, 5, "Salvia miltiorrhiza"},
		{"a genus beside its epithet is no answer", "id,scientificName,genus,specificEpithet\n1,Panax ginseng,Panax,ginseng\n2,Panax,Panax,notoginseng\n3,Pinus sylvestris,Pinus,sylvestris\n",
			bulk.Taken{Name: "scientificName", Genus: "genus", Epithet: "specificEpithet"}, 2, "Panax notoginseng"},
		{"中药", "序号,中药,剂量\n" + drugs, bulk.Taken{Name: "中药", ByCells: []string{"中药"}}, 4, "Panax ginseng"},
		{"饮片名称", "序号,饮片名称,剂量\n" + drugs, bulk.Taken{Name: "饮片名称", ByCells: []string{"饮片名称"}}, 4, "Panax ginseng"},
		{"药材", "序号,药材,剂量\n" + drugs, bulk.Taken{Name: "药材", ByCells: []string{"药材"}}, 4, "Panax ginseng"},
		{"药物", "序号,药物,剂量\n" + drugs, bulk.Taken{Name: "药物", ByCells: []string{"药物"}}, 4, "Panax ginseng"},
		{"herb", "no,herb,dose\n" + drugs, bulk.Taken{Name: "herb", ByCells: []string{"herb"}}, 4, "Panax ginseng"},
		{"herb_name", "no,herb_name,dose\n" + drugs, bulk.Taken{Name: "herb_name", ByCells: []string{"herb_name"}}, 4, "Panax ginseng"},
		{"group_cn beside species_cn", "group_cn,group_lat,family_cn,family_lat,species_cn,species_lat,author\n" +
			"被子植物,Angiosperms,五加科,Araliaceae,人参,Panax ginseng,C.A.Mey.\n裸子植物,Gymnosperms,松科,Pinaceae,油松,Pinus tabuliformis,Carrière\n被子植物,Angiosperms,唇形科,Lamiaceae,丹参,Salvia miltiorrhiza,Bunge\n",
			bulk.Taken{Name: "species_lat", Author: "author", Family: "family_cn", ChineseName: "species_cn", ByCells: []string{"species_lat", "family_cn", "species_cn"}}, 2, "Pinus tabuliformis"},
		{"plot and sp", "plot,sp\n1,Poa annua\n2,Acer palmatum\n3,Pinus sylvestris\n", bulk.Taken{Name: "sp", ByCells: []string{"sp"}}, 2, "Acer palmatum"},
		{"Growth form below a title", "Table S1. Plants of the reserve\nScientific name,Family,Growth form\nPoa annua,Poaceae,grass\nAcer palmatum,Sapindaceae,tree\n", bulk.Taken{Name: "Scientific name", Family: "Family"}, 2, "Acer palmatum"},
		{"Part used", "Scientific name,Family,Part used\nPoa annua,Poaceae,leaf\nAcer palmatum,Sapindaceae,bark\n", bulk.Taken{Name: "Scientific name", Family: "Family"}, 2, "Acer palmatum"},
		{"plots beside names without a header", ",P1,P2\nPoa annua,1,0\nAcer palmatum,0,3\n", bulk.Taken{Name: "column 1", ByCells: []string{"column 1"}}, 2, "Acer palmatum"},
		{"commas below a header of one cell", "species\n\"Poa annua L., Sp. Pl. 68\"\nAcer palmatum Thunb., Syst. Veg. 911\nPinus sylvestris L., Sp. Pl. 1000\n", bulk.Taken{Name: "species"}, 2, "Acer palmatum"},
		{"semicolons in remarks", "species,remark\nPoa annua,\"a grass, low; near Poa infirma\"\nAcer palmatum,\"a tree, red; near Acer\"\nPinus sylvestris,\"a tree, tall; in forests\"\n", bulk.Taken{Name: "species"}, 2, "Acer palmatum"},
		{"synonyms of which some are below the species", "Species,Synonyms\nPinus sylvestris L.,Pinus sylvestris var. mongolica Litv.\nPanax ginseng C.A.Mey.,Aralia ginseng (C.A.Mey.) Baill.\nAcer palmatum Thunb.,Poa annua var. reptans Hausskn.\n", bulk.Taken{Name: "Species", Others: []string{"Synonyms"}}, 1, "Pinus sylvestris"},
		{"other names, without a header that says so", "Species,In the herbarium\nPinus sylvestris L.,Pinus sylvestris var. mongolica Litv.\nPanax ginseng C.A.Mey.,Aralia ginseng (C.A.Mey.) Baill.\nAcer palmatum Thunb.,Poa annua var. reptans Hausskn.\n", bulk.Taken{Name: "Species", Others: []string{"In the herbarium"}}, 1, "Pinus sylvestris"},
		{"epithets with capitals before authors", "Taxon,Locality\nPanax Ginseng C.A.Mey.,Jilin\nAcer Palmatum Thunb.,Zhejiang\nPinus Sylvestris L.,Hebei\n", bulk.Taken{Name: "Taxon"}, 2, "Acer palmatum"},
		{"names from a web page", "tip,n\nPanax&nbsp;ginseng,1\nAcer&nbsp;palmatum,2\nPinus&nbsp;sylvestris,1\n", bulk.Taken{Name: "tip", ByCells: []string{"tip"}}, 2, "Acer palmatum"},
		{"Voucher specimen in a list of unknown names", "Taxon,Family,Voucher specimen\nBryum argenteum,Bryaceae,Li 12\nFunaria hygrometrica,Funariaceae,Li 13\n", bulk.Taken{Name: "Taxon", Family: "Family"}, 1, "-"},
	} {
		got, _, stats := matchTable(t, match, tt.list, bulk.Options{})
		if diff := cmp.Diff(tt.want, stats.Taken); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.what, diff)
		}
		if len(got) < tt.row || strings.TrimRight(got[tt.row-1], "+!") != tt.name {
			t.Errorf("%s: %q, want %s in row %d", tt.what, got, tt.name, tt.row)
		}
	}
}

// TestQualifierAndKingdom checks that a column of qualifiers is part of the name, and that a row of
// another kingdom is no plant.
func TestQualifierAndKingdom(t *testing.T) {
	match := tableMatcher(t)
	list := "kingdom,scientificName,scientificNameAuthorship,identificationQualifier\nPlantae,Poa annua,L.,cf.\nPlantae,Acer palmatum,Thunb.,\nAnimalia,Poa annua,,\nPlantae,Panax ginseng,C.A.Mey.,?\n"
	got, rows, stats := matchTable(t, match, list, bulk.Options{Columns: bulk.ColumnsFull})
	if stats.Taken.Qualifier != "identificationQualifier" || stats.Taken.Kingdom != "kingdom" || !cmp.Equal(got, []string{"Poa annua", "Acer palmatum", "-", "Panax ginseng"}) {
		t.Errorf("%+v: %q", stats.Taken, got)
	}
	if !strings.Contains(rows[0]["flags"], "qualifier") || !strings.Contains(rows[3]["flags"], "qualifier") || strings.Contains(rows[1]["flags"], "qualifier") {
		t.Errorf("flags %q and %q", rows[0]["flags"], rows[1]["flags"])
	}
}

// TestNothingIsLostInSilence checks that the summary names what was not used.
func TestNothingIsLostInSilence(t *testing.T) {
	match := tableMatcher(t)
	_, _, stats := matchTable(t, match, "scientificName,cat\nPoa annua,cf.\nAcer palmatum,aff.\n", bulk.Options{})
	if stats.Taken.Qualifier != "cat" {
		t.Errorf("%+v, want cat as the qualifier", stats.Taken)
	}
	_, _, stats = matchTable(t, match, "scientificName,first,second\nPinus sylvestris,mongolica,alba\nPoa annua,reptans,aquatica\nAcer palmatum,,rubra\n", bulk.Options{})
	if stats.Taken.Infraspecific != "first" || !cmp.Equal(stats.Taken.Unused, []bulk.Unused{{Column: "second", Holds: bulk.HoldsEpithets}}) {
		t.Errorf("%+v, want second as epithets that are not used", stats.Taken)
	}
	_, _, stats = matchTable(t, match, "Poa annua, a grass\nAcer palmatum, a tree, red\nPinus sylvestris, a tree\n", bulk.Options{})
	if !stats.Taken.Lines || stats.Rows != 3 {
		t.Errorf("%+v, want 3 plain lines, which is said", stats.Taken)
	}
	got, _, stats := matchTable(t, match, "人参, root\n三七, Pinus sylvestris\n丹参, root\n", bulk.Options{})
	if !stats.Taken.Lines || got[2] != "Salvia miltiorrhiza" {
		t.Errorf("%+v: %q, want 3 plain lines of Chinese names", stats.Taken, got)
	}
	_, _, stats = matchTable(t, match, "name,plot\nPoa annua,1\n,2\n-,3\n", bulk.Options{})
	if stats.Empty != 2 || stats.Unreadable != 0 || stats.Best[bulk.Empty] != 2 {
		t.Errorf("%d without a name and %d unreadable, want 2 and 0", stats.Empty, stats.Unreadable)
	}
	notes := strings.Join(stats.Notes(", ", func(code string, values ...any) string { return fmt.Sprint(code, values) }), "\n")
	if !strings.Contains(notes, "header") {
		t.Errorf("the notes are %q", notes)
	}
}

// TestHeadings checks that a row with a family is a heading only if there are two, or if two names
// below are of the family, and that it never lowers a name of another family.
func TestHeadings(t *testing.T) {
	match := tableMatcher(t)
	for _, tt := range []struct {
		what, list string
		above      int64
	}{
		{"one family above names of others", "no,name\n,Lamiaceae\n1,Poa annua\n2,Acer palmatum\n3,Pinus sylvestris\n4,Pinus tabuliformis\n", 0},
		{"one family above two of its names", "no,name\n,Pinaceae\n1,Pinus sylvestris\n2,Pinus tabuliformis\n3,Acer palmatum\n4,Poa annua\n", 2},
		{"two families", "no,name\n,Pinaceae\n1,Pinus sylvestris\n,Poaceae\n2,Poa annua\n3,Acer palmatum\n", 2},
	} {
		_, rows, stats := matchTable(t, match, tt.list, bulk.Options{})
		if stats.RowAbove != tt.above {
			t.Errorf("%s: %d rows were completed, want %d", tt.what, stats.RowAbove, tt.above)
		}
		for _, row := range rows {
			if row["no"] != "" && row["score"] != "0.98" {
				t.Errorf("%s: %s has %s", tt.what, row["name"], row["score"])
			}
		}
	}
}

// TestRefused checks the messages for files that are no lists of names.
func TestRefused(t *testing.T) {
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().String("サブプロット,階層,種名,和名\n1,高木層,Pinus sylvestris,アカマツ\n2,草本層,Poa annua,スズメノカタビラ\n")
	must(t, err)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	_, err = z.Create("list.csv")
	must(t, err)
	must(t, z.Close())
	var binary strings.Builder
	for i := range 4000 {
		binary.WriteByte(byte(i * i >> 3))
	}
	for _, tt := range []struct{ what, list, want string }{
		{"prescriptions beside formulas", "方,组成\n麻黄汤,麻黄，桂枝，杏仁，甘草\n桂枝汤,桂枝，芍药，生姜，甘草，大枣\n四君子汤,人参，白术，茯苓，甘草\n", "the column 组成 has whole prescriptions"},
		{"prescriptions", "编号,方名,组成\n1,某汤,麻黄、桂枝、杏仁、甘草\n2,某散,人参、白术、茯苓、甘草\n", "the column 组成 has whole prescriptions"},
		{"Shift_JIS", shiftJIS, "looks like Shift_JIS"},
		{"a zip archive", archive.String(), "zip archive without a workbook"},
		{"a binary file", binary.String(), "is a binary file"},
	} {
		err := runOnly(t, tt.list, bulk.Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q in one line", tt.what, err, tt.want)
		}
	}
	got, _, stats := matchTable(t, tableMatcher(t), shiftJIS, bulk.Options{Encoding: "Shift_JIS"})
	if !cmp.Equal(got, []string{"Pinus sylvestris", "Poa annua"}) || stats.Taken.Name != "種名" || stats.Encoding != "Shift_JIS" {
		t.Errorf("Shift_JIS: %q, %+v in %s", got, stats.Taken, stats.Encoding)
	}
}

// runOnly runs a list and returns the error.
func runOnly(t *testing.T, list string, opt bulk.Options) error {
	t.Helper()
	_, err := bulk.Run(t.Context(), tableMatcher(t), strings.NewReader(list), &bytes.Buffer{}, opt)
	return err
}
