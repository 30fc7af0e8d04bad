package main

import (
	"archive/zip"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// deck is a list of questions in order. A question is the path and the query of an address.
type deck struct {
	repository, shared string
	every              int

	questions []string
	needed    map[string]bool // by question: whether every deck must have it
	optional  bool            // questions added from now on need not be in every deck
	missing   []string        // inputs that this machine lacks; their questions are missing too
}

func newDeck(repository, shared string, every int) *deck {
	return &deck{repository: repository, shared: shared, every: every, needed: map[string]bool{}}
}

// deal fills the deck. only is "names", "searches" or empty for both.
func (d *deck) deal(only string) error {
	var steps []func() error
	if only != "searches" {
		steps = append(steps, d.judgedNames, d.namesOfData)
	}
	if only != "names" {
		steps = append(steps, d.judgedSearches, d.searchesOfData)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	// The questions stay in the order in which they were found first. A smaller deck therefore has
	// its questions in the same order as a larger deck.
	d.questions = slices.DeleteFunc(d.questions, func(q string) bool {
		return !d.needed[q] && crc32.ChecksumIEEE([]byte(q))%uint32(d.every) != 0
	})
	return nil
}

func (d *deck) add(question string) {
	if _, seen := d.needed[question]; !seen {
		d.questions = append(d.questions, question)
	}
	d.needed[question] = d.needed[question] || !d.optional
}

// name adds a question about a name. The API refuses some texts; they are asked too, because the
// refusal is an answer.
func (d *deck) name(parts ...string) {
	name := strings.TrimSpace(strings.Join(parts, " "))
	if name != "" && utf8.RuneCountInString(name) <= 300 {
		d.add("/api/v1/names/match?" + url.Values{"name": {name}, "explain": {"true"}}.Encode())
	}
}

// search adds three questions for a search of species, formulas or papers: the first page, the
// second page, and a long page.
func (d *deck) search(endpoint string, params url.Values) {
	for _, page := range [][2]string{{"1", "20"}, {"2", "20"}, {"1", "100"}} {
		params.Set("page", page[0])
		params.Set("pageSize", page[1])
		d.add("/api/v1/" + endpoint + "?" + params.Encode())
	}
}

// judgedNames adds a question for every cell of the corpora of names.
func (d *deck) judgedNames() error {
	cells := func(row []string) {
		for _, cell := range row {
			d.name(cell)
		}
	}
	for _, pattern := range []string{"golden/names/*.tsv", "golden/drugs-dev.tsv", "golden/pinyin-dev.tsv"} {
		if err := d.corpora(filepath.Join(d.shared, pattern), cells); err != nil {
			return err
		}
	}
	return d.cases("names/testdata/*.txt", func(_, query string) { d.name(query) })
}

// judgedSearches adds the queries of the corpora of searches.
func (d *deck) judgedSearches() error {
	err := d.corpora(filepath.Join(d.shared, "golden/*-dev*.tsv"), func(row []string) {
		if len(row) < 6 || row[1] != "dev" {
			return // the line is a header, or belongs to another kind of corpus
		}
		endpoint, _, _ := strings.Cut(row[2], "-") // "papers-zh" also asks for papers
		params, err := url.ParseQuery(row[5])
		if err != nil {
			params = url.Values{}
		}
		params.Set("q", row[4])
		d.search(endpoint, params)
	})
	if err != nil {
		return err
	}
	byFile := func(file, query string) {
		params := url.Values{}
		q, dynasty, filtered := strings.Cut(query, " @")
		params.Set("q", q)
		if filtered {
			params.Set("dynasty", dynasty)
		}
		endpoint := strings.TrimSuffix(filepath.Base(file), ".txt")
		if endpoint == "rank" {
			return
		}
		d.search(endpoint, params)
	}
	if err := d.cases("mappings/testdata/*.txt", byFile); err != nil {
		return err
	}
	return d.cases("mappings/testdata/full/*.txt", byFile)
}

// corpora calls row for each line of tab-separated files. Comments and the header are rows too.
func (d *deck) corpora(pattern string, row func([]string)) error {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		d.missing = append(d.missing, pattern+" has no files")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			row(strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
		}
	}
	return nil
}

// cases calls add for each question in files whose lines are "question => answer" or "question ~>
// answer".
func (d *deck) cases(pattern string, add func(file, question string)) error {
	files, err := filepath.Glob(filepath.Join(d.repository, pattern))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s has no files; run it in the repository or give -repository", pattern)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			q, _, ok := strings.Cut(line, "=>")
			if !ok {
				q, _, ok = strings.Cut(line, "~>")
			}
			if ok && !strings.HasPrefix(line, "#") {
				add(file, strings.TrimSpace(q))
			}
		}
	}
	return nil
}

// table is a file of the full-size data, with the columns that questions are made from.
type table struct {
	zip, file string
	comma     rune
	name      string // column of the names
	author    string // column of the authors, or empty
	alone     bool   // the names are Chinese or pinyin and have no author
}

var tables = []table{
	{"china-plants.zip", "species.csv", ',', "scientific_name", "author", false},
	{"china-plants.zip", "species.csv", ',', "chinese_name", "", true},
	{"china-plants.zip", "species.csv", ',', "chinese_name_pinyin", "", true},
	{"china-plants.zip", "synonyms.csv", ',', "name", "author", false},
	{"china-plants.zip", "aliases.csv", ',', "name", "", true},
	{"col-china.zip", "col-china-2024.csv", ',', "物种拉丁名", "", false},
	{"col-china.zip", "col-china-2024.csv", ',', "物种中文名", "", true},
	{"wcvp.zip", "wcvp_names.csv", '|', "taxon_name", "taxon_authors", false},
	{"wfo-dwca.zip", "classification.csv", '\t', "scientificName", "scientificNameAuthorship", false},
}

// misspelt is the number of misspelt names in the deck.
const misspelt = 12_000

// namesOfData adds questions about the names of the data: each name alone, every second one also
// with its author, and some with one or two wrong letters.
func (d *deck) namesOfData() error {
	type cited struct{ name, author string }
	var known []cited
	d.optional = true
	for _, t := range tables {
		n := 0
		err := d.rows(t, func(name, author string) {
			if !t.alone && author != "" && n%7 == 0 && !strings.ContainsAny(name, "×'.") {
				known = append(known, cited{name, author})
			}
			d.name(name)
			if n++; n%2 == 0 && author != "" {
				d.name(name, author)
			}
		})
		if err != nil {
			return err
		}
	}
	d.optional = false
	if len(known) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(10, 10))
	for i := range misspelt {
		k := known[rng.IntN(len(known))]
		wrong := misspell(rng, k.name, 1+i%2)
		if i%3 == 0 {
			wrong += " " + k.author
		}
		d.name(wrong)
	}
	return nil
}

// searchesOfData adds searches of species for some of their names.
func (d *deck) searchesOfData() error {
	for _, t := range tables[:5] {
		n := 0
		err := d.rows(t, func(name, _ string) {
			if n++; name != "" && n%200 == 0 {
				d.search("species", url.Values{"q": {name}})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rows yields the name and author of each row of t.
func (d *deck) rows(t table, yield func(name, author string)) (err error) {
	path := filepath.Join(d.shared, "data", t.zip)
	archive, err := zip.OpenReader(path)
	if errors.Is(err, fs.ErrNotExist) {
		d.missing = append(d.missing, path+" is not here")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	file, err := archive.Open(t.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r := csv.NewReader(file)
	r.Comma, r.LazyQuotes, r.ReuseRecord, r.FieldsPerRecord = t.comma, t.comma != ',', true, -1
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s in %s: %w", t.file, path, err)
	}
	name := slices.IndexFunc(header, func(h string) bool { return strings.TrimPrefix(h, "\ufeff") == t.name })
	author := slices.Index(header, t.author)
	if name < 0 || t.author != "" && author < 0 {
		return fmt.Errorf("%s in %s has no column %s or %s", t.file, path, t.name, t.author)
	}
	for {
		row, err := r.Read()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s in %s: %w", t.file, path, err)
		case len(row) <= max(name, author):
			continue
		}
		cited := ""
		if author >= 0 {
			cited = strings.Clone(row[author])
		}
		yield(strings.Clone(row[name]), cited)
	}
}

// misspell makes n edits in words of five letters or more. An edit inserts, removes or changes a
// letter, or swaps two neighbouring letters.
func misspell(rng *rand.Rand, name string, n int) string {
	words := strings.Fields(name)
	for range n {
		var long []int
		for i, w := range words {
			if len(w) >= 5 {
				long = append(long, i)
			}
		}
		if len(long) == 0 {
			break
		}
		i := long[rng.IntN(len(long))]
		w := []byte(words[i])
		at, letter := 1+rng.IntN(len(w)-1), byte('a'+rng.IntN(26))
		switch rng.IntN(4) {
		case 0:
			w = slices.Insert(w, at, letter)
		case 1:
			w = slices.Delete(w, at, at+1)
		case 2:
			w[at] = letter
		default:
			w[at-1], w[at] = w[at], w[at-1]
		}
		words[i] = string(w)
	}
	return strings.Join(words, " ")
}
