package indexer_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"bencao/indexer"
	"bencao/indexer/check"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/test/mutant"
	"bencao/internal/test/race"
)

// oneByOne skips a test of many successive builds under the race detector. There, each build of the
// sample takes a dozen CPU seconds, and later builds run the same code as the first build.
func oneByOne(t *testing.T) {
	t.Helper()
	if race.On {
		t.Skip("NOT TESTED with the race detector: other tests build the sample with it")
	}
}

// edited returns the sample's package with one of its files edited.
func edited(tb testing.TB, file string, edit func(lines []string) []string) fstest.MapFS {
	tb.Helper()
	out := fstest.MapFS{}
	names, err := fs.Glob(sample.Package(), "*")
	must(tb, err)
	for _, name := range names {
		text, err := fs.ReadFile(sample.Package(), name)
		must(tb, err)
		if name == file {
			lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
			lines[len(lines)-1] += "\n"
			text = []byte(strings.Join(edit(lines), ""))
		}
		out[name] = &fstest.MapFile{Data: text}
	}
	return out
}

// only returns a package with some of its tables. Tests of many builds that look at no other table
// use it, because a build of the whole sample takes a second, mostly for herbs and formulas.
func only(tb testing.TB, pkg fs.FS, tables ...string) fstest.MapFS {
	tb.Helper()
	text, err := fs.ReadFile(pkg, "datapackage.json")
	must(tb, err)
	var descriptor map[string]any
	must(tb, json.Unmarshal(text, &descriptor))
	out := fstest.MapFS{}
	descriptor["resources"] = slices.DeleteFunc(descriptor["resources"].([]any), func(r any) bool {
		file := r.(map[string]any)["path"].(string)
		if !slices.Contains(tables, file) {
			return true
		}
		b, err := fs.ReadFile(pkg, file)
		must(tb, err)
		out[file] = &fstest.MapFile{Data: b}
		return false
	})
	if text, err = json.Marshal(descriptor); err != nil || len(out) != len(tables) {
		tb.Fatalf("the package has %d of the tables %q (%v)", len(out), tables, err)
	}
	out["datapackage.json"] = &fstest.MapFile{Data: text}
	return out
}

// speciesSources returns the sample's species and checklists.
func speciesSources(tb testing.TB) mutant.Sources {
	tb.Helper()
	s := sampleSources(tb)
	var err error
	if s.Package, err = mutant.Load(only(tb, sample.Package(), "species.csv")); err != nil {
		tb.Fatal(err)
	}
	return s
}

// editSpecies returns the package of speciesSources edited.
func editSpecies(tb testing.TB, edit func(lines []string) []string) fstest.MapFS {
	return only(tb, edited(tb, "species.csv", edit), "species.csv")
}

// cells sets some cells of a line. It returns a line with quotation marks unchanged.
func cells(line string, set map[int]string) string {
	if strings.Contains(line, `"`) {
		return line
	}
	c := strings.Split(strings.TrimSuffix(line, "\n"), ",")
	for i, v := range set {
		c[i] = v
	}
	return strings.Join(c, ",") + "\n"
}

// refused runs a build that must be refused, and returns the refusal.
func refused(tb testing.TB, cfg indexer.Config) *indexer.RefusedError {
	tb.Helper()
	r, err := indexer.Run(context.Background(), cfg, indexer.Options{})
	var refusal *indexer.RefusedError
	if !errors.As(err, &refusal) || r.Outcome != indexer.Refused {
		tb.Fatalf("outcome %s, error %v; want a refusal", r.Outcome, err)
	}
	return refusal
}

// TestWhatARefusalSays checks that a refusal names the column, the rows and the flag. This flag
// alone must allow the build, and the next build must be compared with the allowed build.
func TestWhatARefusalSays(t *testing.T) {
	oneByOne(t)
	cfg := sourcesConfig(t, speciesSources(t))
	mustRun(t, cfg)
	authors := func(mark string) fstest.MapFS {
		return editSpecies(t, func(lines []string) []string {
			for i := range lines[1:60] {
				lines[i+1] = cells(lines[i+1], map[int]string{5: mark + fmt.Sprint(i)})
			}
			return lines
		})
	}
	cfg.Package.FS = authors("Auct. ")
	closed := refused(t, cfg)
	for _, want := range []string{"species.author", "the first are on lines 2, 3, 4", "--allow changes=species"} {
		if !strings.Contains(closed.Error(), want) {
			t.Errorf("the refusal says %q; want %q in it", closed, want)
		}
	}
	rows := findings(t, cfg.Data)
	if i := slices.IndexFunc(rows, func(r []string) bool {
		return r[0] == "fatal" && r[1] == "changes" && r[3] == "species.csv" && r[4] == "2" && r[5] == "author"
	}); i < 0 {
		t.Errorf("findings: %v; want a fatal one of species.csv, line 2, column author", rows)
	}
	cfg.Limits.Allow("changes", "species")
	r := mustRun(t, cfg)
	if i := slices.IndexFunc(r.Measures, func(m check.Measure) bool {
		return m.Name == "values" && m.Table == "species" && m.Column == "author"
	}); i < 0 || r.Measures[i].Verdict != "allowed" || r.Measures[i].Value < 0.1 {
		t.Errorf("measures: %+v; want that of the authors, allowed", r.Measures)
	}
	cfg.Limits.Allowed = nil
	cfg.Rebuild = true
	mustRun(t, cfg)
	cfg.Package.FS = authors("Alia ")
	refused(t, cfg)
}

// TestNothingErodes removes a few rows or cells in every build. The loss of each build is within
// the limit, but the sum of the losses must soon be refused.
func TestNothingErodes(t *testing.T) {
	oneByOne(t)
	tests := []struct {
		name, file string
		night      func(n int) func(lines []string) []string
		most       int
	}{
		{"4.3 % of the rows", "uses.csv", func(n int) func([]string) []string {
			return func(lines []string) []string {
				kept := lines[:1]
				for i, line := range lines[1:] {
					if i*7919%230 >= 10*n { // removes 10 rows more than in the previous build
						kept = append(kept, line)
					}
				}
				return kept
			}
		}, 3},
		{"3 % of the pinyin", "species.csv", func(n int) func([]string) []string {
			return func(lines []string) []string {
				for i := range lines[1:] {
					if i*7919%296 < 9*n { // half of the rows have pinyin
						lines[i+1] = cells(lines[i+1], map[int]string{3: ""})
					}
				}
				return lines
			}
		}, 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			part := func(pkg fs.FS) fs.FS { return only(t, pkg, "species.csv", "uses.csv") }
			cfg := indexer.Config{Data: filepath.Join(t.TempDir(), "data"), Package: indexer.Input{Path: "sample", FS: part(sample.Package())}, Program: "bencao test"}
			cfg.Limits.MaxRejected = 1
			mustRun(t, cfg)
			for n := 1; n <= tt.most; n++ {
				cfg.Package.FS = part(edited(t, tt.file, tt.night(n)))
				_, err := indexer.Run(t.Context(), cfg, indexer.Options{})
				var refusal *indexer.RefusedError
				switch {
				case errors.As(err, &refusal) && n > 1 && strings.Contains(err.Error(), "with the earlier builds"):
					return
				case err != nil:
					t.Fatalf("build %d: %v", n, err)
				}
			}
			t.Errorf("%d builds, each with a further loss, are published", tt.most)
		})
	}
}

// TestSourcesThatAreNotWhole checks problems that end a build before the checks of the data.
func TestSourcesThatAreNotWhole(t *testing.T) {
	oneByOne(t)
	tests := []struct {
		name, file string
		edit       func(text string) string
		want       string
	}{
		{"no line feed", "aliases.csv", func(s string) string { return strings.TrimSuffix(s, "\n") }, "has no line feed at its end"},
		{"a short last row", "aliases.csv", func(s string) string { return s + "154,x\n" }, "has 2 cells where the header has 4"},
		{"UTF-16 in it", "aliases.csv", func(s string) string { return strings.Replace(s, "alias", "a\x00l\x00", 1) }, "aliases.csv:2: the line holds a byte that is 0"},
		{"other bytes", "datapackage.json", func(s string) string {
			return strings.Replace(s, `"path": "aliases.csv"`, `"path": "aliases.csv", "bytes": 15`, 1)
		}, "states 15 bytes, the file has"},
		{"another MD5", "datapackage.json", func(s string) string {
			return strings.Replace(s, `"path": "aliases.csv"`, `"path": "aliases.csv", "hash": "d41d8cd98f00b204e9800998ecf8427e"`, 1)
		}, "states the digest d41d8cd98f00b204e9800998ecf8427e"},
		{"another SHA-256", "datapackage.json", func(s string) string {
			return strings.Replace(s, `"path": "aliases.csv"`, `"path": "aliases.csv", "hash": "sha256:00"`, 1)
		}, "states the digest sha256:00, the file has sha256:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := indexer.Config{Data: filepath.Join(t.TempDir(), "data"), Program: "bencao test"}
			cfg.Package = indexer.Input{Path: "sample", FS: edited(t, tt.file, func(lines []string) []string {
				return []string{tt.edit(strings.Join(lines, ""))}
			})}
			r, err := indexer.Run(t.Context(), cfg, indexer.Options{})
			var refusal *indexer.RefusedError
			if err == nil || errors.As(err, &refusal) || !strings.Contains(err.Error(), tt.want) || r.Outcome != indexer.Failed {
				t.Fatalf("outcome %s, error %v; want a failure that says %q", r.Outcome, err, tt.want)
			}
		})
	}
	t.Run("a list that lacks the line feed by custom", func(t *testing.T) {
		cfg := config(t, tiny())
		text := list()["wcvp_names.csv"].Data
		cfg.Checklists[0].FS = fstest.MapFS{"wcvp_names.csv": &fstest.MapFile{Data: text[:len(text)-1]}}
		cfg.Limits.Allow("unfinished", "checklist:wcvp")
		mustRun(t, cfg)
	})
}

// TestOneReasonForMissingRows checks that a checklist without its last rows, or without every
// eighth, is refused for that reason alone.
func TestOneReasonForMissingRows(t *testing.T) {
	names := func(keep func(i int) bool) fstest.MapFS {
		files := list()
		for i := range 160 {
			if keep(i) {
				files["wcvp_names.csv"].Data = fmt.Appendf(files["wcvp_names.csv"].Data, "%d|%d-1|Species|Accepted|Araliaceae|Aralia %c%ca|L.|%d|\n", 10+i, 10+i, 'a'+i%26, 'a'+i/26, 10+i)
			}
		}
		return files
	}
	cfg := config(t, tiny())
	cfg.Checklists[0].FS = names(func(int) bool { return true })
	mustRun(t, cfg)
	for want, keep := range map[string]func(i int) bool{
		"the missing rows are exactly the last 40":    func(i int) bool { return i < 120 },
		"the missing rows are exactly every 8-th row": func(i int) bool { return i%8 != 3 },
	} {
		cfg.Checklists[0].FS = names(keep)
		if closed := refused(t, cfg); !strings.Contains(closed.Error(), want) || strings.Contains(closed.Error(), "fewer where") {
			t.Errorf("the refusal says %v; want %q alone", closed, want)
		}
	}
}

// TestGrownChecklist checks that a checklist may grow by rows that have no value in a sparse column.
func TestGrownChecklist(t *testing.T) {
	names := func(n int) fstest.MapFS {
		files := list()
		for i := range n {
			author := ""
			if i < 100 {
				author = "L."
			}
			files["wcvp_names.csv"].Data = fmt.Appendf(files["wcvp_names.csv"].Data, "%d|%d-1|Species|Accepted|Araliaceae|Aralia %c%ca|%s|%d|\n", 10+i, 10+i, 'a'+i%26, 'a'+i/26, author, 10+i)
		}
		return files
	}
	cfg := config(t, tiny())
	cfg.Checklists[0].FS = names(600)
	mustRun(t, cfg)
	cfg.Checklists[0].FS = names(640)
	mustRun(t, cfg)
}

// TestOlderNotations checks that only versions and dates in comparable notations count as older.
func TestOlderNotations(t *testing.T) {
	for _, tt := range []struct {
		was, now string
		older    bool
	}{
		{"2026-11-26", "2026/11/25", true}, {"2026-11-26", "2026.11.27", false}, {"2026.11", "2026.10", true}, {"20261126", "20261125", true},
		{"v1.10", "v1.9", true}, {"1.9", "1-8", false},
		{"2026-11-26", "27/11/2026", false}, {"2026-11-26", "27.11.2026", false}, {"30/11/2026", "01/12/2026", false},
		{"30/11/2026 02:00", "01/12/2026 02:00", false}, {"30.11.26", "01.12.26", false}, {"30/9/26", "1/10/26", false}, {"30-11-26", "14-12-26", false},
		{"13 (2026-11-26)", "13 (2026-11-25)", true}, {"14.10.2", "14.9.2", true},
		{"2025-10-01", "25.11.1", false}, {"2026-06-01", "14.0.1", false}, {"2026/11", "14.1", false}, {"2026.11", "14.1", false},
	} {
		pkg := func(version string) fstest.MapFS {
			p := tiny()
			replace(p, "datapackage.json", `"version": "1"`, fmt.Sprintf(`"version": "1", "created": %q`, version))
			return p
		}
		cfg := config(t, pkg(tt.was))
		mustRun(t, cfg)
		cfg.Package.FS = pkg(tt.now)
		_, err := indexer.Run(t.Context(), cfg, indexer.Options{})
		var refusal *indexer.RefusedError
		if refused := errors.As(err, &refusal); refused != tt.older || !refused && err != nil {
			t.Errorf("created %s after %s: %v; want older %v", tt.now, tt.was, err, tt.older)
		}
	}
}

// TestOlderSources checks that a source with a lower version or an older date is refused.
func TestOlderSources(t *testing.T) {
	oneByOne(t)
	dated := func(version, created string) fstest.MapFS {
		pkg := tiny()
		replace(pkg, "datapackage.json", `"version": "1"`, fmt.Sprintf(`"version": %q, "created": %q`, version, created))
		return pkg
	}
	cfg := config(t, dated("1.9", "2026-11-20T02:00:00Z"))
	mustRun(t, cfg)
	for _, pkg := range []fstest.MapFS{dated("1.8", "2026-11-20T02:00:00Z"), dated("1.9", "2026-11-19T02:00:00Z")} {
		cfg.Package.FS = pkg
		if closed := refused(t, cfg); !strings.Contains(closed.Error(), "--allow older=package") {
			t.Errorf("an older package: %v; want --allow older=package in it", closed)
		}
	}
	cfg.Package.FS = dated("1.10", "2026-11-20T04:00:00+02:00")
	mustRun(t, cfg)
	cfg.Checklists[0].Version = "12"
	if closed := refused(t, cfg); !strings.Contains(closed.Error(), "--allow older=checklist:wcvp") {
		t.Errorf("an older checklist: %v; want --allow older=checklist:wcvp in it", closed)
	}
	cfg.Limits.Allow("older", "checklist:wcvp")
	mustRun(t, cfg)

	// Two things that nobody can check, a date in the future and a digest of an unknown kind, are
	// reported.
	pkg := dated("1.11", "2099-01-01T00:00:00Z")
	replace(pkg, "datapackage.json", `"path": "species.csv"`, `"path": "species.csv", "hash": "blake3:00"`)
	cfg.Package.FS = pkg
	r := mustRun(t, cfg)
	for _, want := range []finding.Kind{{Table: "package", Severity: finding.Warn, Code: finding.Source}, {Table: "species", Severity: finding.Warn, Code: finding.Digest}} {
		if !slices.ContainsFunc(r.Findings, func(c finding.Count) bool { return c.Kind == want }) {
			t.Errorf("the findings are %v; want one of %s", r.Findings, want)
		}
	}
}

// TestNewestRecord checks that the report has the date of a source's newest record, even if nothing
// changed.
func TestNewestRecord(t *testing.T) {
	oneByOne(t)
	checked := list()
	lines := strings.Split(strings.TrimSuffix(string(checked["wcvp_names.csv"].Data), "\n"), "\n")
	for i := range lines {
		lines[i] += "|" + []string{"modified", "2025-06-07", "2025-01-02T03:04:05Z"}[min(i, 2)]
	}
	checked["wcvp_names.csv"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n") + "\n")}
	cfg := config(t, tiny())
	cfg.Checklists[0].FS = checked
	for _, want := range []indexer.Outcome{indexer.Published, indexer.Unchanged} {
		r := mustRun(t, cfg)
		if r.Outcome != want || len(r.Sources) != 2 {
			t.Fatalf("outcome %s of %d sources; want %s of 2", r.Outcome, len(r.Sources), want)
		}
		if of := r.Sources[0].NewestRecord; of != nil {
			t.Errorf("%s: the package has no dates, its newest record is of %s", want, of)
		}
		if of := r.Sources[1].NewestRecord; of == nil || of.Format(time.DateOnly) != "2025-06-07" {
			t.Errorf("%s: the checklist's newest record is of %v; want 2025-06-07", want, of)
		}
	}
}

// TestFirstBuild checks that an implausible first build needs --first and a plausible one does not.
func TestFirstBuild(t *testing.T) {
	oneByOne(t)
	good := speciesSources(t)
	mustRun(t, sourcesConfig(t, good))
	for name, spoil := range map[string]func(*indexer.Config){
		"no checklist knows the names": func(c *indexer.Config) {
			c.Checklists = []indexer.Input{{Key: "wcvp", Path: "wcvp", FS: list(), Version: "13"}}
		},
		"a checklist of no rows": func(c *indexer.Config) {
			text := list()["wcvp_names.csv"].Data
			c.Checklists = append(c.Checklists, indexer.Input{Key: "other", Path: "other",
				FS: fstest.MapFS{"wcvp_names.csv": &fstest.MapFile{Data: text[:slices.Index(text, '\n')+1]}}})
		},
		"no species": func(c *indexer.Config) {
			c.Checklists = nil
			c.Package.FS = fstest.MapFS{
				"datapackage.json": &fstest.MapFile{Data: []byte(`{"name": "x", "version": "1", "resources": [{"name": "species", "path": "species.csv"}]}`)},
				"species.csv":      &fstest.MapFile{Data: []byte("entry_id,scientific_name,rank\n")},
			}
		},
		"Chinese names beside other species": func(c *indexer.Config) {
			c.Package.FS = editSpecies(t, func(lines []string) []string {
				for i := range lines[1:] {
					other := strings.Split(lines[1+(i+17)%(len(lines)-1)], ",")
					if strings.Contains(strings.Join(other, ""), `"`) {
						continue
					}
					lines[i+1] = strings.Replace(lines[i+1], ","+strings.Split(lines[i+1], ",")[2]+",", ","+other[2]+",", 1)
				}
				return lines
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := sourcesConfig(t, good)
			spoil(&cfg)
			if closed := refused(t, cfg); !strings.Contains(closed.Error(), "--first") {
				t.Errorf("refused with %v; want --first in it", closed)
			}
			cfg.Limits.First = true
			mustRun(t, cfg)
			cfg.Limits.First, cfg.Rebuild = false, true
			mustRun(t, cfg) // the previous snapshot is as implausible, so this build passes
		})
	}
}

// TestDamagedLedger compares a build with a snapshot whose ledger is damaged. Its package is still
// compared, and a good build is published.
func TestDamagedLedger(t *testing.T) {
	oneByOne(t)
	cfg := sourcesConfig(t, speciesSources(t))
	r := mustRun(t, cfg)
	path := filepath.Join(cfg.Data, "snapshots", r.Snapshot, check.LedgerFile)
	must(t, errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, []byte("{}"), 0o644)))
	cfg.Package.FS = editSpecies(t, func(lines []string) []string {
		for i := len(lines) - 1; i > 1; i-- {
			lines[i] = cells(lines[i], map[int]string{2: strings.Split(lines[i-1], ",")[2]})
		}
		return lines
	})
	if closed := refused(t, cfg); !strings.Contains(closed.Error(), "species.chinese_name") {
		t.Errorf("a shifted column over a snapshot with a damaged ledger: %v; want the column's name", closed)
	}
	cfg = sourcesOf(cfg, speciesSources(t))
	cfg.Rebuild = true
	mustRun(t, cfg)
}

// TestEmptiedCellsSayWhy writes years as 219.0, which the build reads as empty cells. The refusal
// must say why they are empty.
func TestEmptiedCellsSayWhy(t *testing.T) {
	oneByOne(t)
	cfg := indexer.Config{Data: filepath.Join(t.TempDir(), "data"), Program: "bencao test", Package: indexer.Input{Path: "sample", FS: sample.Package()}}
	mustRun(t, cfg)
	year := regexp.MustCompile(`(?m),(\d{3,4}),`)
	cfg.Package.FS = edited(t, "formulas.csv", func(lines []string) []string {
		for i := range lines {
			lines[i] = year.ReplaceAllString(lines[i], ",$1.0,")
		}
		return lines
	})
	if closed := refused(t, cfg); !strings.Contains(closed.Error(), `cells that cannot be read count as empty, such as formulas.csv:2: year "219.0": `) {
		t.Errorf("years with a decimal point: %v; want the first such year", closed)
	}
	// A paper has a soft hyphen in its title. This is a warning, but no reason why titles are empty.
	cfg.Package.FS = edited(t, "papers.csv", func(lines []string) []string {
		at := slices.Index(strings.Split(strings.TrimSpace(lines[0]), ","), "title")
		for i := 1; i <= 40; i++ {
			r := csv.NewReader(strings.NewReader(lines[i]))
			cells, err := r.Read()
			must(t, err)
			cells[at] = ""
			var out strings.Builder
			w := csv.NewWriter(&out)
			must(t, w.Write(cells))
			w.Flush()
			lines[i] = out.String()
		}
		return lines
	})
	if closed := refused(t, cfg); !strings.Contains(closed.Error(), "papers.title: ") || strings.Contains(closed.Error(), "count as empty") {
		t.Errorf("empty titles: %v; want a refusal that does not speak of unread cells", closed)
	}
}

// TestInvisibleCharacters inserts an invisible character before names. A build with a few such
// names is published, and the report gives their places. A build with 2 % of such names is refused.
// After that build is allowed, the next build is compared with it.
func TestInvisibleCharacters(t *testing.T) {
	oneByOne(t)
	cfg := sourcesConfig(t, speciesSources(t))
	mustRun(t, cfg)
	marked := func(every int) fstest.MapFS {
		return editSpecies(t, func(lines []string) []string {
			for i := 1; i < len(lines); i += every {
				before, after, _ := strings.Cut(lines[i], ",")
				guid, rest, _ := strings.Cut(after, ",")
				lines[i] = before + "," + guid + ",\u202e" + rest
			}
			return lines
		})
	}
	cfg.Package.FS = marked(150)
	mustRun(t, cfg)
	rows := findings(t, cfg.Data)
	if i := slices.IndexFunc(rows, func(r []string) bool {
		return r[0] == "warn" && r[1] == "glyph" && r[3] == "species.csv" && r[4] == "2" && r[5] == "chinese_name" &&
			strings.Contains(r[7], "character 1 is U+202E (right-to-left override)") && strings.Contains(r[8], "take it out")
	}); i < 0 {
		t.Errorf("findings %v; want one of the character on line 2 of species.csv", rows)
	}
	cfg.Package.FS = marked(33)
	closed := refused(t, cfg)
	for _, want := range []string{"species.chinese_name", "hold an invisible character", "--allow changes=species"} {
		if !strings.Contains(closed.Error(), want) {
			t.Errorf("the refusal says %q; want %q in it", closed, want)
		}
	}
	cfg.Limits.Allow("changes", "species")
	mustRun(t, cfg)
	cfg.Limits.Allowed, cfg.Rebuild = nil, true
	mustRun(t, cfg)
	cfg = sourcesOf(cfg, speciesSources(t)) // a package with fewer of these characters passes
	mustRun(t, cfg)
}
