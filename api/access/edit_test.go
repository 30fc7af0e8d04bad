package access_test

import (
	"bytes"
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
	case "create":
		e := lab(t)
		e.ID = id
		_, err := access.Create(path, e)
		return err
	case "remove":
		return access.Remove(path, id)
	}
	_, err := access.Update(path, id, func(e *access.Entry) (err error) {
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

// TestEdit applies the edits of testdata/edit.txtar. The test adds the last line to each file.
func TestEdit(t *testing.T) {
	a, err := txtar.ParseFile("testdata/edit.txtar")
	must(t, err)
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
				return hash.ReplaceAllString(text, `${1}sha256:`+strings.Repeat("$2", 64)+`$1`)
			}
			path := filepath.Join(t.TempDir(), "access.toml")
			if before := files[f.Name]; before != "" {
				write(t, path, []byte(strings.ReplaceAll(fill(before)+"\n"+endLine, "\n", eol)))
			}
			for line := range strings.Lines(files[name+".do"]) {
				if err := do(t, path, strings.TrimSpace(line)); err != nil {
					t.Errorf("%s, line end %q: %s: %v", name, eol, strings.TrimSpace(line), err)
				}
			}
			want := fill(files[name+".want"]) + "\n" + endLine // a rewritten file has \n line ends
			got := string(read(t, path))
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

	write(t, path, []byte("[[key]]\nid = 1\n"+endLine))
	if _, err := access.Create(path, lab(t)); err == nil || !strings.Contains(err.Error(), "correct the access file first:\n"+path+":2: ") {
		t.Errorf("create in a broken file: %v, want the line to fix first", err)
	}
}

// TestEditWaits checks that an edit waits for a file that is being written.
func TestEditWaits(t *testing.T) {
	path, _ := newFile(t, lab(t))
	text := read(t, path)
	writeAt(t, path, text[:len(text)/2], time.Now().Add(time.Hour))
	pauses := 0
	e, err := access.UpdateWaiting(path, "lab", func(time.Duration) {
		pauses++
		write(t, path, text)
	}, func(e *access.Entry) error { e.Rate = 7; return nil })
	if err != nil || pauses != 1 || e.Rate != 7 || readTable(t, path).Entries()[0].Rate != 7 {
		t.Errorf("%+v, %v after %d pauses; want the rate 7 after one", e, err, pauses)
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
		must(t, err)
		return stat.Mode()
	}
	if got := mode(); got != 0o600 {
		t.Errorf("a new access file has mode %v, want 0600", got)
	}
	must(t, os.Chmod(path, 0o640))
	link := filepath.Join(t.TempDir(), "link.toml")
	must(t, os.Symlink(path, link))
	must(t, do(t, link, "rate lab 7"))
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

// TestLeftovers checks that an edit removes the temporary files of edits that were killed, and no
// other files.
func TestLeftovers(t *testing.T) {
	path, _ := newFile(t, lab(t))
	other := filepath.Join(filepath.Dir(path), ".other.toml.tmp-123")
	killed := filepath.Join(filepath.Dir(path), ".access.toml.tmp-123")
	write(t, other, nil)
	write(t, killed, nil)
	must(t, do(t, path, "rate lab 7"))
	if _, err := os.Stat(killed); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v, want it to be gone", killed, err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("an edit removed the file of another program: %v", err)
	}
}

// FuzzEdit checks that an edit of a valid file leaves it valid and changes nothing else.
func FuzzEdit(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := access.Parse("access.toml", data)
		if err != nil || len(table.Entries()) == 0 {
			return
		}
		path := filepath.Join(t.TempDir(), "access.toml")
		write(t, path, data)
		want := table.Entries()
		e := &want[len(data)%len(want)]
		e.Rate, e.Note = e.Rate%1000+1, "edited"
		if _, err := access.Update(path, e.ID, func(o *access.Entry) error { o.Rate, o.Note = e.Rate, e.Note; return nil }); err != nil {
			t.Fatalf("the rate of %q cannot be changed: %v\n%s", e.ID, err, data)
		}
		after := readTable(t, path)
		if diff := cmp.Diff(want, after.Entries(), prefixes); diff != "" || after.AnonymousRate() != table.AnonymousRate() {
			t.Errorf("after the edit of %q, the rate without a key is %d, was %d (-want +got)\n%s", e.ID, after.AnonymousRate(), table.AnonymousRate(), diff)
		}
		for _, e := range want {
			if err := access.Remove(path, e.ID); err != nil {
				t.Fatalf("%q cannot be removed: %v\n%s", e.ID, err, data)
			}
		}
	})
}
