package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/invisible"
)

// turnsText is a character before a name of the sources. It turns the direction of the text.
// hiddenInside is inside the name: an escape sequence, another character that turns the direction,
// and a tag character.
const turnsText, hiddenInside = "\u202e", "\x1b[31m\u2066\U000E0041"

// seen fails the test if text has invisible characters. where names the place of the text.
func seen(t *testing.T, where, text string) {
	t.Helper()
	if r, at, found := invisible.Find(text); found {
		characters := []rune(text)
		t.Errorf("%s: character %d is %s, in %q", where, at, invisible.Name(r), string(characters[max(0, at-40):min(at+40, len(characters))]))
	}
}

// TestInvisibleCharacters puts invisible characters into cells of the sources and looks at every
// place that shows the cells. The build must report the characters, and the API must return them
// unchanged. Pages, citations, tables, reports and terminals must not contain them.
func TestInvisibleCharacters(t *testing.T) {
	pkg := t.TempDir()
	must(t, os.CopyFS(pkg, sample.Package()))
	for file, names := range map[string][]string{"species.csv": {",牛膝,", ",Blume,"}, "formulas.csv": {",桂枝汤,"}, "papers.csv": {",The discovery of artemisinin"}} {
		path := filepath.Join(pkg, file)
		text, err := os.ReadFile(path)
		must(t, err)
		for _, name := range names {
			text = bytes.Replace(text, []byte(name), []byte(name[:1]+turnsText+name[1:4]+hiddenInside+name[4:]), 1)
		}
		must(t, os.WriteFile(path, text, 0o644))
	}
	data := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", data) })
	said := onPty(t, nil, "index", "--data", data, "--source", pkg)
	if !strings.Contains(said, "glyph") {
		t.Errorf("index does not report an invisible character:\n%s", said)
	}

	listed, err := os.ReadFile(filepath.Join(data, "last-findings.csv"))
	must(t, err)
	seen(t, "findings", strings.TrimPrefix(string(listed), "\ufeff"))
	findings, err := finding.ReadCSV(bytes.NewReader(listed))
	must(t, err)
	for _, want := range []struct {
		file, column string
		line         int
	}{{"species.csv", "chinese_name", 2}, {"species.csv", "author", 2}, {"formulas.csv", "name", 2}, {"papers.csv", "title", 2}} {
		if !slices.ContainsFunc(findings, func(f finding.Finding) bool {
			return f.File == want.file && f.Line == want.line && f.Column == want.column && f.Code == finding.Glyph &&
				strings.Contains(f.Message, "U+202E (right-to-left override)") && strings.Contains(f.Value, `\u202e`) && f.Hint != ""
		}) {
			t.Errorf("no finding of %s:%d, column %s", want.file, want.line, want.column)
		}
	}

	site := newSite(t, data)
	var record struct{ ChineseName, Author string }
	path := "/species/05700faf-492a-5bea-b362-7cf169d48e37"
	must(t, json.Unmarshal([]byte(site.get(t, "/api/v1"+path, "application/json")), &record))
	if want := "\u202e牛[31m\u2066\U000E0041膝"; record.ChineseName != want { // the build removes control characters
		t.Errorf("the API has the name %q, want %q", record.ChineseName, want)
	}
	for _, lang := range []string{"en", "zh"} {
		seen(t, "pages in "+lang, site.pages(t, lang))
		if page := site.get(t, path+"?lang="+lang, "text/html"); !strings.Contains(page, "<title>牛[31m膝 Achyranthes bidentata") {
			t.Errorf("the title of the page is %.300s", page[strings.Index(page, "<title>"):])
		}
	}
	for _, file := range []string{path + "/cite.bib", path + "/cite.ris", path + "/cite.json", "/search.csv?kind=species", "/search.csv?kind=papers"} {
		seen(t, file, strings.TrimPrefix(site.get(t, file, "*/*"), "\ufeff"))
	}
	cited := citedAs.FindAllStringSubmatch(site.get(t, "/papers/tu_discovery_2011", "text/html"), -1)
	cited = slices.DeleteFunc(cited, func(m []string) bool { return !strings.HasPrefix(m[1], "/papers/") })
	if len(cited) < 2 {
		t.Errorf("the page of a paper links to %d files that cite it", len(cited))
	}
	for _, m := range cited {
		text := site.get(t, m[1], "*/*")
		if seen(t, m[1], text); !strings.Contains(text, "The[31m discovery of artemisinin") {
			t.Errorf("%s is %s", m[1], text)
		}
	}
	seen(t, "the API's BibTeX", site.get(t, "/api/v1/papers?pageSize=100", "application/x-bibtex"))

	list := filepath.Join(t.TempDir(), "list.csv")
	must(t, os.WriteFile(list, []byte("name,note\nPanax ginseng,\x1b[31mred\u009b2J\u202e\nAchyranthes bidentata,\x1b]0;title\x07\n"), 0o644))
	for _, args := range [][]string{
		{"search", "species", "牛膝"}, {"search", "species", "牛膝", "--explain"}, {"search", "species", "牛膝", "--json"}, {"search", "formulas", "桂枝汤", "--facets", "dynasty"},
		{"search", "papers", "artemisinin"}, {"match", list}, {"report"}, {"doctor"}, {"snapshots"},
	} {
		args = append(slices.Clone(args), "--data", data)
		shown := onPty(t, nil, args...)
		seen(t, strings.Join(args, " "), shown)
		if args[0] == "search" && args[2] == "牛膝" && !strings.Contains(shown, `\u202e牛[31m\u2066`) {
			t.Errorf("%q does not escape the invisible characters:\n%s", args, shown)
		}
		if args[0] == "match" && !strings.Contains(shown, `\u001b[31mred\u009b2J\u202e`) {
			t.Errorf("%q does not escape the invisible characters:\n%s", args, shown)
		}
	}
}

// TestInvisibleInLog logs escape sequences in each log format. The log must not contain them.
func TestInvisibleInLog(t *testing.T) {
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"json":     func(w *bytes.Buffer) slog.Handler { return (&settings{log: "json"}).logForm(w, w) },
		"text":     func(w *bytes.Buffer) slog.Handler { return (&settings{log: "text"}).logForm(w, w) },
		"terminal": func(w *bytes.Buffer) slog.Handler { return forPeople(w, slog.LevelInfo) },
	} {
		var line bytes.Buffer
		slog.New(handler(&line)).Warn("read", "value", "\x1b]0;title\x07", "other", "a b\u009b2J\u202e", "error", os.ErrNotExist, "of", &os.PathError{Op: "open", Path: "\x1b[2J\u2066", Err: os.ErrNotExist})
		got := strings.TrimSuffix(line.String(), "\n")
		seen(t, name, got)
		if !strings.Contains(got, "title") || !strings.Contains(got, "file does not exist") {
			t.Errorf("%s: the line is %q", name, got)
		}
		if i := strings.Index(got, "\x1b[2J"); i >= 0 {
			t.Errorf("%s: the line has an escape sequence that clears the screen: %q", name, got)
		}
	}
}
