package access_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"path"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"bencao/api/access"
	"bencao/internal/testkit"
)

// zeros is a hash that belongs to no key.
var zeros = "sha256:" + strings.Repeat("0", 64)

func TestParseRefused(t *testing.T) {
	a, err := txtar.ParseFile("testdata/refused.txtar")
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := access.NewKey()
	fill := strings.NewReplacer(`"H"`, `"`+zeros+`"`, `"K"`, `"`+secret.Reveal()+`"`, "is K.", "is "+secret.Reveal()+".")
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	for _, f := range a.Files {
		name, isFile := strings.CutSuffix(f.Name, ".toml")
		if !isFile {
			continue
		}
		want, ok := files[name+".want"]
		if !ok {
			t.Errorf("testdata/refused.txtar: %s has no %s.want", f.Name, name)
			continue
		}
		_, err := access.Parse(f.Name, []byte(fill.Replace(string(f.Data))))
		var fe *access.FileError
		if !errors.As(err, &fe) {
			t.Errorf("%s: Parse = %v, want a *FileError", f.Name, err)
			continue
		}
		mustNotHold(t, f.Name, []byte(err.Error()), secret)
		var got []string
		for _, p := range fe.Problems {
			got = append(got, fmt.Sprintf("%d: %s", p.Line, p.Text))
		}
		lines := strings.Split(strings.TrimSpace(want), "\n")
		for i, line := range lines {
			if begin, open := strings.CutSuffix(line, "..."); open && i < len(got) && strings.HasPrefix(got[i], begin) {
				lines[i] = got[i]
			}
		}
		if diff := cmp.Diff(lines, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path.Base(f.Name), diff)
		}
	}
}

func TestParse(t *testing.T) {
	text := `# comment
[[key]] # the laboratory
rate = 0x258
"id" = 'lab'
name = """药用植物实验室 "A" \\ B"""
hash = "` + zeros + `"
networks = [
  "192.0.2.0/24", # floor 1
  '2001:db8::/32',
]
scopes = ["plant_uses", "prescriptions",]
expires = 2027-01-01T08:00:00+08:00
disabled = false

[anonymous]
rate = 30

[[key]]
id = "world"
hash = "` + strings.Repeat("1", 0) + "sha256:" + strings.Repeat("1", 64) + `"
networks = ["0.0.0.0/0", "::/0"]
allow_any = true
rate = 1_000
expires = 2027-01-01
note = "open day"
`
	for _, eol := range []string{"\n", "\r\n"} {
		table, err := access.Parse("access.toml", []byte(strings.ReplaceAll(text, "\n", eol)))
		if err != nil {
			t.Fatalf("line end %q: %v", eol, err)
		}
		ones, err := access.ParseHash("sha256:" + strings.Repeat("1", 64))
		if err != nil {
			t.Fatal(err)
		}
		newYear := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		want := []access.Entry{{
			ID: "lab", Name: `药用植物实验室 "A" \ B`,
			Networks: []netip.Prefix{network(t, "192.0.2.0/24"), network(t, "2001:db8::/32")},
			Scopes:   access.PlantUses | access.Prescriptions, Rate: 600, Expires: newYear,
		}, {
			ID: "world", Hash: ones, AllowAny: true, Rate: 1000, Expires: newYear, Note: "open day",
			Networks: []netip.Prefix{network(t, "0.0.0.0/0"), network(t, "::/0")},
		}}
		prefixes := cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })
		if diff := cmp.Diff(want, table.Entries(), prefixes); diff != "" {
			t.Errorf("line end %q (-want +got):\n%s", eol, diff)
		}
		if table.AnonymousRate() != 30 {
			t.Errorf("line end %q: AnonymousRate() = %d, want 30", eol, table.AnonymousRate())
		}
	}
}

func TestParseNoKeys(t *testing.T) {
	table, err := access.Parse("access.toml", []byte("# none yet\n"))
	if err != nil {
		t.Fatalf("a file without keys is refused: %v", err)
	}
	if w := table.Warnings(); len(w) != 1 || !strings.Contains(w[0], "bencao keys create") {
		t.Errorf("Warnings() = %q, want one that says how to make a key", w)
	}
}

func TestScopes(t *testing.T) {
	var all access.Scopes
	for _, name := range access.ScopeNames() {
		s, err := access.ParseScope(name)
		if err != nil {
			t.Errorf("ParseScope(%q): %v", name, err)
		}
		if s.String() != name || all.Has(s) {
			t.Errorf("ParseScope(%q) = %v, want a scope of its own with that name", name, s)
		}
		all |= s
	}
	if !all.Has(access.SpeciesPrescriptions|access.PrescriptionSimilarity) || access.Open.Has(access.PlantUses) || !access.Open.Has(access.Open) {
		t.Error("Has does not tell whether all of the scopes asked for are there")
	}
	if got := access.Open.Names(); got == nil || len(got) != 0 {
		t.Errorf("Open.Names() = %#v, want an empty list that is not nil: it is shown as JSON", got)
	}
	if _, err := access.ParseScope("open"); err == nil || !strings.Contains(err.Error(), "plant_uses") {
		t.Errorf(`ParseScope("open"): error %v does not list the valid scopes`, err)
	}
}

// TestManual checks that a server accepts the example file in the manual.
func TestManual(t *testing.T) {
	manual := string(read(t, "../../docs/access.md"))
	_, rest, ok := strings.Cut(manual, "```toml\n")
	example, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatal("docs/access.md shows no access file in a block of TOML")
	}
	table, err := access.Parse("docs/access.md", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Entries()) != 2 || table.AnonymousRate() == 0 {
		t.Errorf("it has %d keys and the anonymous rate %d; want all there is to show", len(table.Entries()), table.AnonymousRate())
	}
	for _, name := range access.ScopeNames() {
		if !strings.Contains(manual, "| `"+name+"` |") {
			t.Errorf("docs/access.md does not explain the scope %s", name)
		}
	}
}

// FuzzParse checks that every problem of every file is one line of printable text and has the
// number of a line of the file.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"testdata/refused.txtar", "testdata/edit.txtar"} {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(file.Data)
		}
	}
	for _, bomb := range tomlBombs(20) {
		f.Add([]byte(bomb))
	}
	f.Fuzz(holdsAccess)
}

// tomlBombs returns TOML files in which one element is repeated n times.
func tomlBombs(n int) []string {
	var names, tables strings.Builder
	for i := range n {
		fmt.Fprintf(&names, "a%d=1\n", i)
		fmt.Fprintf(&tables, "[a%d]\n", i)
	}
	return []string{
		names.String(), "[[key]]\n" + names.String(), tables.String(), "[[key]]\na={" + strings.ReplaceAll(names.String(), "\n", ",") + "b=1}",
		"[[key]]\na=[[{b={" + strings.ReplaceAll(names.String(), "\n", ",") + "b=1}}]]",
		"[[key]]\n" + strings.Repeat("a.", n) + "a=1\n", "[" + strings.Repeat("a.", n) + "a]\n", "[[key]]\nb={" + strings.Repeat("a.", n) + "a=1}\n",
		"[[key]]\na=" + strings.Repeat("[", n) + strings.Repeat("]", n), "[[key]]\na=" + strings.Repeat("{a=", n) + "1" + strings.Repeat("}", n),
		"[[key]]\nnetworks=[" + strings.Repeat(`"",`, n) + "]", strings.Repeat("[[key]]\n", n), "[[key]]\n" + strings.Repeat("id=1\n", n),
		"[[key]]\nid=\"" + strings.Repeat("\\u0000", n) + "\"", strings.Repeat("#\n", n), "[[key]]\n" + strings.Repeat("k", n) + "=1",
	}
}

// TestBombs checks that reading a file takes memory and time in proportion to its size. If the time
// were quadratic, these files of hundreds of thousands of names would take a day.
func TestBombs(t *testing.T) {
	for _, bomb := range tomlBombs(200_000) {
		holdsAccess(t, []byte(bomb))
	}
}

// holdsAccess checks the properties that FuzzParse names. It also checks the memory: for each byte
// of a list, the TOML library allocates up to 130 bytes, most of them only briefly.
func holdsAccess(t *testing.T, data []byte) {
	var table *access.Table
	var err error
	testkit.LimitAlloc(t, testkit.MaxAlloc(4*len(data)), func() { table, err = access.Parse("access.toml", data) })
	if err == nil {
		for _, e := range table.Entries() {
			if access.CheckID(e.ID) != nil || len(e.Networks) == 0 || e.Rate < 1 || e.Rate > access.MaxRate {
				t.Errorf("accepted: %+v", e)
			}
		}
		return
	}
	var fe *access.FileError
	if !errors.As(err, &fe) || len(fe.Problems) == 0 {
		t.Fatalf("Parse = %v, want a *FileError with problems", err)
	}
	lines := bytes.Count(data, []byte("\n")) + 1
	for _, p := range fe.Problems {
		if p.Line < 1 || p.Line > lines {
			t.Errorf("line %d of %d: %s", p.Line, lines, p.Text)
		}
		if p.Text == "" || strings.ContainsFunc(p.Text, unicode.IsControl) {
			t.Errorf("the text is not one printable line: %q", p.Text)
		}
	}
}
