package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bencao/indexer/sample"

	"github.com/google/uuid"
)

// table is one file of the data package.
type table struct {
	name, title string
	fields      []string // a name, or name:type such as id:integer
	key         []string
	links       []string // column=table.column: the column refers to that table
	rows        [][]string
}

// pack is the data package that is being made.
type pack struct{ tables []*table }

func newPackage() *pack {
	return &pack{tables: []*table{
		{name: "species", title: "Plants", key: []string{"entry_id"},
			fields: strings.Fields("entry_id:integer guid chinese_name chinese_name_pinyin scientific_name author rank family family_chinese genus genus_chinese url")},
		{name: "synonyms", title: "Other scientific names", key: []string{"id"}, links: []string{"species_id=species.entry_id"},
			fields: strings.Fields("id:integer species_id:integer name author rank status")},
		{name: "aliases", title: "Other Chinese names", key: []string{"species_id", "name"}, links: []string{"species_id=species.entry_id"},
			fields: strings.Fields("species_id:integer name kind source")},
		{name: "flora", title: "Entries in floras", key: []string{"id"}, links: []string{"species_id=species.entry_id"},
			fields: strings.Fields("id:integer species_id:integer flora name_in_flora chinese_name_in_flora volume page url")},
		{name: "uses", title: "Recorded uses", key: []string{"id"}, links: []string{"species_id=species.entry_id"},
			fields: strings.Fields("id:integer species_id:integer collection name_cited category part description ethnic_group country region reference")},
		{name: "papers", title: "Publications", key: []string{"id"},
			fields: strings.Fields("id title authors source year doi pubmed_id url")},
		{name: "species_papers", title: "Which paper is about which plant", key: []string{"species_id", "paper_id"},
			links:  []string{"species_id=species.entry_id", "paper_id=papers.id"},
			fields: strings.Fields("species_id:integer paper_id")},
		{name: "formulas", title: "Historical formulas", key: []string{"entry_id"},
			fields: strings.Fields("entry_id:integer guid name name_pinyin composition efficacy indications preparation dynasty year:integer original_author original_source compilation url")},
		{name: "formula_ingredients", title: "Herbs of a formula in the book's order", key: []string{"formula_id", "seq"}, links: []string{"formula_id=formulas.entry_id"},
			fields: strings.Fields("formula_id:integer seq:integer herb dose note role")},
		{name: "formula_codes", title: "Identifiers of formulas", key: []string{"formula_id", "system", "code"}, links: []string{"formula_id=formulas.entry_id"},
			fields: strings.Fields("formula_id:integer system code label")},
		{name: "herb_species", title: "Source plants of crude drugs", links: []string{"species_id=species.entry_id"},
			fields: strings.Fields("herb species_id:integer part authority preferred plain from_year:integer to_year:integer")},
	}}
}

// add appends a row to the table. Cells are in the order of the table's fields. Missing cells at
// the end are empty.
func (p *pack) add(name string, cells ...string) error {
	t := p.tables[slices.IndexFunc(p.tables, func(t *table) bool { return t.name == name })]
	if len(cells) > len(t.fields) {
		return fmt.Errorf("table %s: %d cells for %d fields: %q", name, len(cells), len(t.fields), cells)
	}
	t.rows = append(t.rows, append(cells, make([]string, len(t.fields)-len(cells))...))
	return nil
}

// count returns the number of rows of a table so far.
func (p *pack) count(name string) int {
	return len(p.tables[slices.IndexFunc(p.tables, func(t *table) bool { return t.name == name })].rows)
}

// guid returns a guid that depends only on the table and the key, not on the position of the row.
func guid(table, key string) string {
	space := uuid.NewSHA1(uuid.NameSpaceURL, []byte("urn:bencao:sample:"+table))
	return uuid.NewSHA1(space, []byte(key)).String()
}

func (p *pack) write(dir string) error {
	for _, t := range p.tables {
		head := make([]string, len(t.fields))
		for i, f := range t.fields {
			head[i], _, _ = strings.Cut(f, ":")
		}
		if err := writeCSV(filepath.Join(dir, t.name+".csv"), head, t.rows); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(p.descriptor(), "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "datapackage.json"), append(text, '\n'))
}

// descriptor returns the content of datapackage.json, a Frictionless Data Package.
func (p *pack) descriptor() any {
	type object = map[string]any
	var resources []object
	for _, t := range p.tables {
		var fields, links []object
		for _, f := range t.fields {
			name, kind, typed := strings.Cut(f, ":")
			if !typed {
				kind = "string"
			}
			fields = append(fields, object{"name": name, "type": kind})
		}
		schema := object{"fields": fields}
		if t.key != nil {
			schema["primaryKey"] = t.key
		}
		for _, l := range t.links {
			from, to, _ := strings.Cut(l, "=")
			resource, field, _ := strings.Cut(to, ".")
			links = append(links, object{"fields": from, "reference": object{"resource": resource, "fields": field}})
		}
		if links != nil {
			schema["foreignKeys"] = links
		}
		resources = append(resources, object{
			"name": t.name, "title": t.title, "path": t.name + ".csv",
			"format": "csv", "encoding": "utf-8", "schema": schema,
		})
	}
	return struct {
		Name      string   `json:"name"`
		Title     string   `json:"title"`
		Version   string   `json:"version"`
		Licenses  []object `json:"licenses"`
		Resources []object `json:"resources"`
	}{
		"bencao-sample", "Medicinal plants, classical formulas and papers: the sample of Bencao", sample.Version,
		[]object{
			{"name": "CC-BY-4.0", "title": "Papers (LCVP) and Himalayan uses (Plants of Nepal)", "path": "https://creativecommons.org/licenses/by/4.0/"},
			{"name": "CC0-1.0", "title": "Everything else; see LICENSES.md", "path": "https://creativecommons.org/publicdomain/zero/1.0/"},
		},
		resources,
	}
}

func writeCSV(path string, head []string, rows [][]string) error {
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(append([][]string{head}, rows...)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return writeFile(path, b.Bytes())
}

// writeTabs writes rows separated by sep without quoting. A cell that contains sep or a line end is
// an error.
func writeTabs(path, sep string, head []string, rows [][]string) error {
	var b strings.Builder
	for _, cells := range append([][]string{head}, rows...) {
		for _, c := range cells {
			if strings.ContainsAny(c, sep+"\r\n") {
				return fmt.Errorf("%s: %q cannot be written without quoting", path, c)
			}
		}
		b.WriteString(strings.Join(cells, sep))
		b.WriteByte('\n')
	}
	return writeFile(path, []byte(b.String()))
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
