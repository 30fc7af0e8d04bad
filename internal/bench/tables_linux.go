package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bencao/internal/bench/made"
	"bencao/internal/rows"
	"bencao/names/han"
	"bencao/names/pinyin"
)

// tables writes what the peers load: a file for each table, whose lines are those
// that PostgreSQL's COPY reads. What is searched comes from the sources. Readings
// and grams are computed here, for no peer can; what a detail says is taken from
// the server, so that all send the same bytes.
type tables struct {
	sources, dir string
	server       *client
	species      map[string]map[string]string // rows of species.csv by scientific name
	suggested    map[string][]byte            // what is suggested, by its text
}

func (t *tables) write() error {
	t.species, t.suggested = map[string]map[string]string{}, map[string][]byte{}
	for _, step := range []struct {
		name string
		fill func(add func(...string)) error
	}{{"species", t.plants}, {"names", t.names}, {"papers", t.papers}, {"formulas", t.formulas}, {"details", t.details}, {"suggestions", t.suggestions}} {
		if err := t.table(step.name, step.fill); err != nil {
			return fmt.Errorf("table %s: %w", step.name, err)
		}
	}
	return nil
}

var escapes = strings.NewReplacer(`\`, `\\`, "\t", " ", "\n", " ", "\r", " ")

func (t *tables) table(name string, fill func(add func(...string)) error) error {
	f, err := os.Create(filepath.Join(t.dir, name+".tsv"))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20) // it remembers its first error
	err = fill(func(cells ...string) {
		for i, c := range cells {
			if i > 0 {
				w.WriteByte('\t')
			}
			escapes.WriteString(w, c)
		}
		w.WriteByte('\n')
	})
	return errors.Join(err, w.Flush(), f.Close())
}

// each reads a source row by row. Comma is what parts its cells.
func (t *tables) each(file string, comma rune, row func(cell func(string) string)) error {
	var head *rows.Header
	return made.Rows(filepath.Join(t.sources, file), comma, func(cells []string) error {
		if head == nil {
			h := rows.NewHeader(cells, nil)
			head = &h
			return nil
		}
		row(func(name string) string { return head.Cell(cells, name) })
		return nil
	})
}

func (t *tables) packaged(table string, row func(cell func(string) string)) error {
	return t.each(filepath.Join(made.PackageDir, table+".csv"), ',', row)
}

// body is a record as JSON, from pairs of a key and what a cell has.
func body(pairs ...string) []byte {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // a map of text always can be written
	}
	return b
}

// plants writes name, key, pinyin, grams, family and body of each species. Pinyin
// are the letters of its names, with spaces between syllables and bars between names.
func (t *tables) plants(add func(...string)) error {
	aliases := map[string][]string{}
	if err := t.packaged("aliases", func(cell func(string) string) {
		aliases[cell("species_id")] = append(aliases[cell("species_id")], cell("name"))
	}); err != nil {
		return err
	}
	var list []map[string]string
	err := t.packaged("species", func(cell func(string) string) {
		s := map[string]string{}
		for _, name := range []string{"entry_id", "guid", "chinese_name", "chinese_name_pinyin", "scientific_name", "author", "family"} {
			s[name] = cell(name)
		}
		list, t.species[s["scientific_name"]] = append(list, s), s
	})
	model := pinyin.Train(func(yield func(pinyin.Pair) bool) {
		for _, s := range list {
			if s["chinese_name_pinyin"] != "" && !yield(pinyin.Pair{Name: s["chinese_name"], Pinyin: s["chinese_name_pinyin"]}) {
				return
			}
		}
	})
	for _, s := range list {
		name := s["chinese_name"]
		names, sounds := append([]string{name}, aliases[s["entry_id"]]...), []string{cmp.Or(s["chinese_name_pinyin"], model.Read(name))}
		for _, alias := range names[1:] {
			sounds = append(sounds, model.Read(alias))
		}
		for _, n := range names {
			t.suggest(n, "species", s["guid"])
		}
		add(han.Fold(name), strings.ToLower(s["scientific_name"]), pinyin.WithoutTones(strings.ToLower(strings.Join(sounds, "|"))), grams(names...), s["family"],
			string(body("guid", s["guid"], "entryId", s["entry_id"], "chineseName", name, "scientificName", s["scientific_name"],
				"author", s["author"], "family", s["family"], "url", "https://bench.example/species/"+s["guid"])))
	}
	return err
}

// grams are the characters of names and the pairs of neighbours, each once.
func grams(names ...string) string {
	seen := map[string]bool{}
	for _, name := range names {
		r := []rune(han.Fold(name))
		for i := range r {
			seen[string(r[i])] = true
			seen[string(r[i:min(i+2, len(r))])] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(seen)), " ")
}

// names writes key, grade and body of each name: an accepted one has grade 1.
func (t *tables) names(add func(...string)) error {
	for _, l := range []struct {
		file                                                      string
		comma                                                     rune
		id, name, author, rank, status, accepted, family, chinese string
	}{
		{made.WCVPDir + "/wcvp_names.csv", '|', "plant_name_id", "taxon_name", "taxon_authors", "taxon_rank", "taxon_status", "accepted_plant_name_id", "family", ""},
		{made.WFODir + "/classification.csv", '\t', "taxonID", "scientificName", "scientificNameAuthorship", "taxonRank", "taxonomicStatus", "acceptedNameUsageID", "family", ""},
		{made.ChinaDir + "/china.csv", ',', "", "物种拉丁名", "", "", "", "", "科拉丁名", "物种中文名"},
	} {
		accepted := map[string]string{}
		if err := t.each(l.file, l.comma, func(cell func(string) string) {
			if cell(l.status) == "Accepted" {
				accepted[cell(l.id)] = cell(l.name)
			}
		}); err != nil {
			return err
		}
		if err := t.each(l.file, l.comma, func(cell func(string) string) {
			name, grade := cell(l.name), "2"
			if cell(l.status) != "Synonym" {
				grade = "1"
			}
			means := cmp.Or(accepted[cell(l.accepted)], name)
			record := t.species[means]
			add(strings.ToLower(name), grade, string(body("name", name, "author", cell(l.author), "rank", cell(l.rank), "status", cell(l.status), "acceptedName", means,
				"family", cell(l.family), "id", cell(l.id), "source", filepath.Dir(l.file), "guid", record["guid"], "chineseName", cmp.Or(cell(l.chinese), record["chinese_name"]))))
		}); err != nil {
			return err
		}
	}
	return nil
}

// papers writes DOI, PubMed id, title and body of each paper, the newest first.
func (t *tables) papers(add func(...string)) error {
	years := map[string][][]string{}
	err := t.packaged("papers", func(cell func(string) string) {
		year := cell("year")
		years[year] = append(years[year], []string{strings.ToLower(cell("doi")), cell("pubmed_id"), cell("title"), string(body("id", cell("id"), "title", cell("title"),
			"authors", cell("authors"), "source", cell("source"), "year", year, "doi", cell("doi"), "pubmedId", cell("pubmed_id"), "url", "https://bench.example/papers/"+cell("id")))})
	})
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(years))) {
		for _, cells := range years[year] {
			add(cells...)
		}
	}
	return err
}

// formulas writes name, grams and body of each formula.
func (t *tables) formulas(add func(...string)) error {
	err := t.packaged("formulas", func(cell func(string) string) {
		name, guid := cell("name"), cell("guid")
		t.suggest(name, "formula", guid)
		add(han.Fold(name), grams(name), string(body("guid", guid, "entryId", cell("entry_id"), "name", name, "dynasty", cell("dynasty"), "year", cell("year"),
			"originalSource", cell("original_source"), "url", "https://bench.example/formulas/"+guid)))
	})
	return errors.Join(err, t.packaged("formula_ingredients", func(cell func(string) string) { t.suggest(cell("herb"), "herb", "") }))
}

// details writes guid and body of what the server says of each record and of all.
func (t *tables) details(add func(...string)) error {
	say := func(key, path string) error {
		a, err := t.server.ask(question{path: path}, false)
		if err == nil && a.status != http.StatusOK {
			err = fmt.Errorf("%s: status %d, want %d; does the server have these sources? %.300s", path, a.status, http.StatusOK, a.body)
		}
		add(key, string(bytes.TrimSpace(a.body)))
		return err
	}
	err := say("stats", "/api/v1/stats")
	for _, table := range []string{"species", "formulas"} {
		err = errors.Join(err, t.packaged(table, func(cell func(string) string) {
			if err == nil {
				err = say(cell("guid"), "/api/v1/"+table+"/"+cell("guid"))
			}
		}))
	}
	return err
}

func (t *tables) suggest(text, kind, guid string) {
	if text = han.Fold(text); text != "" && t.suggested[text] == nil {
		t.suggested[text] = body("text", text, "kind", kind, "guid", guid)
	}
}

// suggestions writes text and body of what may be suggested, the shortest first.
func (t *tables) suggestions(add func(...string)) error {
	order := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
	for _, text := range slices.SortedFunc(maps.Keys(t.suggested), order) {
		add(text, string(t.suggested[text]))
	}
	return nil
}
