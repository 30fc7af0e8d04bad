package access_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"bencao/api/access"
)

// do executes a line of testdata/edit.txtar.
func do(t *testing.T, path, line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	id, values, _ := strings.Cut(rest, " ")
	switch verb {
	case "cut-line-end":
		write(t, path, bytes.TrimRight(read(t, path), "\r\n"))
		return nil
	case "create":
		e := lab(t)
		e.ID = id
		_, err := access.CreateAtOnce(path, e)
		return err
	case "remove":
		return access.RemoveAtOnce(path, id)
	}
	_, err := access.UpdateAtOnce(path, id, func(e *access.Entry) (err error) {
		switch verb {
		case "rate":
			e.Rate, err = strconv.Atoi(values)
		case "name":
			e.Name = values
		case "note":
			e.Note = values
		case "enable", "disable":
			e.Disabled = verb == "disable"
		case "networks":
			e.Networks = nil
			for _, v := range strings.Fields(values) {
				e.Networks = append(e.Networks, network(t, v))
			}
		case "scopes":
			e.Scopes = access.Open
			for _, v := range strings.Fields(values) {
				s, err := access.ParseScope(v)
				if err != nil {
					return err
				}
				e.Scopes |= s
			}
		case "expires":
			e.Expires = time.Time{}
			if values != "" {
				e.Expires, err = access.ParseExpiry(values)
			}
		default:
			t.Fatalf("testdata/edit.txtar: unknown verb %q", verb)
		}
		return err
	})
	return err
}

func TestEdit(t *testing.T) {
	a, err := txtar.ParseFile("testdata/edit.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	hash := regexp.MustCompile(`(["'])H(\d)["']`)
	made := regexp.MustCompile(`'sha256:[0-9a-f]{64}'`)
	for _, f := range a.Files {
		name, isFile := strings.CutSuffix(f.Name, ".toml")
		if !isFile {
			continue
		}
		for _, eol := range []string{"\n", "\r\n"} {
			fill := func(text string) string {
				text = hash.ReplaceAllString(text, `${1}sha256:`+strings.Repeat("$2", 64)+`$1`)
				return strings.ReplaceAll(text, "\n", eol)
			}
			before := files[f.Name]
			want, changes := files[name+".want"]
			if !changes {
				want = before
			}
			if before == "" && eol != "\n" {
				continue // a new file has \n line ends, so there is nothing to check
			}
			path := filepath.Join(t.TempDir(), "access.toml")
			write(t, path, []byte(fill(before)))
			for line := range strings.Lines(files[name+".do"]) {
				if err := do(t, path, strings.TrimSpace(line)); err != nil {
					t.Errorf("%s, line end %q: %s: %v", name, eol, strings.TrimSpace(line), err)
				}
			}
			want = fill(want)
			end := eol
			if changes { // a rewritten file has \n line ends
				want, end = strings.ReplaceAll(want, "\r\n", "\n"), "\n"
			}
			got := string(read(t, path))
			if files[name+".do"] != "" {
				got = openSeal(t, got, end)
			}
			if strings.Contains(want, `'N'`) {
				all := made.FindAllString(got, -1)
				if len(all) == 0 {
					t.Errorf("%s: no hash was written", name)
					continue
				}
				want = strings.Replace(want, `'N'`, all[len(all)-1], 1)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, line end %q (-want +got):\n%s", name, eol, diff)
			}
		}
	}
}

// openSeal checks the first and the last line of a file that an edit wrote, and returns the text
// between them.
func openSeal(t *testing.T, text, eol string) string {
	t.Helper()
	const first = `# bencao access file: whole only with its last line, "# end of access file"; leave both where they are`
	rest, ok := strings.CutPrefix(text, first+eol)
	if !ok {
		t.Fatalf("the first line is not the one that promises the last:\n%s", text)
	}
	i := strings.LastIndex(rest, "# end of access file")
	if i < 0 {
		t.Fatalf("there is no last line:\n%s", text)
	}
	last := len(text) - len(rest) + i
	sum := sha256.Sum256([]byte(text[:last]))
	if want := fmt.Sprintf("# end of access file (checksum %x)%s", sum[:8], eol); text[last:] != want {
		t.Errorf("the last line is %q, want %q", text[last:], want)
	}
	return strings.TrimSuffix(strings.TrimPrefix(rest[:i], eol), eol)
}

// TestEditRefused checks that a refused edit writes nothing and that its error tells how to correct
// the edit.
func TestEditRefused(t *testing.T) {
	path, _ := newFile(t, lab(t))
	update := func(change func(*access.Entry)) error {
		_, err := access.Update(path, "lab", func(e *access.Entry) error { change(e); return nil })
		return err
	}
	second := func(change func(*access.Entry)) error {
		e := lab(t)
		e.ID = "second"
		change(&e)
		_, err := access.Create(path, e)
		return err
	}
	other := filepath.Join(t.TempDir(), "access.toml")
	tests := []struct {
		why  string
		do   func() error
		want string
	}{
		{"an id twice", func() error { return second(func(e *access.Entry) { e.ID = "lab" }) }, `key "lab" exists already`},
		{"a bad id", func() error { return second(func(e *access.Entry) { e.ID = "a b" }) }, `id "a b" cannot name a key`},
		{"no network", func() error { return second(func(e *access.Entry) { e.Networks = nil }) }, "networks is empty"},
		{"no rate", func() error { return update(func(e *access.Entry) { e.Rate = 0 }) }, "rate is 0; use a whole number from 1"},
		{"the internet", func() error {
			return update(func(e *access.Entry) { e.Networks = append(e.Networks, network(t, "::/0")) })
		}, "add allow_any = true"},
		{"a line break", func() error { return update(func(e *access.Entry) { e.Note = "a\nb" }) }, "line"},
		{"no such key", func() error { return access.Remove(path, "second") }, `"second" is not in ` + path + "; it has lab"},
		{"no such file", func() error { return access.Remove(other, "lab") }, "does not exist"},
		{"no such folder", func() error {
			_, err := access.Create(filepath.Join(other, "access.toml"), lab(t))
			return err
		}, "no such file"},
		{"the caller's own error", func() error {
			_, err := access.Update(path, "lab", func(*access.Entry) error { return errors.New("no change today") })
			return err
		}, "no change today"},
	}
	before := read(t, path)
	for _, tt := range tests {
		err := tt.do()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.why, err, tt.want)
		}
		if !bytes.Equal(read(t, path), before) {
			t.Fatalf("%s: the file was changed:\n%s", tt.why, read(t, path))
		}
	}
	if _, err := os.Stat(other); err == nil {
		t.Errorf("%s was made by an edit that failed", other)
	}

	write(t, path, []byte("[[key]]\nid = 1\n"))
	if _, err := access.Create(path, lab(t)); err == nil || !strings.Contains(err.Error(), path+":2: id must be a text") {
		t.Errorf("create in a broken file: %v, want the line to fix first", err)
	}
}

// TestEditsAtOnce checks that concurrent edits, as from several terminals, all take effect.
func TestEditsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.toml")
	const n = 16
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			e := lab(t)
			e.ID = fmt.Sprintf("key-%d", i)
			if _, err := access.Create(path, e); err != nil {
				t.Error(err)
				return
			}
			if _, err := access.Update(path, e.ID, func(e *access.Entry) error { e.Rate = i + 1; return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	table := readTable(t, path)
	if got := len(table.Entries()); got != n {
		t.Errorf("%d keys after %d were made at once", got, n)
	}
	for i := range n {
		if e, _ := table.Entry(fmt.Sprintf("key-%d", i)); e.Rate != i+1 {
			t.Errorf("key-%d has rate %d, want %d", i, e.Rate, i+1)
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

func TestEditKeepsModeAndLink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.toml")
	if _, err := access.Create(path, lab(t)); err != nil {
		t.Fatal(err)
	}
	mode := func() os.FileMode {
		stat, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return stat.Mode()
	}
	if got := mode(); got != 0o600 {
		t.Errorf("a new access file has mode %v, want 0600", got)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := do(t, link, "rate lab 7"); err != nil {
		t.Fatal(err)
	}
	if got := mode(); got != 0o640 {
		t.Errorf("after an edit the mode is %v, want 0640 as before", got)
	}
	if stat, err := os.Lstat(link); err != nil || stat.Mode().Type() != os.ModeSymlink {
		t.Errorf("after an edit the link is %v, %v; want it to be one still", stat.Mode(), err)
	}
	if e, _ := readTable(t, path).Entry("lab"); e.Rate != 7 {
		t.Errorf("an edit through a link left the rate at %d, want 7", e.Rate)
	}
}

// FuzzEdit checks that an edit of a valid file leaves it valid, and that its meaning stays the
// same. If the file was written by an edit, a further edit of a rate must change only the line of
// that rate and the checksum in the last line.
func FuzzEdit(f *testing.F) {
	for _, name := range []string{"testdata/edit.txtar", "testdata/refused.txtar"} {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(bytes.ReplaceAll(bytes.ReplaceAll(file.Data, []byte(`"H0"`), []byte(`"`+zeros+`"`)), []byte(`"H"`), []byte(`"`+zeros+`"`)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before, err := access.Parse("access.toml", data)
		if err != nil || len(before.Entries()) == 0 {
			return
		}
		path := filepath.Join(t.TempDir(), "access.toml")
		write(t, path, data)
		if err := access.SealAtOnce(path); err != nil {
			t.Fatalf("an accepted file cannot be sealed: %v\n%s", err, data)
		}
		i := len(data) % len(before.Entries())
		want := before.Entries()
		for range 2 {
			data = read(t, path)
			want[i].Rate = want[i].Rate%1000 + 1
			if _, err := access.UpdateAtOnce(path, want[i].ID, func(e *access.Entry) error { e.Rate = want[i].Rate; return nil }); err != nil {
				t.Fatalf("the rate of %q cannot be changed: %v\n%s", want[i].ID, err, data)
			}
		}
		got := read(t, path)
		a, b := bytes.Split(bytes.TrimRight(data, "\r\n"), []byte("\n")), bytes.Split(bytes.TrimRight(got, "\r\n"), []byte("\n"))
		differ := 0
		for i := range a {
			if i < len(b) && !bytes.Equal(a[i], b[i]) {
				differ++
			}
		}
		if len(a) != len(b) || differ != 2 {
			t.Errorf("the edit of one rate altered %d lines, want its own and the last, and there are %d instead of %d:\n%s\n---\n%s", differ, len(b), len(a), data, got)
		}
		for _, e := range want {
			if err := do(t, path, "networks "+e.ID+" 203.0.113.0/24 2001:db8::/32"); err != nil {
				t.Fatalf("the networks of %q cannot be changed: %v\n%s", e.ID, err, data)
			}
			if err := do(t, path, "note "+e.ID+" edited"); err != nil {
				t.Fatalf("the note of %q cannot be changed: %v\n%s", e.ID, err, data)
			}
		}
		for i, e := range readTable(t, path).Entries() {
			if e.Rate != want[i].Rate || e.ID != want[i].ID || e.Scopes != want[i].Scopes || e.Note != "edited" || len(e.Networks) != 2 {
				t.Errorf("key %d is %+v after the edits, was %+v", i, e, want[i])
			}
		}
		for _, e := range want {
			if err := access.RemoveAtOnce(path, e.ID); err != nil {
				t.Fatalf("%q cannot be removed: %v\n%s", e.ID, err, data)
			}
		}
	})
}
