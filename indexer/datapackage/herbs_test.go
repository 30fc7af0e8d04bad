package datapackage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
)

// TestHerbFindings checks the findings about rows of herb_species that make no sense alone or
// together.
func TestHerbFindings(t *testing.T) {
	rows := []struct{ row, finding string }{
		{"人参,1,,,", ""},
		{"人参,,,,", "line 3 species_id: the herb has a row with a species and one without, on line 2"},
		{"石膏,,,1,", "line 4 from_year: years on a row without a species"},
		{"云苓,,茯苓,,", ""},
		{"雲苓,,白茯苓,,", "line 6 plain: the herb has another plain name, 茯苓, on line 5"},
		{"通草,1,,900,800", "line 7 from_year: from_year is after to_year, 800"},
		{"甲,,乙,,", "line 8 plain: the plain names refer in a cycle back to 甲"},
		{"乙,,甲,,", "line 9 plain: the plain names refer in a cycle back to 乙"},
		{"丙,,甲,,", ""},
		{"丁,99,,,", "line 11 species_id: there is no such row in species"},
		{"戊,x,,,", "line 12 species_id: species_id is not a whole number"},
		{"己,,己,,", ""},
		{"石膏,,,,", "line 14 herb + species_id: occurs already on line 4"},
		{",1,,,", "line 15 herb: herb is empty"},
	}
	text := "herb,species_id,plain,from_year,to_year\n"
	var want []string
	for _, r := range rows {
		text += r.row + "\n"
		if r.finding != "" {
			want = append(want, r.finding)
		}
	}
	p, found := read(t, map[string]string{
		"datapackage.json": `{"name": "test", "resources": [{"name": "species", "path": "s.csv"}, {"name": "herb_species", "path": "h.csv"}]}`,
		"s.csv":            "entry_id,scientific_name,rank\n1,Panax ginseng,species\n",
		"h.csv":            text,
	}, datapackage.Options{})
	var got []string
	for _, f := range found {
		if f.Table == "herb_species" {
			got = append(got, fmt.Sprintf("line %d %s: %s", f.Line, f.Column, f.Message))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("findings:\n%s\nwant:\n%s", a, b)
	}
	for _, h := range p.HerbSpecies {
		if h.Herb == "通草" && (h.FromYear != nil || h.ToYear != nil) || h.Herb == "雲苓" && h.Plain != "" {
			t.Errorf("%+v keeps a refused value", h)
		}
	}
}

// TestHerbsNeedTheColumn checks that a table of herbs must have the column species_id. An empty
// cell in this column means that a herb is not a plant, so without the column no herb would be a
// plant.
func TestHerbsNeedTheColumn(t *testing.T) {
	var log finding.Log
	_, err := datapackage.Read(t.Context(), source(t, map[string]string{
		"datapackage.json": `{"name": "test", "resources": [{"name": "species", "path": "s.csv"}, {"name": "herb_species", "path": "h.csv"}]}`,
		"s.csv":            "entry_id,scientific_name,rank\n1,Panax ginseng,species\n",
		"h.csv":            "herb,plain\n人参,\n",
	}), datapackage.Options{}, &log)
	if err == nil || !strings.Contains(err.Error(), "column species_id is missing") {
		t.Errorf("a table without species_id: %v; want that the column is missing", err)
	}
}
