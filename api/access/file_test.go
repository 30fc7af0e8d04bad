package access_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api/access"
)

// watched is an access file that is looked at when the test says so.
type watched struct {
	*access.File
	tick    chan time.Time
	changes []access.Change
}

// look makes the file be looked at once, and returns what was reported.
func (w *watched) look() []access.Change {
	before := len(w.changes)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Watch(ctx)
	}()
	w.tick <- time.Time{}
	cancel()
	<-done
	return w.changes[before:]
}

func watch(t *testing.T, path string, now func() time.Time) *watched {
	t.Helper()
	w := &watched{tick: make(chan time.Time)}
	f, err := access.OpenFile(path, access.FileOptions{
		Report: func(c access.Change) { w.changes = append(w.changes, c) },
		Tick:   w.tick,
		Now:    now,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.File = f
	return w
}

func TestOpenFileRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.toml")
	_, err := access.OpenFile(path, access.FileOptions{})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "bencao keys create") {
		t.Errorf("a file that is not there: %v, want one that says how to make it", err)
	}
	write(t, path, []byte("[[key]]\n"))
	_, err = access.OpenFile(path, access.FileOptions{})
	var fe *access.FileError
	if !errors.As(err, &fe) || !strings.HasPrefix(err.Error(), path+":1: ") {
		t.Errorf("an invalid file: %v, want a *FileError that begins with %s:1", err, path)
	}
	if _, err := access.OpenFile(t.TempDir(), access.FileOptions{}); err == nil {
		t.Error("a folder is opened as an access file")
	}
}

func TestWatch(t *testing.T) {
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
		{"a mistake", func() { write(t, path, append(good, "rat = 1\n"...)) }},
		{"cut to nothing, as editors do before they write", func() { write(t, path, nil) }},
		{"taken away", func() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
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

// A change shows even if it leaves size and time as they were, as two edits
// within one second do where a file system keeps whole seconds.
func TestWatchSameSecond(t *testing.T) {
	path, _ := newFile(t, lab(t))
	edited := time.Now().Truncate(time.Second)
	touch := func() {
		if err := os.Chtimes(path, edited, edited); err != nil {
			t.Fatal(err)
		}
	}
	touch()
	c := &clock{now: edited.Add(time.Second)}
	w := watch(t, path, c.Now)
	data := read(t, path)
	write(t, path, []byte(strings.Replace(string(data), "rate = 600", "rate = 601", 1))) // the same inode
	touch()
	if got := w.look(); len(got) != 1 || w.Table().Entries()[0].Rate != 601 {
		t.Errorf("an edit in the second in which the file was read: reported %+v, rate %d; want 601", got, w.Table().Entries()[0].Rate)
	}

	// Once the file is older than that, looking at it costs no reading: the
	// same bytes under the same time are taken for the same file.
	c.Go(time.Minute)
	w.look()
	write(t, path, data)
	touch()
	if got := w.look(); len(got) != 0 {
		t.Fatalf("reported %+v, want a settled file not to be read", got)
	}
	if err := w.Reload(); err != nil || w.Table().Entries()[0].Rate != 600 {
		t.Errorf("Reload: %v, rate %d; want it to read whatever the times say", err, w.Table().Entries()[0].Rate)
	}
}

// A file that is replaced by one of the same size and time is another file.
func TestWatchReplaced(t *testing.T) {
	path, _ := newFile(t, lab(t))
	old := time.Now().Add(-time.Hour)
	next := path + ".next"
	write(t, next, bytes.Replace(read(t, path), []byte("rate = 600"), []byte("rate = 601"), 1))
	if err := errors.Join(os.Chtimes(path, old, old), os.Chtimes(next, old, old)); err != nil {
		t.Fatal(err)
	}
	w := watch(t, path, nil)
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	if got := w.look(); len(got) != 1 || w.Table().Entries()[0].Rate != 601 {
		t.Errorf("reported %+v, rate %d; want 601", got, w.Table().Entries()[0].Rate)
	}
}

// What a symbolic link points at may change, as in a mounted ConfigMap.
func TestWatchLink(t *testing.T) {
	one, _ := newFile(t, lab(t))
	two, _ := newFile(t, lab(t), access.Entry{ID: "second", Networks: lab(t).Networks, Rate: 1})
	old := time.Now().Add(-time.Hour)
	link := filepath.Join(t.TempDir(), "access.toml")
	point := func(target string) {
		t.Helper()
		err := errors.Join(os.Chtimes(target, old, old), os.Symlink(target, link+".new"), os.Rename(link+".new", link))
		if err != nil {
			t.Fatal(err)
		}
	}
	point(one)
	w := watch(t, link, nil)
	point(two)
	if got := w.look(); len(got) != 1 || len(w.Table().Entries()) != 2 {
		t.Errorf("the link points elsewhere: reported %+v, %d keys; want 2", got, len(w.Table().Entries()))
	}
}

func TestReload(t *testing.T) {
	path, _ := newFile(t, lab(t))
	w := watch(t, path, nil)
	if err := w.Reload(); err != nil {
		t.Fatal(err)
	}
	if len(w.changes) != 1 || w.changes[0].Err != nil {
		t.Errorf("Reload reported %+v, want that it was done although nothing changed", w.changes)
	}
	write(t, path, []byte("[[key]]\n"))
	for range 2 {
		if err := w.Reload(); err == nil {
			t.Error("Reload of an invalid file returns no error")
		}
	}
	if n := len(w.changes); n != 3 || w.changes[2].Err == nil {
		t.Errorf("%d reports, want one for each Reload: %+v", n, w.changes)
	}
}

func TestWritableByAll(t *testing.T) {
	path, _ := newFile(t, lab(t))
	for mode, want := range map[os.FileMode]int{0o600: 0, 0o644: 0, 0o660: 0, 0o666: 1} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if got := readTable(t, path).Warnings(); len(got) != want {
			t.Errorf("mode %v: warnings %q, want %d", mode, got, want)
		}
	}
}

// Requests are answered while the file changes.
func TestTableWhileReloading(t *testing.T) {
	path, secrets := newFile(t, lab(t))
	f, err := access.OpenFile(path, access.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
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
		_, err := access.Update(path, "lab", func(e *access.Entry) error { e.Rate = i + 1; return nil })
		if err = errors.Join(err, f.Reload()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	for range cap(done) {
		if err := <-done; err != nil {
			t.Errorf("a valid key was refused during a reload: %v", err)
		}
	}
	if got := f.Table().Entries()[0].Rate; got != 20 {
		t.Errorf("rate %d is in force, want 20", got)
	}
}
