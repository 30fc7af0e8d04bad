package check_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer/archive"
	"bencao/indexer/check"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/test/testkit"
	"bencao/store"
	"bencao/store/snapshot"
)

// tables holds the rows of a build by table. The first row of each table is its header.
type tables map[string][]string

// plants returns n species, each with one use.
func plants(n int) tables {
	t := tables{
		"species": {"entry_id,chinese_name,scientific_name,author,rank,family"},
		"uses":    {"id,species_id,collection,description"},
	}
	for i := 1; i <= n; i++ {
		// The digits become letters, so that the names differ from row to row in their letters, as
		// real names do.
		word := strings.NewReplacer("0", "ba", "1", "ce", "2", "di", "3", "fo", "4", "gu", "5", "la", "6", "me", "7", "ni", "8", "po", "9", "ru").Replace(fmt.Sprint(i*7919 + 100_000))
		t["species"] = append(t["species"], fmt.Sprintf("%d,草%c,Aus %s,Author%s,species,Asteraceae", i, '一'+rune(i), word, word))
		t["uses"] = append(t["uses"], fmt.Sprintf("%d,%d,folk,tonic %s", i, i, word))
	}
	return t
}

// but returns a copy of the tables, in which edit has changed the rows of one table.
func (t tables) but(table string, edit func(rows []string) []string) tables {
	out := tables{}
	for name, rows := range t {
		out[name] = slices.Clone(rows)
	}
	out[table] = append(out[table][:1], edit(slices.Clone(t[table][1:]))...)
	return out
}

// without returns a copy of the tables in which one table is missing.
func (t tables) without(table string) tables {
	out := t.but(table, func(rows []string) []string { return rows })
	delete(out, table)
	return out
}

// first returns a function that applies edit to the first n rows.
func first(n int, edit func(row string) string) func([]string) []string {
	return func(rows []string) []string {
		for i := range n {
			rows[i] = edit(rows[i])
		}
		return rows
	}
}

// fewer returns a function that removes n rows, spread over the table.
func fewer(n int) func([]string) []string {
	return func(rows []string) []string {
		gone := map[int]bool{}
		for i := 0; len(gone) < n; i++ {
			gone[i*7919%len(rows)] = true
		}
		var kept []string
		for i, row := range rows {
			if !gone[i] {
				kept = append(kept, row)
			}
		}
		return kept
	}
}

// more returns a function that adds n uses to the first species. No other use has the same text.
func more(n int) func([]string) []string {
	return func(rows []string) []string {
		for _, row := range plants(len(rows) + n)["uses"][1+len(rows):] {
			rows = append(rows, cell(1, "1")(row))
		}
		return rows
	}
}

// cell returns a function that sets a cell of a row.
func cell(column int, to string) func(string) string {
	return func(row string) string {
		cells := strings.Split(row, ",")
		cells[column] = to
		return strings.Join(cells, ",")
	}
}

// other returns a function that changes the text in a cell of a row to another text of the same
// kind.
func other(column int) func(string) string {
	return func(row string) string {
		cells := strings.Split(row, ",")
		letters := []rune(cells[column])
		slices.Reverse(letters)
		cells[column] = string(letters)
		return strings.Join(cells, ",")
	}
}

// pairs returns a function that swaps the cells of a column within each of the first n pairs of
// rows.
func pairs(n, column int) func(rows []string) []string {
	return func(rows []string) []string {
		for i := range n {
			a, b := strings.Split(rows[2*i], ","), strings.Split(rows[2*i+1], ",")
			a[column], b[column] = b[column], a[column]
			rows[2*i], rows[2*i+1] = strings.Join(a, ","), strings.Join(b, ",")
		}
		return rows
	}
}

// columns returns a function that swaps two cells of a row.
func columns(a, b int) func(row string) string {
	return func(row string) string {
		cells := strings.Split(row, ",")
		cells[a], cells[b] = cells[b], cells[a]
		return strings.Join(cells, ",")
	}
}

// again returns a function that repeats the first n rows under new ids.
func again(n int) func(rows []string) []string {
	return func(rows []string) []string {
		for i := range n {
			rows = append(rows, cell(0, fmt.Sprint(900+i))(rows[i]))
		}
		return rows
	}
}

// source returns a package that contains the tables.
func source(t *testing.T, of tables, version string) check.Source {
	t.Helper()
	files, resources := fstest.MapFS{}, []string{}
	for name, rows := range of {
		files[name+".csv"] = &fstest.MapFile{Data: []byte(strings.Join(rows, "\n") + "\n")}
		resources = append(resources, fmt.Sprintf(`{"name": %q, "path": "%[1]s.csv"}`, name))
	}
	slices.Sort(resources)
	files["datapackage.json"] = &fstest.MapFile{Data: []byte(fmt.Sprintf(`{"name": "test", "version": %q, "resources": [%s]}`, version, strings.Join(resources, ",")))}
	src, err := archive.FromFS("test", files, archive.Limits{})
	must(t, err)
	return check.Source{Key: check.Package, Source: snapshot.Source{Name: "test", Version: version}, Archive: src}
}

// must ends the test if there is an error.
var must = testkit.Must

// publisher publishes builds in a folder, one after another.
type publisher struct {
	dir     snapshot.Dir
	before  *snapshot.Manifest
	version int
}

func newPublisher(t *testing.T) *publisher {
	data := t.TempDir()
	t.Cleanup(func() { // published folders are read-only and could not be removed
		must(t, filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = os.Chmod(path, 0o755)
			}
			return err
		}))
	})
	return &publisher{dir: snapshot.At(data)}
}

// build runs the checks on the tables, and publishes the build if all checks pass.
func (p *publisher) build(t *testing.T, of tables, limits check.Limits) ([]check.Measure, *check.Error) {
	t.Helper()
	var log finding.Log
	n := check.New(p.dir, check.Options{Limits: limits, Before: p.before, Findings: &log, Log: slog.New(slog.DiscardHandler)})
	must(t, n.LoadPrevious(p.dir))
	p.version++
	src := source(t, of, fmt.Sprint(p.version))
	err := n.Sources(t.Context(), []check.Source{src})
	must(t, n.ReadError())
	if err == nil {
		pkg, readErr := datapackage.Read(t.Context(), src.Archive, datapackage.Options{}, &log)
		must(t, readErr)
		made := check.Derived{Data: &store.Data{Species: pkg.Species}, Package: pkg, Resolves: func(string) bool { return false }}
		err = n.Rows(t.Context(), pkg)
		if err == nil {
			err = errors.Join(n.Links(t.Context(), made), n.Matches(t.Context(), made))
		}
		if err == nil {
			p.publish(t, n, pkg)
		}
	}
	var closed *check.Error
	if err != nil && !errors.As(err, &closed) {
		t.Fatal(err)
	}
	return n.Measures(), closed
}

func (p *publisher) publish(t *testing.T, n *check.Checker, pkg *datapackage.Package) {
	t.Helper()
	w, err := p.dir.Lock(snapshot.WriterOptions{})
	must(t, err)
	draft, err := w.Draft()
	must(t, err)
	must(t, n.Write(draft.Path(), ""))
	f, err := os.Create(filepath.Join(draft.Path(), check.PackageFile))
	must(t, err)
	z, err := datapackage.NewWriter(f, pkg)
	must(t, errors.Join(err, z.Close(n.Tables()), f.Close()))
	content := snapshot.Content{Program: "test", Tables: map[string]int{}, Sources: []snapshot.Source{{Name: "test", Version: fmt.Sprint(p.version)}}}
	for _, table := range pkg.Tables {
		if table.Present {
			content.Tables[table.Name] = table.Kept
		}
	}
	m, err := draft.Publish(t.Context(), content, func(string) error { return nil })
	must(t, err)
	must(t, w.Close())
	p.before = &m
}

// TestLimits checks the limit of each check exactly. As many failures as the limit allows must
// pass, and one more must be refused. The flag that the refusal names must then allow the build.
// The data are 200 species with one use each.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		what    string
		most    tables // as many failures as the limit allows
		over    tables // one failure more than in most
		measure string
		flag    string
		lift    check.Limits
	}{
		{"rows gone", plants(200).but("uses", fewer(10)), plants(200).but("uses", fewer(11)), "shrink",
			"--allow shrink=uses", check.Limits{Allowed: check.Allowed{"shrink": {"uses"}}}},
		{"rows more", plants(200).but("uses", more(100)), plants(200).but("uses", more(101)), "growth",
			"--allow growth=uses", check.Limits{Allowed: check.Allowed{"growth": {"uses"}}}},
		{"authors emptied", plants(200).but("species", first(10, cell(3, ""))), plants(200).but("species", first(11, cell(3, ""))), "filled",
			"--allow empty=species", check.Limits{Allowed: check.Allowed{"empty": {"species.author"}}}},
		{"authors changed", plants(200).but("species", first(20, other(3))), plants(200).but("species", first(21, other(3))), "values",
			"--allow changes=species", check.Limits{Allowed: check.Allowed{"changes": {"species"}}}},
		{"GUIDs of others", plants(200), plants(200).but("species", pairs(1, 0)), "moved-guids",
			"--allow moved-guids=species", check.Limits{Allowed: check.Allowed{"moved-guids": {"species"}}}},
		{"authors of others", plants(200).but("species", pairs(2, 3)), plants(200).but("species", pairs(3, 3)), "between",
			"--allow changes=species", check.Limits{Allowed: check.Allowed{"changes": {"species.author"}}}},
		{"authors and names exchanged", plants(200).but("species", first(4, columns(1, 3))), plants(200).but("species", first(5, columns(1, 3))), "across",
			"--allow changes=species", check.Limits{Allowed: check.Allowed{"changes": {"species"}}}},
		{"uses repeated", plants(200).but("uses", again(4)), plants(200).but("uses", again(5)), "repeated",
			"--allow growth=uses", check.Limits{Allowed: check.Allowed{"growth": {"uses"}}}},
		{"a table gone", plants(200), plants(200).without("uses"), "present",
			"--allow missing=uses", check.Limits{Allowed: check.Allowed{"missing": {"uses"}, "shrink": {"uses"}}}},
		{"a column emptied", plants(200), plants(200).but("uses", first(200, cell(3, ""))), "column",
			"--allow empty=uses", check.Limits{Allowed: check.Allowed{"empty": {"uses"}, "changes": {"uses"}}}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			p := newPublisher(t)
			if _, closed := p.build(t, plants(200), check.Limits{}); closed != nil {
				t.Fatal(closed)
			}
			good := *p
			if _, closed := p.build(t, tt.most, check.Limits{}); closed != nil {
				t.Errorf("a build at the limit is refused: %v", closed)
			}
			*p = good
			measures, closed := p.build(t, tt.over, check.Limits{})
			if closed == nil || !slices.Contains(closed.Flags, tt.flag) || !strings.Contains(closed.Error(), tt.flag) {
				t.Fatalf("a build over the limit: %v, want a refusal that names %s", closed, tt.flag)
			}
			if !slices.ContainsFunc(measures, func(m check.Measure) bool {
				return m.Name == tt.measure && m.Verdict == "refused" && float64(m.Count) > m.Limit
			}) {
				t.Errorf("measures are %+v, want %s refused", measures, tt.measure)
			}
			measures, closed = p.build(t, tt.over, tt.lift)
			if closed != nil {
				t.Fatalf("with %s: %v", tt.flag, closed)
			}
			if !slices.ContainsFunc(measures, func(m check.Measure) bool { return m.Name == tt.measure && m.Verdict == "allowed" }) {
				t.Errorf("measures are %+v, want %s allowed", measures, tt.measure)
			}
			if _, closed := p.build(t, tt.over, check.Limits{}); closed != nil {
				t.Errorf("the next build, with the same tables: %v, want that it is compared with the allowed build", closed)
			}
		})
	}
}

// TestSparseColumn checks that the share of emptied cells is that of the filled cells, not that of all
// rows: a column with a value in half of its rows may lose five of a hundred. In the second case, new
// rows have values, so that only the comparison of the cells notices the loss.
func TestSparseColumn(t *testing.T) {
	blank := func(n, from, all int) tables {
		return plants(all).but("species", func(rows []string) []string {
			return append(first(n, cell(3, ""))(rows[:from:from]), first(200-from, cell(3, ""))(rows[from:])...)
		})
	}
	for _, all := range []int{200, 206} {
		p := newPublisher(t)
		if _, closed := p.build(t, blank(0, 100, 200), check.Limits{}); closed != nil {
			t.Fatal(closed)
		}
		good := *p
		if _, closed := p.build(t, blank(5, 100, all), check.Limits{}); closed != nil {
			t.Errorf("%d rows, 5 of 100 authors emptied: %v; want that the build is published", all, closed)
		}
		*p = good
		measures, closed := p.build(t, blank(6, 100, all), check.Limits{})
		if closed == nil || !slices.ContainsFunc(measures, func(m check.Measure) bool {
			return m.Name == "filled" && m.Column == "author" && m.Verdict == "refused" && m.Of == 100
		}) {
			t.Errorf("%d rows, 6 of 100 authors emptied: %v, measures %+v; want a refusal", all, closed, measures)
		}
	}
}

// TestNoticed checks that differences within the limits are reported, with the table, the column,
// the number of differences, and the rows.
func TestNoticed(t *testing.T) {
	p := newPublisher(t)
	if _, closed := p.build(t, plants(200), check.Limits{}); closed != nil {
		t.Fatal(closed)
	}
	for _, tt := range []struct {
		what string
		now  tables
		want string
	}{
		{"nothing", plants(200), ""},
		{"one author", plants(200).but("species", first(1, other(3))), ""},
		{"two authors", plants(200).but("species", first(2, other(3))), "species.author 2: 2 of 200 filled cells have another value"},
		{"two authors emptied", plants(200).but("species", first(2, cell(3, ""))), "species.author 2: 2 of 200 cells that were filled in the previous snapshot are empty"},
		{"two rows gone", plants(200).but("uses", fewer(2)), "uses. 0: 198 rows where the previous snapshot has 200"},
		{"author and name exchanged in a row", plants(200).but("species", first(1, columns(1, 3))), "species.chinese_name 2: 1 of 200 cells hold the value that another column of their row held, mostly author, such as species.csv:2, "},
		{"two authors exchanged", plants(200).but("species", pairs(1, 3)), "species.author 2: 2 of 200 cells exchanged their values with other rows, such as species.csv:2, "},
		{"a use repeated", plants(200).but("uses", again(1)), "uses. 202: 1 new rows repeat others under new ids, such as uses.csv:202, "},
	} {
		n := check.New(p.dir, check.Options{Before: p.before, Findings: &finding.Log{}, Log: slog.New(slog.DiscardHandler)})
		must(t, n.LoadPrevious(p.dir))
		src := source(t, tt.now, "2")
		must(t, n.Sources(t.Context(), []check.Source{src}))
		must(t, n.ReadError())
		pkg, err := datapackage.Read(t.Context(), src.Archive, datapackage.Options{}, &finding.Log{})
		must(t, err)
		must(t, n.Rows(t.Context(), pkg))
		var got []string
		for _, f := range n.Noticed() {
			got = append(got, fmt.Sprintf("%s.%s %d: %s", f.Table, f.Column, f.Line, f.Message))
		}
		if tt.want == "" && len(got) > 0 || tt.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, tt.want) }) {
			t.Errorf("%s: reported is %q; want %q", tt.what, got, tt.want)
		}
	}
}

// TestLossAddsUp checks that all builds together may lose about twice as many rows as one build, and
// no more.
func TestLossAddsUp(t *testing.T) {
	p := newPublisher(t)
	table := plants(400)
	_, closed := p.build(t, table, check.Limits{})
	goes := map[string]bool{}
	for _, row := range table["uses"][1:] {
		goes[row] = true
	}
	for _, row := range fewer(160)(slices.Clone(table["uses"][1:])) {
		delete(goes, row)
	}
	lost := 0
	for closed == nil && lost < 160 {
		lost += 16 // 4 % of the rows; one build may lose 5 %
		left := lost
		_, closed = p.build(t, table.but("uses", func(rows []string) []string {
			return slices.DeleteFunc(rows, func(row string) bool {
				if goes[row] && left > 0 {
					left--
					return true
				}
				return false
			})
		}), check.Limits{})
	}
	// Each build loses 16 rows. The limit is 20 rows for one build and 40 for all.
	if closed == nil || lost != 48 || !strings.Contains(closed.Error(), "this sums up with the earlier builds") {
		t.Errorf("refused after the loss of %d of 400 rows, 16 in each build: %v; want after 48, by the sum over builds", lost, closed)
	}
}

// TestCutAndThinned checks that rows that are missing at an end of a file or at equal distances are
// distinguished from rows that a curator removed.
func TestCutAndThinned(t *testing.T) {
	const n = 296
	for name, tt := range map[string]struct {
		gone func(i int) bool
		more []string
		want string
	}{
		"the last three": {func(i int) bool { return i >= n-3 }, nil, "cut"},
		"the last two, as a curator takes them back": {func(i int) bool { return i >= n-2 }, nil, ""},
		"the last three, and a new one":              {func(i int) bool { return i >= n-3 }, []string{"999,1,folk,new"}, ""},
		"the last three and another":                 {func(i int) bool { return i >= n-3 || i == 17 }, nil, ""},
		"the first five":                             {func(i int) bool { return i < 5 }, nil, "headless"},
		"every 25th":                                 {func(i int) bool { return i%25 == 24 }, nil, "thinned"},
		"some of every 25th":                         {func(i int) bool { return i%25 == 24 && i != 99 }, nil, ""},
		"a block in the middle":                      {func(i int) bool { return i >= 100 && i < 110 }, nil, ""},
	} {
		p := newPublisher(t)
		if _, closed := p.build(t, plants(n), check.Limits{}); closed != nil {
			t.Fatal(closed)
		}
		measures, closed := p.build(t, plants(n).but("uses", func(rows []string) []string {
			var kept []string
			for i, row := range rows {
				if !tt.gone(i) {
					kept = append(kept, row)
				}
			}
			return append(kept, tt.more...)
		}), check.Limits{})
		refused := ""
		for _, m := range measures {
			if m.Verdict == "refused" {
				refused += m.Name
			}
		}
		if refused != tt.want || (closed != nil) != (tt.want != "") {
			t.Errorf("%s: refused by %q (%v); want %q", name, refused, closed, tt.want)
		}
	}
}

// TestSumIsForgotten checks that losses long ago do not count for ever, and that rows that come back
// make up for others that were lost.
func TestSumIsForgotten(t *testing.T) {
	p := newPublisher(t)
	table := plants(400)
	steps := []int{0, 16, 32} // rows lost
	for range 12 {
		steps = append(steps, 32)
	}
	steps = append(steps, 40, 20, 36)
	for i, lost := range steps {
		if _, closed := p.build(t, table.but("uses", fewer(lost)), check.Limits{}); closed != nil {
			t.Fatalf("build %d, %d rows lost: %v", i, lost, closed)
		}
	}
}

// TestFilesThatAreNotWhole checks that a file that ends within a row ends the build before any
// other check. Only the flag for files of this kind allows the build.
func TestFilesThatAreNotWhole(t *testing.T) {
	src := source(t, plants(3), "1")
	text, err := fs.ReadFile(fstest.MapFS{"uses.csv": &fstest.MapFile{Data: []byte(strings.Join(plants(3)["uses"], "\n"))}}, "uses.csv")
	must(t, err)
	files := fstest.MapFS{
		"datapackage.json": &fstest.MapFile{Data: []byte(`{"name": "test", "version": "1", "resources": [{"name": "species", "path": "species.csv"}, {"name": "uses", "path": "uses.csv"}]}`)},
		"species.csv":      &fstest.MapFile{Data: []byte(strings.Join(plants(3)["species"], "\n") + "\n")},
		"uses.csv":         &fstest.MapFile{Data: text},
	}
	src.Archive, err = archive.FromFS("test", files, archive.Limits{})
	must(t, err)
	for _, tt := range []struct {
		limits check.Limits
		opens  bool
	}{
		{check.Limits{Allowed: check.Allowed{"shrink": {"uses"}, "changes": {"uses"}}, First: true}, false},
		{check.Limits{Allowed: check.Allowed{"unfinished": {"uses"}}}, true},
	} {
		var log finding.Log
		p := newPublisher(t)
		n := check.New(p.dir, check.Options{Limits: tt.limits, Findings: &log, Log: slog.New(slog.DiscardHandler)})
		err := n.Sources(t.Context(), []check.Source{src})
		var closed *check.Error
		if errors.As(err, &closed) || (err == nil) != tt.opens || err != nil && !strings.Contains(err.Error(), "no line feed") {
			t.Errorf("limits %+v: %v; want that the build passes: %v", tt.limits, err, tt.opens)
		}
	}
}
