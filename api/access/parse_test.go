package access_test

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"bencao/api/access"
)

// zeros is a hash that belongs to no key.
var zeros = "sha256:" + strings.Repeat("0", 64)

// prefixes compares networks.
var prefixes = cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })

// TestParseRefused reads the files of testdata/refused.txtar, to each of which it adds the last
// line.
func TestParseRefused(t *testing.T) {
	a, err := txtar.ParseFile("testdata/refused.txtar")
	must(t, err)
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
		_, err := access.Parse("access.toml", []byte(fill.Replace(string(f.Data))+endLine))
		if err == nil {
			t.Errorf("%s is accepted", f.Name)
			continue
		}
		mustNotHold(t, f.Name, []byte(err.Error()), secret)
		got, lines := strings.Split(err.Error(), "\n"), strings.Split(strings.TrimSpace(want), "\n")
		for i, line := range lines {
			if begin, open := strings.CutSuffix(line, "..."); open && i < len(got) && strings.HasPrefix(got[i], begin) {
				lines[i] = got[i]
			}
		}
		if diff := cmp.Diff(lines, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
}

// TestCutAnywhere checks that a file that is cut off anywhere before the end of its last line is
// refused, and that no edit makes it permanent.
func TestCutAnywhere(t *testing.T) {
	off := lab(t)
	off.ID, off.Disabled = "off", true
	path, _ := newFile(t, lab(t), off)
	whole := read(t, path)
	for _, text := range [][]byte{whole, bytes.ReplaceAll(whole, []byte("\n"), []byte("\r\n"))} {
		end := bytes.LastIndex(text, []byte(strings.TrimSpace(endLine))) + len(endLine) - 1
		for n := range text {
			_, err := access.Parse("access.toml", text[:n])
			if n > 0 && text[n-1] == '\r' {
				continue // TOML has no line end that is \r alone
			}
			if (err != nil) != (n < end) {
				t.Fatalf("cut off at byte %d of %d: %v", n, len(text), err)
			}
			if err == nil || n%7 != 0 {
				continue
			}
			write(t, path, text[:n])
			if err := do(t, path, "enable off"); err == nil || !bytes.Equal(read(t, path), text[:n]) {
				t.Fatalf("cut off at byte %d of %d: an edit of it returns %v", n, len(text), err)
			}
		}
	}
	if _, err := access.Parse("access.toml", append(whole, "[anonymous]\nrate = 5\n"...)); err == nil || !strings.Contains(err.Error(), `the last line is not "# end of access file"`) {
		t.Errorf("a block below the last line: %v", err)
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
` + endLine
	for _, eol := range []string{"\n", "\r\n"} {
		table, err := access.Parse("access.toml", []byte(strings.ReplaceAll(text, "\n", eol)))
		if err != nil {
			t.Fatalf("line end %q: %v", eol, err)
		}
		ones, err := access.ParseHash("sha256:" + strings.Repeat("1", 64))
		must(t, err)
		newYear := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		want := []access.Entry{{
			ID: "lab", Name: `药用植物实验室 "A" \ B`,
			Networks: []netip.Prefix{network(t, "192.0.2.0/24"), network(t, "2001:db8::/32")},
			Scopes:   access.PlantUses | access.Prescriptions, Rate: 600, Expires: newYear,
		}, {
			ID: "world", Hash: ones, AllowAny: true, Rate: 1000, Expires: newYear, Note: "open day",
			Networks: []netip.Prefix{network(t, "0.0.0.0/0"), network(t, "::/0")},
		}}
		if diff := cmp.Diff(want, table.Entries(), prefixes); diff != "" {
			t.Errorf("line end %q (-want +got):\n%s", eol, diff)
		}
		if table.AnonymousRate() != 30 {
			t.Errorf("line end %q: AnonymousRate() = %d, want 30", eol, table.AnonymousRate())
		}
	}
}

func TestParseNoKeys(t *testing.T) {
	table, err := access.Parse("access.toml", []byte("# none yet\n"+endLine))
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
	must(t, err)
	if len(table.Entries()) != 2 || table.AnonymousRate() == 0 {
		t.Errorf("it has %d keys and the anonymous rate %d; want all there is to show", len(table.Entries()), table.AnonymousRate())
	}
	for _, name := range access.ScopeNames() {
		if !strings.Contains(manual, "| `"+name+"` |") {
			t.Errorf("docs/access.md does not explain the scope %s", name)
		}
	}
}

// seeds returns the access files in testdata.
func seeds(tb testing.TB) (texts [][]byte) {
	tb.Helper()
	for _, name := range []string{"testdata/refused.txtar", "testdata/edit.txtar"} {
		a, err := txtar.ParseFile(name)
		must(tb, err)
		for _, f := range a.Files {
			text := strings.NewReplacer(`"H0"`, `"`+zeros+`"`, `"H"`, `"`+zeros+`"`).Replace(string(f.Data))
			texts = append(texts, []byte(text+endLine))
		}
	}
	return texts
}

// FuzzParse checks that accepted keys are valid, and that errors name the file and are printable.
func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := access.Parse("access.toml", data)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "access.toml:") || strings.ContainsFunc(line, unicode.IsControl) {
					t.Errorf("the error has the line %q", line)
				}
			}
			return
		}
		for _, e := range table.Entries() {
			if access.CheckID(e.ID) != nil || len(e.Networks) == 0 || e.Rate < 1 || e.Rate > access.MaxRate {
				t.Errorf("accepted: %+v", e)
			}
		}
		if !strings.HasSuffix(strings.TrimSpace(string(data)), strings.TrimSpace(endLine)) {
			t.Error("accepted without the last line")
		}
	})
}
