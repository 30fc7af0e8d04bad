package rowdiff_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/indexer/profile"
	"bencao/indexer/rowdiff"
	"bencao/internal/rows"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/testkit"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

func read(tb testing.TB, text string) *rowdiff.Table {
	tb.Helper()
	t, err := rowdiff.Read(tb.Context(), strings.NewReader(text), profile.Table{
		Open: func(r io.Reader) *rows.Reader { return rows.NewCSV(r, "table.csv", rows.CSV{}) },
	})
	must(tb, err)
	return t
}

// flora returns a table of n species, with rows changed by edit.
func flora(n int, edit func(rows [][]string) [][]string) string {
	var all [][]string
	for i := range n {
		all = append(all, []string{fmt.Sprint(i), fmt.Sprintf("guid-%d", i), fmt.Sprintf("Aus %d", i), fmt.Sprintf("草%d", i), fmt.Sprintf("Auct%d.", i), fmt.Sprint(i % 3), "三两"})
	}
	if edit != nil {
		all = edit(all)
	}
	var b strings.Builder
	b.WriteString("entry_id,guid,name,chinese,author,kind,dose\n")
	for _, row := range all {
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String()
}

var spec = rowdiff.Spec{Key: []string{"entry_id"}, GUID: "guid", IDs: []string{"entry_id", "guid"}, Identity: []string{"name", "chinese"}, Numbers: []string{"dose"}}

func trade(column, a, b int) func(rows [][]string) [][]string {
	return func(rows [][]string) [][]string {
		rows[a][column], rows[b][column] = rows[b][column], rows[a][column]
		return rows
	}
}

func TestMovedGUIDs(t *testing.T) {
	tests := map[string]struct {
		edit func(rows [][]string) [][]string
		want []string // GUIDs
	}{
		"nothing":       {nil, nil},
		"two exchanged": {trade(1, 3, 5), []string{"guid-5", "guid-3"}},
		"two exchanged, and others corrected": {func(rows [][]string) [][]string {
			rows[3][4], rows[5][4] = "Other", "Another"
			return trade(1, 3, 5)(rows)
		}, []string{"guid-5", "guid-3"}},
		"ids and GUIDs exchanged": {func(rows [][]string) [][]string {
			return trade(0, 3, 5)(trade(1, 3, 5)(rows))
		}, []string{"guid-5", "guid-3"}},
		"three in a circle": {func(rows [][]string) [][]string { return trade(1, 3, 5)(trade(1, 5, 7)(rows)) }, []string{"guid-7", "guid-3", "guid-5"}},
		"one taken from a record that is gone": {func(rows [][]string) [][]string {
			rows[3][1] = rows[5][1]
			return slices.Delete(rows, 5, 6)
		}, []string{"guid-5"}},
		"new GUIDs": {func(rows [][]string) [][]string {
			rows[3][1] = "guid-new"
			return rows
		}, nil},
		"another order": {func(rows [][]string) [][]string {
			slices.Reverse(rows)
			return rows
		}, nil},
		"two names exchanged": {trade(2, 3, 5), nil},
		"a record corrected": {func(rows [][]string) [][]string {
			rows[3][2], rows[3][3] = "Bus 3", "木3"
			return rows
		}, nil},
		"two records merged, with the names of the one that goes": {func(rows [][]string) [][]string {
			copy(rows[3][2:], rows[5][2:])
			return slices.Delete(rows, 5, 6)
		}, nil},
		"one given to a new record": {func(rows [][]string) [][]string {
			rows = append(rows, []string{"90", rows[3][1], "Bus 90", "木90", "Novus", "1", ""})
			rows[3][1] = "guid-new"
			return rows
		}, []string{"guid-3"}},
		"one of a removed record given to a new one": {func(rows [][]string) [][]string {
			rows[3] = []string{"90", rows[3][1], "Bus 90", "木90", "Novus", "1", ""}
			return rows
		}, []string{"guid-3"}},
		"a record with a new id and another name": {func(rows [][]string) [][]string {
			rows[3][0], rows[3][2] = "90", "Bus 3"
			return rows
		}, nil},
		"a record repeated in another": {func(rows [][]string) [][]string {
			copy(rows[3][2:], rows[5][2:])
			return rows
		}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := rowdiff.Compare(read(t, flora(12, nil)), read(t, flora(12, tt.edit)), spec)
			var got []string
			for _, m := range d.MovedGUIDs {
				got = append(got, m.GUID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("GUIDs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepeated(t *testing.T) {
	again := func(rows [][]string) [][]string {
		row := slices.Clone(rows[3])
		row[0], row[1] = "90", "guid-90"
		return append(rows, row)
	}
	old, now := read(t, flora(12, nil)), read(t, flora(12, again))
	if d := rowdiff.Compare(old, now, spec); d.Repeated.Count != 1 || d.Repeated.First[0].Line != 14 {
		t.Errorf("a row under a new id: %+v; want one on line 14", d.Repeated)
	}
	// The old version already has the repeated row, under another id.
	renumbered := func(rows [][]string) [][]string {
		rows = again(rows)
		rows[12][0] = "91"
		return rows
	}
	if d := rowdiff.Compare(now, read(t, flora(12, renumbered)), spec); d.Repeated.Count != 0 {
		t.Errorf("a repetition with another id than before: %+v; want none", d.Repeated)
	}
}

func TestCells(t *testing.T) {
	across := func(rows [][]string) [][]string {
		for _, i := range []int{2, 4} {
			rows[i][3], rows[i][4] = rows[i][4], rows[i][3]
		}
		return rows
	}
	d := rowdiff.Compare(read(t, flora(12, nil)), read(t, flora(12, across)), spec)
	if c := column(d, "chinese"); c.Across.Count != 2 || c.From != "author" || c.Between.Count != 0 {
		t.Errorf("chinese and author exchanged in two rows: %+v", c)
	}
	d = rowdiff.Compare(read(t, flora(12, nil)), read(t, flora(12, trade(4, 2, 9))), spec)
	if c := column(d, "author"); c.Between.Count != 2 || c.Rare != 2 || c.Across.Count != 0 || c.Between.First[0].Is != "Auct9." {
		t.Errorf("two authors exchanged: %+v", c)
	}
	tenth := func(rows [][]string) [][]string {
		for i := range 4 {
			rows[i][6] = "三钱"
		}
		return rows
	}
	d = rowdiff.Compare(read(t, flora(12, nil)), read(t, flora(12, tenth)), spec)
	if c := column(d, "dose"); len(c.Scaled) != 1 || c.Scaled[0].How != "× 0.1" || c.Scaled[0].Count != 4 {
		t.Errorf("两 became 钱 in four rows: %+v", c)
	}
}

func column(d rowdiff.Diff, name string) rowdiff.Column {
	for _, c := range d.Columns {
		if c.Name == name {
			return c
		}
	}
	return rowdiff.Column{}
}

// TestCounts checks the numbers of removed, added, changed, emptied and filled cells.
func TestCounts(t *testing.T) {
	edit := func(rows [][]string) [][]string {
		rows[0][4], rows[1][4], rows[2][5] = "", "Other", ""
		rows[3][3] = "草３\u202e"
		rows = slices.Delete(rows, 7, 9)
		return append(rows, []string{"90", "guid-90", "Сus 90", "木", "Pаnax", "", ""}) // both begin with a Cyrillic letter
	}
	d := rowdiff.Compare(read(t, flora(12, nil)), read(t, flora(12, edit)), spec)
	if d.Before != 12 || d.After != 11 || d.Common != 10 || d.Removed != 2 || d.Added != 1 || d.Changed != 4 || !slices.Equal(d.AddedLines, []int{12}) || !slices.Equal(d.ChangedLines, []int{2, 3, 4, 5}) {
		t.Errorf("difference %+v", d)
	}
	if c := column(d, "author"); c.Filled != 10 || c.Changed != 2 || c.Emptied != 1 || c.FilledIn != 0 || c.Marks.Mixed != 1 || !slices.Equal(c.Lines, []int{2, 3}) || !slices.Equal(c.Marked, []int{12}) {
		t.Errorf("author %+v", c)
	}
	if c := column(d, "chinese"); c.Marks.Invisible != 1 || !slices.Equal(c.Marked, []int{5}) {
		t.Errorf("chinese %+v", c)
	}
	if got := d.RemovedValues("entry_id"); !cmp.Equal(got, map[string]bool{"7": true, "8": true}) || d.Orphans(map[string]map[string]bool{"kind": {"1": true}}) != 1 {
		t.Errorf("removed are %v; want 7 and 8, of which 7 has the kind 1", got)
	}
}

// TestPlaces checks columns whose values moved to other rows.
func TestPlaces(t *testing.T) {
	const n = 300
	table := func(of func(i int) int) *rowdiff.Table {
		var b strings.Builder
		b.WriteString("id,kind,note\n")
		for i := range n {
			fmt.Fprintf(&b, "%d,kind %d,note %d\n", i, of(i)/50, of(i))
		}
		return read(t, b.String())
	}
	of := rowdiff.Spec{Key: []string{"id"}}
	old := table(func(i int) int { return i })
	for by, want := range map[int]int{1: 5, n - 1: 5, 0: 0} {
		if c := column(rowdiff.Compare(old, table(func(i int) int { return (i + by) % n }), of), "kind"); c.Shifted != want {
			t.Errorf("a column of six runs shifted by %d: %+v; want %d of five borders", by, c, want)
		}
	}
}

// TestIncreased checks that references that were all increased by the same number are found, in the
// key and beside it.
func TestIncreased(t *testing.T) {
	table := func(by int) *rowdiff.Table {
		var b strings.Builder
		b.WriteString("id,species_id,paper\n")
		for i := range 40 {
			of := 3 * i
			if i%5 == 0 {
				of += by
			}
			fmt.Fprintf(&b, "%d,%d,paper%d\n", i, of, i)
		}
		return read(t, b.String())
	}
	for _, key := range [][]string{{"id"}, {"species_id", "paper"}} {
		d := rowdiff.Compare(table(0), table(1), rowdiff.Spec{Key: key, References: []string{"species_id"}})
		if c := column(d, "species_id"); len(c.Scaled) != 1 || c.Scaled[0].How != "+1" || c.Scaled[0].Count != 8 {
			t.Errorf("key %v: eight references increased by 1: %+v", key, c.Scaled)
		}
	}
}

// TestGiven checks that the rows of a record that were given to another one are found.
func TestGiven(t *testing.T) {
	const header = "formula_id,seq,herb,dose\n"
	before := header + "1,1,甘草,一两\n1,2,人参,二两\n1,3,茯苓,三两\n2,1,大黄,四两\n2,2,芒硝,一两\n3,1,甘草,一两\n"
	of := rowdiff.Spec{Key: []string{"formula_id", "seq"}, IDs: []string{"seq"}, Group: "formula_id", GroupKey: []string{"herb"}}
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"the formulas exchanged":     {"1,1,大黄,四两\n1,2,芒硝,一两\n2,1,甘草,一两\n2,2,人参,二两\n2,3,茯苓,三两\n3,1,甘草,一两\n", 5},
		"all given to another":       {"2,1,大黄,四两\n2,2,芒硝,一两\n2,3,甘草,一两\n2,4,人参,二两\n2,5,茯苓,三两\n3,1,甘草,一两\n", 3},
		"a herb more in another":     {"1,1,甘草,一两\n1,2,人参,二两\n1,3,茯苓,三两\n2,1,大黄,四两\n2,2,芒硝,一两\n3,1,甘草,一两\n3,2,人参,二两\n", 0},
		"a formula like another one": {"1,1,甘草,一两\n1,2,人参,二两\n1,3,茯苓,三两\n2,1,大黄,四两\n2,2,芒硝,一两\n3,1,甘草,一两\n4,1,大黄,四两\n4,2,芒硝,一两\n", 0},
	} {
		if d := rowdiff.Compare(read(t, before), read(t, header+tt.text), of); d.Given.Count != tt.want {
			t.Errorf("%s: %+v; want %d", name, d.Given, tt.want)
		}
	}
}

// TestWholeRows checks tables without ids, in which the whole row is the key.
func TestWholeRows(t *testing.T) {
	of := rowdiff.Spec{IDs: []string{"id"}}
	d := rowdiff.Compare(read(t, "id,name\n1,a\n2,b\n3,b\n4,c\n"), read(t, "id,name\n1,new\n2,a\n3,b\n4,b\n"), of)
	if d.Common != 3 || d.Removed != 1 || d.Added != 1 {
		t.Errorf("a row inserted and the last removed: %+v", d)
	}
}

// TestNumberedRows checks numbered rows. Inserting an ingredient renumbers the rows after it, but
// exchanges no values. Exchanging two doses must be found.
func TestNumberedRows(t *testing.T) {
	const header = "formula_id,seq,herb,dose\n"
	before := header + "1,1,甘草,一两\n1,2,人参,二两\n1,3,茯苓,三两\n2,1,大黄,四两\n"
	of := rowdiff.Spec{Key: []string{"formula_id", "seq"}, Group: "formula_id", GroupKey: []string{"herb"}}
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"a herb inserted":     {"1,1,桂枝,六两\n1,2,甘草,一两\n1,3,人参,二两\n1,4,茯苓,三两\n2,1,大黄,四两\n", 0},
		"two doses exchanged": {"1,1,甘草,二两\n1,2,人参,一两\n1,3,茯苓,三两\n2,1,大黄,四两\n", 2},
		"between formulas":    {"1,1,甘草,四两\n1,2,人参,二两\n1,3,茯苓,三两\n2,1,大黄,一两\n", 2},
	} {
		d := rowdiff.Compare(read(t, before), read(t, header+tt.text), of)
		if got := column(d, "dose").Between.Count; got != tt.want {
			t.Errorf("%s: %d doses exchanged; want %d", name, got, tt.want)
		}
	}
}

func TestRecombined(t *testing.T) {
	const header = "species_id,paper_id\n"
	before, after := header, header
	for i := range 40 {
		before += fmt.Sprintf("%d,paper%d\n", i, i)
		to := i
		if i < 6 {
			to = 5 - i
		}
		after += fmt.Sprintf("%d,paper%d\n", i, to)
	}
	d := rowdiff.Compare(read(t, before), read(t, after), rowdiff.Spec{Key: []string{"species_id", "paper_id"}})
	if d.Recombined.Count != 6 {
		t.Errorf("six links with exchanged ends: %+v", d.Recombined)
	}
}

func TestPermuted(t *testing.T) {
	const header = "species_id,name,kind\n"
	of := rowdiff.Spec{Key: []string{"species_id", "name"}}
	d := rowdiff.Compare(read(t, header+"1,甲,alias\n2,乙,trade\n3,丙,alias\n"), read(t, header+"1,alias,甲\n2,乙,trade\n4,丁,alias\n"), of)
	if d.Permuted.Count != 1 || d.Permuted.First[0].Line != 2 {
		t.Errorf("name and kind exchanged in a row: %+v", d.Permuted)
	}
}

// BenchmarkCompareFull compares all tables of the full-size package with themselves, as a build
// does when nothing has changed.
func BenchmarkCompareFull(b *testing.B) {
	src := checklisttest.Full(b, "china-plants.zip")
	open := func(f datapackage.File) *rowdiff.Table {
		in, err := src.Open(f.Name)
		must(b, err)
		defer in.Close()
		t, err := rowdiff.Read(context.Background(), in, f.Shape)
		must(b, err)
		return t
	}
	files, err := datapackage.Files(src, datapackage.Options{})
	must(b, err)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			rowdiff.Compare(open(f), open(f), rowdiff.Spec{Key: f.Shape.Key, GUID: "guid", IDs: []string{"entry_id", "guid", "id"}})
		}
	}
}
