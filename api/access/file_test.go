package access_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api/access"
)

// watched is an access file that looks for changes only when a test calls look.
type watched struct {
	*access.File
	changes []access.Change
}

// look lets the file look for changes once, and returns what it reports.
func (w *watched) look() []access.Change {
	before := len(w.changes)
	w.Look()
	return w.changes[before:]
}

func watch(t *testing.T, path string, now func() time.Time) *watched {
	t.Helper()
	w := new(watched)
	var err error
	w.File, err = access.OpenFile(path, access.FileOptions{
		Report: func(c access.Change) { w.changes = append(w.changes, c) },
		Now:    now,
	})
	must(t, err)
	return w
}

func TestOpenFileRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.toml")
	_, err := access.OpenFile(path, access.FileOptions{})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "bencao keys create") {
		t.Errorf("a file that is not there: %v, want one that says how to make it", err)
	}
	write(t, path, []byte("[[key]]\nrat = 1\n"+endLine))
	if _, err = access.OpenFile(path, access.FileOptions{}); err == nil || !strings.HasPrefix(err.Error(), path+":2: ") {
		t.Errorf("an invalid file: %v, want an error that begins with %s:2", err, path)
	}
	if _, err := access.OpenFile(t.TempDir(), access.FileOptions{}); err == nil {
		t.Error("a folder is opened as an access file")
	}
}

func TestLook(t *testing.T) {
	path, _ := newFile(t, lab(t))
	w := watch(t, path, nil)
	if got := w.look(); len(got) != 0 {
		t.Errorf("nothing has changed, but %+v is reported", got)
	}

	second := lab(t)
	second.ID = "second"
	if _, err := access.Create(path, second); err != nil {
		t.Fatal(err)
	}
	got := w.look()
	if len(got) != 1 || got[0].Err != nil || len(w.Table().Entries()) != 2 || got[0].Table != w.Table() {
		t.Fatalf("after a key was added: reported %+v, and %d keys are in force; want one report and 2 keys", got, len(w.Table().Entries()))
	}

	good := read(t, path)
	for _, step := range []struct {
		why string
		do  func()
	}{
		{"a mistake", func() { write(t, path, append([]byte("rat = 1\n"), good...)) }},
		{"cut to nothing, as editors do before they write", func() { write(t, path, nil) }},
		{"taken away", func() {
			must(t, os.Remove(path))
		}},
	} {
		step.do()
		got = w.look()
		if len(got) != 1 || got[0].Err == nil || got[0].Table != w.Table() || len(w.Table().Entries()) != 2 {
			t.Errorf("%s: reported %+v, and %d keys are in force; want one error and the 2 keys from before", step.why, got, len(w.Table().Entries()))
		}
		if got := w.look(); len(got) != 0 {
			t.Errorf("%s: reported again: %+v", step.why, got)
		}
	}
	write(t, path, good)
	if got = w.look(); len(got) != 1 || got[0].Err != nil {
		t.Errorf("the file is back as it was: reported %+v, want one success", got)
	}
}

// TestOpenFileWaits checks that a server starts only with a file that has not changed for a second.
func TestOpenFileWaits(t *testing.T) {
	path, _ := newFile(t, lab(t))
	with := func(rate string) []byte {
		return bytes.Replace(read(t, path), []byte("rate = 600"), []byte("rate = "+rate), 1)
	}
	first, second, third := with("600"), with("70"), with("8")
	for why, tt := range map[string]struct {
		age    time.Duration // age of the file when the server starts
		writes [][]byte      // texts that are written, one in each pause
		pauses int
		rate   int // in force in the end; 0 means that the server does not start
	}{
		"a second old":     {age: time.Second, rate: 600},
		"younger":          {age: time.Second - 1, pauses: 1, rate: 600},
		"from the future":  {age: -time.Hour, pauses: 1, rate: 600},
		"written":          {writes: [][]byte{second}, pauses: 2, rate: 70},
		"half written":     {writes: [][]byte{second[:50], second[:200], third}, pauses: 4, rate: 8},
		"cut off":          {writes: [][]byte{second[:200]}, pauses: 2},
		"written for ever": {writes: [][]byte{second, third, second, third, second}, pauses: 5},
	} {
		c, pauses := newClock(), 0
		writeAt(t, path, first, c.Now().Add(-tt.age))
		f, err := access.OpenFile(path, access.FileOptions{Now: c.Now, Sleep: func(d time.Duration) {
			if pauses < len(tt.writes) {
				writeAt(t, path, tt.writes[pauses], c.Now().Add(d/2))
			}
			pauses++
			c.Go(d)
		}})
		rate := 0
		if err == nil {
			rate = f.Table().Entries()[0].Rate
		}
		if pauses != tt.pauses || rate != tt.rate {
			t.Errorf("%s: %d pauses, then rate %d is in force, %v; want %d and %d", why, pauses, rate, err, tt.pauses, tt.rate)
		}
	}
}

// TestWatchLink changes the target of a symbolic link, as in a mounted ConfigMap.
func TestWatchLink(t *testing.T) {
	one, _ := newFile(t, lab(t))
	two, _ := newFile(t, lab(t), access.Entry{ID: "second", Networks: lab(t).Networks, Rate: 1})
	old := time.Now().Add(-time.Hour)
	link := filepath.Join(t.TempDir(), "access.toml")
	point := func(target string) {
		t.Helper()
		err := errors.Join(os.Chtimes(target, old, old), os.Symlink(target, link+".new"), os.Rename(link+".new", link))
		must(t, err)
	}
	point(one)
	w := watch(t, link, nil)
	point(two)
	if got := w.look(); len(got) != 1 || len(w.Table().Entries()) != 2 {
		t.Errorf("the link points elsewhere: reported %+v, %d keys; want 2", got, len(w.Table().Entries()))
	}
}

func TestWritableByAll(t *testing.T) {
	path, _ := newFile(t, lab(t))
	for mode, want := range map[os.FileMode]int{0o600: 0, 0o644: 0, 0o660: 0, 0o666: 1} {
		must(t, os.Chmod(path, mode))
		if got := readTable(t, path).Warnings(); len(got) != want {
			t.Errorf("mode %v: warnings %q, want %d", mode, got, want)
		}
	}
}

// TestTableWhileReading checks that requests are answered while the file changes.
func TestTableWhileReading(t *testing.T) {
	path, secrets := newFile(t, lab(t))
	f, err := access.OpenFile(path, access.FileOptions{})
	must(t, err)
	stop := make(chan struct{})
	done := make(chan error, 4)
	for range cap(done) {
		go func() {
			for {
				if _, err := f.Table().Authenticate([]string{secrets[0].Reveal()}, noon); err != nil {
					done <- err
					return
				}
				select {
				case <-stop:
					done <- nil
					return
				default:
				}
			}
		}()
	}
	for i := range 20 {
		if _, err := access.Update(path, "lab", func(e *access.Entry) error { e.Rate = i + 1; return nil }); err != nil {
			t.Error(err)
		}
		f.Look()
	}
	close(stop)
	for range cap(done) {
		if err := <-done; err != nil {
			t.Errorf("a valid key was refused while the file was read: %v", err)
		}
	}
	if got := f.Table().Entries()[0].Rate; got != 20 {
		t.Errorf("rate %d is in force, want 20", got)
	}
}

// BenchmarkParse shows that the time to read a file is proportional to the number of keys.
func BenchmarkParse(b *testing.B) {
	for _, keys := range []int{600, 6_000, 60_000} {
		var text bytes.Buffer
		for i := range keys {
			fmt.Fprintf(&text, "[[key]]\nid = \"key-%d\"\nhash = \"sha256:%064x\"\nnetworks = [\"192.0.2.0/24\", \"2001:db8::/32\"]\nscopes = [\"prescriptions\"]\nrate = 600\n\n", i, i+1)
		}
		text.WriteString(endLine)
		b.Run(fmt.Sprintf("keys=%d", keys), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := access.Parse("access.toml", text.Bytes()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
