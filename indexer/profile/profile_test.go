package profile_test

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"bencao/indexer/profile"
	"bencao/internal/rows"
)

func scan(tb testing.TB, text string) (*profile.Profile, profile.Ending) {
	tb.Helper()
	p, end, err := profile.Scan(tb.Context(), strings.NewReader(text), profile.Table{
		Key: []string{"id"}, Counted: true, Open: func(r io.Reader) *rows.Reader { return rows.NewCSV(r, "t.csv", rows.CSV{}) },
	}, func(uint64, int) {})
	if err != nil {
		tb.Fatal(err)
	}
	return p, end
}

// TestChanged compares the estimate of changed cells with their number.
func TestChanged(t *testing.T) {
	const n = 3000
	table := func(name func(i int) string, rows int) profile.Column {
		var b strings.Builder
		b.WriteString("id,name\n")
		for i := range rows {
			fmt.Fprintf(&b, "%d,%s\n", i, name(i))
		}
		p, _ := scan(t, b.String())
		if id, _ := p.Column("id"); rows == 0 || id.Buckets.Changed(make(profile.Buckets, len(id.Buckets))) > rows {
			t.Errorf("the ids of %d rows are in few buckets: %v", rows, id.Buckets)
		}
		c, _ := p.Column("name")
		return c
	}
	same := func(i int) string { return fmt.Sprint("Panax ", i) }
	was := table(same, n)
	for _, tt := range []struct {
		what string
		now  profile.Column
		want int
	}{
		{"nothing", table(same, n), 0},
		{"300 changed", table(func(i int) string { return same(i + i%10/9*n) }, n), 300},
		{"all shifted", table(func(i int) string { return same(i + 1) }, n), n},
		{"300 more", table(same, n+300), 0},
		{"300 fewer", table(same, n-300), 0},
		{"100 emptied", table(func(i int) string {
			if i < 100 {
				return ""
			}
			return same(i)
		}, n), 0},
	} {
		if got := tt.now.Buckets.Changed(was.Buckets); got < tt.want*3/4-50 || got > tt.want*5/4+50 {
			t.Errorf("%s: about %d cells changed, want %d", tt.what, got, tt.want)
		}
	}
}

// TestShifted checks that a column that was shifted by a row is recognised, even if it has long runs
// of equal values.
func TestShifted(t *testing.T) {
	table := func(by int) profile.Column {
		var b strings.Builder
		b.WriteString("id,name\n")
		for i := range 300 {
			fmt.Fprintf(&b, "%d,family %d\n", i, (i+by)%300/20)
		}
		p, _ := scan(t, b.String())
		c, _ := p.Column("name")
		return c
	}
	was, down, up := table(0).Buckets, table(299), table(1)
	if n := down.Buckets.Changed(was); n < 12 || down.Down.Changed(was) > 2 || down.Up.Changed(was) < 12 {
		t.Errorf("shifted down: %d, %d and %d cells differ", n, down.Down.Changed(was), down.Up.Changed(was))
	}
	if up.Up.Changed(was) > 2 || up.Down.Changed(was) < 12 {
		t.Errorf("shifted up: %d and %d cells differ", up.Up.Changed(was), up.Down.Changed(was))
	}
}

// TestEnds checks which rows near the ends of a table have their keys kept.
func TestEnds(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,name\n")
	for i := range 100 {
		fmt.Fprintf(&b, "%d,a\n", i+1)
	}
	p, _ := scan(t, b.String())
	for _, end := range p.First {
		if want := profile.KeyHash(fmt.Sprint(end.Place)); end.Key != want {
			t.Errorf("the key at place %d is %x, want %x", end.Place, end.Key, want)
		}
	}
	last := p.Last[len(p.Last)-1]
	if len(p.Last) < 65 || len(p.Last) > 90 || p.Last[63].Place != 64 || p.Last[0].Key != profile.KeyHash("100") || last.Key != profile.KeyHash(fmt.Sprint(101-last.Place)) {
		t.Errorf("the last rows are %v", p.Last)
	}
	if p, _ := scan(t, "id,name\n"); len(p.First)+len(p.Last) > 0 {
		t.Errorf("a table without rows has the ends %v and %v", p.First, p.Last)
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
		{"id,name\r\n1,a\x00\r\n", profile.Ending{LineFeed: true, Line: 2, Cells: 2, Width: 2, Zero: 2}},
		{"id,name\r1,a\r", profile.Ending{Line: 1, Width: 3, Returns: true}},
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
	}, func(uint64, int) { t.Error("a row was read") })
	if err != nil || p.Rows != 0 || len(p.Columns) != 2 {
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
	m, _ := scan(t, "id,name,kind,note\n1,Pаnax,Панакс,NF-κB α-pinene\n2,Panax ginseng,Οlea,Panax панакс\n")
	for name, want := range map[string]int{"id": 0, "name": 1, "kind": 1, "note": 0} {
		if c, ok := m.Column(name); !ok || c.Mixed != want {
			t.Errorf("%s: %d cells mix scripts in a word, want %d", name, c.Mixed, want)
		}
	}
	for name, want := range map[string][3]int{"name": {2, 1, 1}, "kind": {0, 2, 0}, "note": {0, 2, 2}} {
		c, ok := p.Column(name)
		if got := [3]int{c.Han, c.Latin, c.Debris}; !ok || got != want {
			t.Errorf("%s: Han, Latin, debris in %v cells; want %v", name, got, want)
		}
	}
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
		}, func(uint64, int) {})
		if err != nil || p.Newest != want {
			t.Errorf("%q: newest record of %q, %v; want %q", text, p.Newest, err, want)
		}
	}
}
