package profile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/profile"
	"bencao/internal/rows"
)

// table returns a CSV with the columns id, name, kind and note.
func table(n int, row func(i int) []string) string {
	var b strings.Builder
	b.WriteString("id,name,kind,note\n")
	for i := range n {
		if r := row(i); r != nil {
			b.WriteString(strings.Join(r, ",") + "\n")
		}
	}
	return b.String()
}

// plain returns row i of a table. Each row has its own name, fifty successive rows have the same
// kind, and every fourth row has a note.
func plain(i int) []string {
	note := ""
	if i%4 == 0 {
		note = fmt.Sprint("note ", i)
	}
	return []string{fmt.Sprint(i), fmt.Sprint("Panax ", i), fmt.Sprint("kind ", i/50), note}
}

func scan(tb testing.TB, text string) (*profile.Profile, profile.Ending) {
	tb.Helper()
	p, end, err := profile.Scan(tb.Context(), strings.NewReader(text), profile.Table{
		Key: []string{"id"}, Open: func(r io.Reader) *rows.Reader { return rows.NewCSV(r, "t.csv", rows.CSV{}) },
	})
	if err != nil {
		tb.Fatal(err)
	}
	return p, end
}

func compare(tb testing.TB, before, after string) profile.Difference {
	tb.Helper()
	a, _ := scan(tb, before)
	b, _ := scan(tb, after)
	d, ok := profile.Compare(a, b, nil)
	if !ok {
		tb.Fatal("the tables can't be compared")
	}
	return d
}

func column(tb testing.TB, d profile.Difference, name string) profile.ColumnDifference {
	tb.Helper()
	i := slices.IndexFunc(d.Columns, func(c profile.ColumnDifference) bool { return c.Name == name })
	if i < 0 {
		tb.Fatalf("no column %s in %+v", name, d.Columns)
	}
	return d.Columns[i]
}

func TestSameTableInAnotherOrderHasNotChanged(t *testing.T) {
	const n = 300
	d := compare(t, table(n, plain), table(n, func(i int) []string { return plain(n - 1 - i) }))
	if d.Common != n || d.Changed != 0 || d.Removed != 0 || d.Added != 0 || d.Cut != 0 {
		t.Errorf("a reversed table: %+v; want %d rows, none changed", d, n)
	}
	for _, c := range d.Columns {
		if c.Borders != 0 {
			t.Errorf("%s: the neighbours in a reversed table were compared: %+v", c.Name, c)
		}
	}
}

func TestShiftIsSeenEvenInLongRuns(t *testing.T) {
	const n = 300
	shifted := func(by int) string {
		return table(n, func(i int) []string {
			r := plain(i)
			r[2] = plain((i + by + n) % n)[2]
			return r
		})
	}
	if c := column(t, compare(t, table(n, plain), shifted(-1)), "kind"); c.Borders != 5 || c.Down != 5 || c.Changed != 6 {
		t.Errorf("a column of six runs shifted down: %+v; want five borders, all with the value of the upper neighbour", c)
	}
	if c := column(t, compare(t, table(n, plain), shifted(1)), "kind"); c.Up != 5 {
		t.Errorf("a column of six runs shifted up: %+v; want five borders, all with the value of the lower neighbour", c)
	}
	corrected := table(n, func(i int) []string {
		r := plain(i)
		if i%40 == 7 {
			r[2] = "kind 1"
		}
		return r
	})
	if c := column(t, compare(t, table(n, plain), corrected), "kind"); c.Down != 0 || c.Up != 0 {
		t.Errorf("corrected cells look like a shift: %+v", c)
	}
}

func TestValuesThatChangePlaces(t *testing.T) {
	const n = 300
	reversed := table(n, func(i int) []string {
		r := plain(i)
		r[3] = plain(n - 1 - i)[3]
		return r
	})
	if c := column(t, compare(t, table(n, plain), reversed), "note"); 2*c.Moved < c.Particular {
		t.Errorf("a reversed column: %+v; want most of the particular values moved", c)
	}
	corrected := table(n, func(i int) []string {
		r := plain(i)
		if i%30 == 0 {
			r[3] = "corrected " + r[3]
		}
		return r
	})
	if c := column(t, compare(t, table(n, plain), corrected), "note"); c.Moved != 0 || c.Changed == 0 {
		t.Errorf("corrected cells: %+v; want some changed and none moved", c)
	}
}

func TestEmptiedAndFilledIn(t *testing.T) {
	const n = 100
	d := compare(t, table(n, plain), table(n, func(i int) []string {
		r := plain(i)
		switch {
		case i < 20:
			r[3] = ""
		case i == 21:
			r[3] = "new"
		}
		return r
	}))
	c := column(t, d, "note")
	if c.Filled != 25 || c.Emptied != 5 || c.FilledIn != 1 || c.Changed != 5 || d.Changed != 6 {
		t.Errorf("five notes emptied and one written: %+v, %d records", c, d.Changed)
	}
}

// TestCutAndThinned checks that rows that are missing at an end of a table or at equal distances
// are distinguished from rows that a curator removed.
func TestCutAndThinned(t *testing.T) {
	const n = 296
	without := func(gone func(i int) bool, more ...string) string {
		return table(n, func(i int) []string {
			if gone(i) {
				return nil
			}
			return plain(i)
		}) + strings.Join(more, "")
	}
	tests := []struct {
		name                 string
		after                string
		cut, headless, every int
	}{
		{"the last three", without(func(i int) bool { return i >= n-3 }), 3, 0, 0},
		{"the last two, as a curator takes them back", without(func(i int) bool { return i >= n-2 }), 0, 0, 0},
		{"the last three, and a new one", without(func(i int) bool { return i >= n-3 }, "999,Ginkgo,kind,\n"), 0, 0, 0},
		{"the last three and another", without(func(i int) bool { return i >= n-3 || i == 17 }), 0, 0, 0},
		{"the first five", without(func(i int) bool { return i < 5 }), 0, 5, 0},
		{"every fiftieth", without(func(i int) bool { return i%50 == 49 }), 0, 0, 50},
		{"some of every tenth", without(func(i int) bool { return i%10 == 9 && i != 99 }), 0, 0, 0},
		{"a block in the middle", without(func(i int) bool { return i >= 100 && i < 110 }), 0, 0, 0},
	}
	for _, tt := range tests {
		d := compare(t, table(n, plain), tt.after)
		if d.Cut != tt.cut || d.Headless != tt.headless || d.Every != tt.every {
			t.Errorf("%s: cut %d, headless %d, every %d; want %d, %d, %d", tt.name, d.Cut, d.Headless, d.Every, tt.cut, tt.headless, tt.every)
		}
	}
}

// TestLargeTable checks that the profile of a large table keeps some thousand rows, and that the
// profiles of two versions keep the same rows.
func TestLargeTable(t *testing.T) {
	const n = 60_000
	p, _ := scan(t, table(n, plain))
	if p.Rows != n || p.Kept() < 5_000 || p.Kept() > 20_000 {
		t.Fatalf("%d rows, %d kept; want %d and between 5,000 and 20,000", p.Rows, p.Kept(), n)
	}
	d := compare(t, table(n, plain), table(n, func(i int) []string {
		if i >= 59_000 {
			return nil
		}
		r := plain(i)
		r[2] = plain(max(0, i-1))[2]
		return r
	}))
	if d.Cut*d.Scale < 700 || d.Cut*d.Scale > 1_300 {
		t.Errorf("the last 1,000 rows are missing, but Cut × Scale is %d × %d", d.Cut, d.Scale)
	}
	if c := column(t, d, "kind"); c.Borders < 50 || c.Down != c.Borders {
		t.Errorf("a column of long runs is shifted: %+v; want all borders with the value of the upper neighbour", c)
	}
}

func TestEnding(t *testing.T) {
	tests := []struct {
		text string
		want profile.Ending
	}{
		{"id,name\n1,a\n2,b\n", profile.Ending{LineFeed: true, Line: 3, Cells: 2, Width: 2}},
		{"id,name\n1,a\n2,b", profile.Ending{Line: 3, Cells: 2, Width: 2}},
		{"id,name\n1,a\n2\n", profile.Ending{LineFeed: true, Line: 3, Cells: 1, Width: 2, Short: true}},
		{"id,name\n1\n2\n", profile.Ending{LineFeed: true, Line: 3, Cells: 1, Width: 2}}, // all rows are as short as the last
		{"id,name\r\n1,a\x00\r\n", profile.Ending{LineFeed: true, Line: 2, Cells: 2, Width: 2, Zero: true}},
	}
	for _, tt := range tests {
		if _, got := scan(t, tt.text); got != tt.want {
			t.Errorf("%q ends as %+v; want %+v", tt.text, got, tt.want)
		}
	}
}

// TestMoreToSkipThanThereIs checks that a scan ends with the file if it must skip more rows than
// the file has. A scan that does not end makes the test time out.
func TestMoreToSkipThanThereIs(t *testing.T) {
	p, _, err := profile.Scan(t.Context(), strings.NewReader("id,name\n1,Panax\n"), profile.Table{
		Skip: math.MaxInt, Open: func(r io.Reader) *rows.Reader { return rows.NewCSV(r, "t.csv", rows.CSV{}) },
	})
	if err != nil || p.Rows != 0 || !p.Has("name") {
		t.Errorf("shape %+v, error %v; want columns and no rows", p, err)
	}
}

func TestLooks(t *testing.T) {
	p, _ := scan(t, "id,name,kind,note\n1,人参,Panax 2,ä»ºå\u008f‚\n2,银杏,,caf\u00e9 »\n3,a\uFFFD,L.,???\n")
	q, _ := scan(t, "id,name,kind,note\n1,\u202e人参,Panax\u00ad,x\u0085y\n2,葛\U000E0100,a\u200db,\x01\n")
	for name, want := range map[string]int{"id": 0, "name": 1, "kind": 1, "note": 1} {
		if c, ok := q.Column(name); !ok || c.Invisible != want {
			t.Errorf("%s: %d cells have an invisible character, want %d", name, c.Invisible, want)
		}
	}
	for name, want := range map[string][4]int{"name": {2, 1, 0, 1}, "kind": {0, 2, 1, 0}, "note": {0, 2, 0, 2}} {
		c, ok := p.Column(name)
		if got := [4]int{c.Han, c.Latin, c.Digit, c.Debris}; !ok || got != want {
			t.Errorf("%s: Han, Latin, digits, debris in %v cells; want %v", name, got, want)
		}
	}
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	for _, n := range []int{0, 1, 300, 40_000} {
		p, _ := scan(t, table(n, plain))
		var b bytes.Buffer
		if err := profile.Write(&b, p); err != nil {
			t.Fatal(err)
		}
		var q profile.Profile
		if err := profile.Read(b.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		d, ok := profile.Compare(&q, p, nil)
		if !ok || d.Changed != 0 || d.Common != p.Kept() || d.Removed != 0 || n > 0 && column(t, d, "kind").Borders == 0 && n > 60 {
			t.Errorf("%d rows, written and read: %+v", n, d)
		}
	}
}

func FuzzProfile(f *testing.F) {
	p, _ := scan(f, table(20, plain))
	b, err := json.Marshal(p)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"level": 3, "columns": [{"name": "a"}], "kept": "AAAAAAAAAAAAAAAAAAAAAA=="}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p, q profile.Profile
		if json.Unmarshal(b, &p) != nil {
			return
		}
		again, err := json.Marshal(&p)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &q); err != nil {
			t.Fatalf("%s cannot be read again: %v", again, err)
		}
		d, ok := profile.Compare(&p, &q, nil)
		if !ok || d.Changed != 0 || d.Before != d.After {
			t.Errorf("a profile differs from itself: %+v", d)
		}
	})
}

func TestNewestRecord(t *testing.T) {
	for text, want := range map[string]string{
		"id,modified\n1,2024-02-29\n2,2023-12-01T10:00:00Z\n3,\n":                       "2024-02-29",
		"id,dcterms:created,dcterms:modified\n1,2024-01-02,\n2,2023-05-06,2025-03-04\n": "2025-03-04",
		"id,http://purl.org/dc/terms/modified\n1,2021-02-03\n":                          "2021-02-03",
		"id,modified\n1,2021-02-30\n2,yesterday\n3,2021\n4,2099-01-01\n":                "",
		"id,note\n1,2021-02-03\n":    "",
		"id,note,modified\n1\n2,x\n": "",
	} {
		p, _, err := profile.Scan(t.Context(), strings.NewReader(text), profile.Table{
			LatestDay: "2026-11-20", Open: func(r io.Reader) *rows.Reader { return rows.NewCSV(r, "t.csv", rows.CSV{}) },
		})
		if err != nil || p.Newest != want {
			t.Errorf("%q: newest record of %q, %v; want %q", text, p.Newest, err, want)
		}
	}
}
