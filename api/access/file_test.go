package access_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api/access"
)

// watched is an access file that is checked for changes only when a test calls look.
type watched struct {
	*access.File
	tick    chan time.Time
	changes []access.Change
}

// look checks the file once for changes and returns what it reports.
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

// byHand overwrites the content of the file in place, as an editor may, and sets its modification
// time to when.
func byHand(t *testing.T, path string, text []byte, when time.Time) {
	t.Helper()
	write(t, path, text)
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

// TestWatchSameTime checks that a change is noticed even if size and modification time remain the
// same. The change time (ctime), which the file system also records, reveals it.
func TestWatchSameTime(t *testing.T) {
	path, _ := newFile(t, lab(t))
	edited := time.Now().Add(-time.Hour)
	c := newClock()
	w := watch(t, path, c.Now)
	data := read(t, path)
	other := bytes.Replace(data, []byte("rate = 600"), []byte("rate = 100"), 1)
	for i, text := range [][]byte{other, data, other, data} {
		byHand(t, path, text, edited)
		c.Go(2 * time.Second)
		w.look()
		c.Go(2 * time.Second)
		w.look()
		if got, want := w.Table().Entries()[0].Rate, []int{100, 600}[i%2]; got != want {
			t.Fatalf("change %d: rate %d is in force, want %d", i+1, got, want)
		}
		c.Go(time.Minute) // afterwards the file is settled, so it is not read again until it changes
		if got := w.look(); len(got) != 0 {
			t.Fatalf("change %d: reported again: %+v", i+1, got)
		}
	}
}

// TestDoubt checks that a file that may be incomplete can only withdraw rights until it has not
// changed for settleTime.
func TestDoubt(t *testing.T) {
	ours, guest := lab(t), lab(t)
	guest.ID, guest.Disabled = "guest", true
	path, secrets := newFile(t, ours, guest)
	c := newClock()
	w := watch(t, path, c.Now)
	works := func(i int) bool {
		_, err := w.Table().Authenticate([]string{secrets[i].Reveal()}, noon)
		return err == nil
	}
	data := string(read(t, path))
	step := func(why, text string, wait time.Duration, doubt, first, second bool) {
		t.Helper()
		write(t, path, []byte(text))
		w.look()
		c.Go(wait)
		err := w.Reload()
		if errors.Is(err, access.ErrDoubt) != doubt || (err != nil && !doubt) || works(0) != first || works(1) != second {
			t.Errorf("%s: error %v, the keys work %v and %v; want doubt %v, %v and %v", why, err, works(0), works(1), doubt, first, second)
		}
	}
	switched := func(disabledLab, disabledGuest string) string {
		text := strings.Replace(data, "disabled = true\n", "disabled = "+disabledGuest+"\n", 1)
		return strings.Replace(text, "rate = 600\n", "rate = 600\ndisabled = "+disabledLab+"\n", 1)
	}
	step("nothing has changed", data, time.Second, false, true, false)
	step("by hand: one is enabled, which waits", switched("false", "false"), time.Second, true, true, false)
	step("… until it has rested", switched("false", "false"), 2*time.Second, false, true, true)
	step("by hand: both are disabled, which does not wait", switched("true", "true"), 0, true, false, false)
	step("by hand: and enabled again", switched("false", "false"), time.Second, true, false, false)
	step("by hand: … while another hand is at work", switched("false", "false")+"\n", time.Second, true, false, false)
	step("as it was sealed, which needs no rest", data, 0, false, true, false)
	unmarked := "[[key]]\nid = \"guest\"\nhash = \"" + secrets[1].Hash().String() + "\"\nnetworks = [\"192.0.2.0/24\"]\nrate = 600\n"
	step("without the lines: one is gone at once, the other comes later", unmarked, time.Second, true, false, false)
	step("… when it has rested", unmarked, 2*time.Second, false, false, true)
	if err := access.SealAtOnce(path); err != nil {
		t.Fatal(err)
	}
	sealed := string(read(t, path))
	step("sealed", sealed, 0, false, false, true)
	step("with another block below the last line", sealed+"\n[anonymous]\nrate = 5\n", time.Second, true, false, true)
	if w.Table().AnonymousRate() != 0 {
		t.Error("what stands below the last line is in force before it has rested")
	}
	step("… which has rested", sealed+"\n[anonymous]\nrate = 5\n", 2*time.Second, false, false, true)
	if got := w.Table(); got.AnonymousRate() != 5 || len(got.Warnings()) != 1 || !strings.Contains(got.Warnings()[0], "bencao keys seal") {
		t.Errorf("anonymous rate %d, warnings %q; want 5 and one that names the command", got.AnonymousRate(), got.Warnings())
	}
}

// TestOpenFileRested checks that a server starts only with a file that has a valid checksum or has
// not changed for settleTime.
func TestOpenFileRested(t *testing.T) {
	path, _ := newFile(t, lab(t))
	half := bytes.Replace(read(t, path), []byte("rate = 600"), []byte("rate = 700"), 1)
	slept := 0
	open := func(during func()) (*access.File, error) {
		slept = 0
		return access.OpenFile(path, access.FileOptions{Now: newClock().Now, Sleep: func(time.Duration) { slept++; during() }})
	}
	_, err := open(func() {})
	if err != nil || slept != 0 {
		t.Fatalf("a sealed file: %v after %d pauses, want none", err, slept)
	}
	write(t, path, half)
	f, err := open(func() {})
	if err != nil || slept != 1 || f.Table().Entries()[0].Rate != 700 {
		t.Errorf("a file that rests: %v, after %d pauses, want one", err, slept)
	}
	f, err = open(func() {
		if slept == 1 {
			write(t, path, bytes.Replace(half, []byte("rate = 700"), []byte("rate = 70"), 1))
		}
	})
	if err != nil || slept != 2 || f.Table().Entries()[0].Rate != 70 {
		t.Errorf("a file that is written while the server starts: %v after %d pauses, want two, and what was written last", err, slept)
	}
	if _, err = open(func() { write(t, path, append(read(t, path), '\n')) }); !errors.Is(err, access.ErrDoubt) {
		t.Errorf("a file that is written again and again: %v, want ErrDoubt", err)
	}
}

// TestWatchReplaced checks that a file is read again after it was replaced by one of the same size
// and time.
func TestWatchReplaced(t *testing.T) {
	path, _ := newFile(t, lab(t))
	old := time.Now().Add(-time.Hour)
	w := watch(t, path, nil)
	next := path + ".next"
	write(t, next, read(t, path))
	if err := do(t, next, "rate lab 601"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chtimes(path, old, old), os.Chtimes(next, old, old), os.Rename(next, path)); err != nil {
		t.Fatal(err)
	}
	if got := w.look(); len(got) != 1 || w.Table().Entries()[0].Rate != 601 {
		t.Errorf("reported %+v, rate %d; want 601", got, w.Table().Entries()[0].Rate)
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

// TestTableWhileReloading checks that requests are answered while the file changes.
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

// BenchmarkParse shows that the time to read a file is proportional to the number of keys.
func BenchmarkParse(b *testing.B) {
	for _, keys := range []int{600, 6_000, 60_000} {
		var text bytes.Buffer
		for i := range keys {
			fmt.Fprintf(&text, "[[key]]\nid = \"key-%d\"\nhash = \"sha256:%064x\"\nnetworks = [\"192.0.2.0/24\", \"2001:db8::/32\"]\nscopes = [\"prescriptions\"]\nrate = 600\n\n", i, i+1)
		}
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
