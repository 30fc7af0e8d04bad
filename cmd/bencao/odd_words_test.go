package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer"
	"bencao/indexer/datapackage"
	"bencao/indexer/export"
	"bencao/indexer/sample"
	"bencao/internal/snapshotfiles"
	"bencao/internal/test/race"
	"bencao/store/snapshot"
)

// unshown lists the columns that no page shows, each with the reason. The exports have all of these
// columns, and responses of the API have some.
var unshown = map[string]string{
	"synonyms.rank":                "pages show only the names of synonyms",
	"synonyms.status":              "likewise",
	"aliases.kind":                 "aliases only serve searches",
	"aliases.source":               "likewise",
	"species_formulas.evidence":    "it says how the link was found",
	"name_matches.accepted_family": "pages show the family of the record",
	"name_matches.wcvp_id":         "it is an id",
	"formula_similarity.method":    "only the two methods that the program knows are read",
}

// unanswered lists the columns of [unshown] that no response of the API has.
var unanswered = []string{"synonyms.rank", "synonyms.status", "aliases.kind", "aliases.source", "species_formulas.evidence", "formula_similarity.method"}

// fromJSON replaces the escape sequences of < and > in JSON by the characters.
var fromJSON = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">")

// citedAs matches links to files that cite a record, such as BibTeX files.
var citedAs = regexp.MustCompile(`href="(/[^"]*(?:/cite\.|[?]as=)(?:bib|ris|json))"`)

// oddWord returns a word for a column. The word is in no vocabulary, and a page that does not
// escape it would show a tag.
func oddWord(table, column string) string { return "Odd <b> " + table + "." + column }

// vocabularies returns the columns of a table whose values come from a vocabulary. These are
// columns with a list of words in the schema, and columns with repeated values, such as families
// and dynasties.
func vocabularies(t datapackage.TableSchema, header []string, rows [][]string) (columns []string) {
	for _, c := range t.Columns {
		i := slices.Index(header, c.Name)
		key := slices.Contains(t.PrimaryKey, c.Name) || slices.ContainsFunc(t.References, func(r datapackage.Reference) bool { return r.Column == c.Name })
		if i < 0 || c.Type != "string" || key && c.Words == nil {
			continue
		}
		filled, distinct := 0, map[string]bool{}
		for _, row := range rows {
			if row[i] != "" {
				filled++
				distinct[row[i]] = true
			}
		}
		if c.Words != nil || filled >= 6 && 3*len(distinct) <= filled {
			columns = append(columns, c.Name)
		}
	}
	return columns
}

// TestUnknownWords builds a package that has an unknown word in each column with a vocabulary.
// Every page in each language, every response of the API and every export must work and show the
// word unchanged.
func TestUnknownWords(t *testing.T) {
	pkg := t.TempDir()
	must(t, os.CopyFS(pkg, sample.Package()))
	columns := map[string]string{} // maps each odd word to its column
	for _, table := range datapackage.Schema() {
		header, rows := tableOf(t, pkg, table)
		for n, column := range vocabularies(table, header, rows) {
			word := oddWord(table.Name, column)
			columns[word] = table.Name + "." + column
			i := slices.Index(header, column)
			for k, row := range rows {
				if row[i] != "" && (k%4 == n%4 || k < 2) {
					row[i] = word
				}
			}
		}
		writeTable(t, filepath.Join(pkg, table.Name+".csv"), header, rows)
	}
	if len(columns) < 20 {
		t.Fatalf("the test finds only %d columns with a vocabulary: %q", len(columns), columns)
	}
	writeDescriptor(t, pkg)
	data := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", data) })
	printed(t, "index", "--data", data, "--source", pkg)
	site := newSite(t, data)

	for _, lang := range []string{"en", "zh"} {
		said := site.pages(t, lang)
		for word, column := range columns {
			if strings.Contains(said, word) {
				t.Errorf("a page in %s shows %q unescaped", lang, word)
			}
			if _, none := unshown[column]; none == strings.Contains(said, html.EscapeString(word)) {
				t.Errorf("pages in %s show an unknown word of %s: %v", lang, column, !none)
			}
		}
	}
	answers := fromJSON.Replace(site.operations(t))
	for word, column := range columns {
		if none := slices.Contains(unanswered, column); none == strings.Contains(answers, word) {
			t.Errorf("answers of the API have an unknown word of %s: %v", column, !none)
		}
	}
	formats := append(export.Builtin().Names(), "sqlite")
	for _, format := range formats {
		if format == "sqlite" && race.On {
			t.Log("NOT TESTED with the race detector, under which SQLite is slow: export --format sqlite")
			continue
		}
		to := filepath.Join(t.TempDir(), "out")
		printed(t, "export", "--data", data, "--format", format, "--out", to)
		if format != formats[0] {
			continue
		}
		var all strings.Builder
		if err := filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			all.Write(b)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for word, column := range columns {
			if !strings.Contains(all.String(), word) {
				t.Errorf("the export lacks the unknown word of %s", column)
			}
		}
	}
}

// tableOf returns the header and rows of a table of the package. If the package lacks the table, it
// makes valid rows.
func tableOf(t *testing.T, pkg string, table datapackage.TableSchema) (header []string, rows [][]string) {
	t.Helper()
	f, err := os.Open(filepath.Join(pkg, table.Name+".csv"))
	if err == nil {
		defer f.Close()
		all, err := csv.NewReader(f).ReadAll()
		must(t, err)
		return all[0], all[1:]
	}
	if !os.IsNotExist(err) {
		t.Fatal(err)
	}
	keys := map[string][][]string{} // for each column that refers to a table: the rows of that table
	for _, r := range table.References {
		for _, to := range datapackage.Schema() {
			if to.Name == r.Table {
				_, keys[r.Column] = tableOf(t, pkg, to)
			}
		}
	}
	for n := range 16 {
		var row []string
		for i, c := range table.Columns {
			if n == 0 {
				header = append(header, c.Name)
			}
			value := ""
			switch {
			case c.Type == "string" && c.Words == nil && n < 8:
				value = "some"
			case c.Type == "number":
				value = "0.5"
			case keys[c.Name] != nil:
				value = keys[c.Name][n+i][0] // different rows refer to different rows
			case c.Type == "integer":
				value = fmt.Sprint(n + 1)
			case c.Words != nil:
				value = c.Words[0]
			}
			row = append(row, value)
		}
		rows = append(rows, row)
	}
	return header, rows
}

// writeDescriptor writes a datapackage.json that lists all tables.
func writeDescriptor(t *testing.T, pkg string) {
	t.Helper()
	var resources []map[string]string
	for _, table := range datapackage.Schema() {
		resources = append(resources, map[string]string{"name": table.Name, "path": table.Name + ".csv"})
	}
	b, err := json.Marshal(map[string]any{"name": "odd", "resources": resources})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(pkg, "datapackage.json"), b, 0o644))
}

func writeTable(t *testing.T, path string, header []string, rows [][]string) {
	t.Helper()
	var out bytes.Buffer
	must(t, csv.NewWriter(&out).WriteAll(append([][]string{header}, rows...)))
	must(t, os.WriteFile(path, out.Bytes(), 0o644))
}

// printed runs a command, which must succeed, and returns its standard output.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("%q: exit code %d\n%s%s", args, code, &stdout, &stderr)
	}
	return stdout.String()
}

// site is a server with the explorer, for one snapshot. Its key has all rights.
type site struct {
	*httptest.Server
	key string
}

func newSite(t *testing.T, data string) *site {
	t.Helper()
	snap, err := snapshot.At(data).OpenCurrent(t.Context())
	must(t, err)
	path := filepath.Join(t.TempDir(), "access.toml")
	entry := access.Entry{ID: explorerKey, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Scopes: 1<<5 - 1, Rate: access.MaxRate}
	secret, err := access.Create(path, entry)
	must(t, err)
	keys, err := access.OpenFile(path, access.FileOptions{})
	must(t, err)
	var server *api.Server
	s := &site{key: secret.Reveal()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { server.ServeHTTP(w, r) }))
	backend, err := openBackend(&settings{siteURL: s.URL}, snap, snapshotfiles.All, snap)
	must(t, err)
	log := slog.New(slog.DiscardHandler)
	live := snapshot.NewLive(backend, closer(log))
	t.Cleanup(func() {
		s.Close()
		if err := live.Close(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	gate := access.NewGate(keys.Table, access.NewClients(nil), access.GateOptions{})
	if server, err = api.New(live, gate, api.Options{Log: log, Pages: explorer.New(explorer.Options{}), PagesKey: explorerKey}); err != nil {
		t.Fatal(err)
	}
	return s
}

// get requests a path and returns the body. The status must be 200.
func (s *site) get(t *testing.T, path, accept string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	must(t, err)
	r.Header.Set("X-Api-Key", s.key)
	r.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	must(t, err)
	if resp.StatusCode != http.StatusOK {
		t.Errorf("GET %s: %d %.300s", path, resp.StatusCode, body)
	}
	return string(body)
}

// records returns the paths of the pages of all records of a kind.
func (s *site) records(t *testing.T, kind string) (paths []string) {
	t.Helper()
	for page := 1; ; page++ {
		var list struct {
			Items []struct{ URL string }
			Total int
		}
		must(t, json.Unmarshal([]byte(s.get(t, fmt.Sprintf("/api/v1/%s?pageSize=100&page=%d", kind, page), "application/json")), &list))
		for _, item := range list.Items {
			paths = append(paths, strings.TrimPrefix(item.URL, s.URL))
		}
		if len(list.Items) == 0 || len(paths) >= list.Total {
			return paths
		}
	}
}

// kinds maps each kind of record to its facets.
var kinds = map[string]string{"species": "family,genus,rank", "herbs": "kind,part", "formulas": "dynasty,source,herbs,year", "papers": "year,source"}

// pages returns the text of all pages of the site in a language.
func (s *site) pages(t *testing.T, lang string) string {
	t.Helper()
	var all strings.Builder
	ask := func(path string) {
		mark := "?"
		if strings.Contains(path, "?") {
			mark = "&"
		}
		all.WriteString(s.get(t, path+mark+"lang="+lang, "text/html"))
	}
	for _, path := range []string{"/", "/stats", "/about", "/docs", "/match"} {
		ask(path)
	}
	for kind := range kinds {
		paths := s.records(t, kind)
		for page := range len(paths)/20 + 1 {
			ask(fmt.Sprintf("/search?kind=%s&page=%d", kind, page+1))
		}
		for _, path := range paths {
			ask(path)
		}
		if kind == "formulas" {
			ids := []string{}
			for _, path := range paths[:4] {
				ids = append(ids, path[strings.LastIndex(path, "/")+1:])
			}
			ask("/compare?formulas=" + strings.Join(ids, ","))
		}
	}
	return all.String()
}

// parameterValues has values for parameters that operations require.
var parameterValues = map[string]string{"q": "人参", "name": "Panax ginseng", "since": "", "id": "tu_discovery_2011"}

// operations requests every operation of the API and returns the responses. It requests an
// operation on one record for all records, and an operation that returns a list in every format.
func (s *site) operations(t *testing.T) string {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, In string
				Required bool
			}
		}
	}
	must(t, json.Unmarshal([]byte(s.get(t, "/openapi/v1.json", "application/json")), &document))
	var all strings.Builder
	for path, methods := range document.Paths {
		kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/api/v1/"), "/")
		ids, query := []string{""}, ""
		for _, p := range methods["get"].Parameters {
			value, known := parameterValues[p.Name]
			switch {
			case p.In == "path":
				ids = nil
				for _, record := range s.records(t, kind) {
					ids = append(ids, record[strings.LastIndex(record, "/")+1:])
				}
				path = strings.Replace(path, "{"+p.Name+"}", "{}", 1)
			case p.Name == "by":
				query = "?by=" + kinds[kind]
			case p.Name == "since" && p.Required:
				ids = nil // the parameter names an earlier version, and there is only one
			case p.Required && !known:
				t.Errorf("%s needs the parameter %s: give it a value in parameterValues", path, p.Name)
			case p.Required:
				query = "?" + url.Values{p.Name: {value}}.Encode()
			}
		}
		for _, id := range ids {
			all.WriteString(s.get(t, strings.Replace(path, "{}", id, 1)+query, "application/json"))
		}
	}
	for kind := range kinds {
		for _, accept := range []string{"text/csv", "application/x-ndjson"} {
			s.get(t, "/api/v1/"+kind+"?pageSize=100", accept)
		}
		s.get(t, "/search.csv?kind="+kind, "text/csv")
		for _, path := range s.records(t, kind)[:5] {
			for _, m := range citedAs.FindAllStringSubmatch(s.get(t, path, "text/html"), -1) {
				s.get(t, html.UnescapeString(m[1]), "*/*")
			}
		}
	}
	return all.String()
}
