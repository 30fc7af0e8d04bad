package access_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bencao/api/access"
	"bencao/internal/race"
)

// TestModelOfRights plays random histories of an access file, which an [access.File] reads as in a
// server. A history has edits by "bencao keys", which replace the file; edits by hand, which
// truncate or overwrite it in place, at any speed; writers that die at any byte; older files that
// are put back; removed files; and servers that start in between. At every moment the test checks
// that
//
//   - the rights in force are no more than those of one complete file that was the latest at some
//     time in the last two seconds. So no right exists that no complete file granted. A right that a
//     file withdraws is gone after two seconds, if the server has seen the file. The server looks
//     once a second;
//   - at the end, when the latest complete file has not changed for a while, it is in force.
//
// Two cases are left out, as docs/access.md explains. In one, a file that lacks the first and the
// last line is cut off and remains so. In the other, a writer overwrites a file without truncating
// it, and dies half-way.
//
// A history takes 0.35 ms of CPU time. With BENCAO_FAULTS=all, as in "make faults", the test plays
// ten times as many histories.
func TestModelOfRights(t *testing.T) {
	histories := 20_000
	switch {
	case testing.Short() || race.On:
		histories /= 4
	case os.Getenv("BENCAO_FAULTS") == "all":
		histories *= 10
	}
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	keys := newModelKeys()
	var next, steps, doubts, cuts atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		dir := memory(t)
		wg.Go(func() {
			for n := next.Add(1); n <= int64(histories) && !t.Failed(); n = next.Add(1) {
				h := &history{keys: keys, path: filepath.Join(dir, "access.toml"), rand: rand.New(rand.NewPCG(uint64(n), 9)), known: map[string]version{}}
				if err := h.play(); err != nil {
					t.Errorf("history %d: %v; it went so:\n%s", n, err, h)
				}
				steps.Add(int64(len(h.log)))
				doubts.Add(int64(h.doubts))
				cuts.Add(int64(h.refused))
			}
		})
	}
	wg.Wait()
	t.Logf("%d histories of %d steps; the file was in doubt at %d looks, and refused at %d", histories, steps.Load(), doubts.Load(), cuts.Load())
	if doubts.Load() == 0 || cuts.Load() == 0 {
		t.Error("no file was in doubt, or none was refused; the histories are not varied enough")
	}
}

// memory returns a folder in memory if the system has one, otherwise one on disk. The histories do
// not need files that survive a power cut.
func memory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "bencao-rights-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// history is an access file, a server that checks the file every second, and the test's record of
// both.
type history struct {
	keys *modelKeys
	path string
	rand *rand.Rand
	log  []entry

	now    time.Time
	server *access.File // nil if none is running
	// versions lists the complete files. From the time since[i] on, versions[i] is the latest of
	// them.
	versions []version
	since    []time.Time
	known    map[string]version // all complete files so far, by text
	seen     int                // number of versions when the server last checked the file
	content  string             // content of the file; unused if the file was removed

	table  *access.Table // the table that rights was computed from
	rights allowed       // cached rights of table

	doubts, refused int
}

// say records an event. The record is printed only if the test fails.
func (h *history) say(format string, args ...any) {
	h.log = append(h.log, entry{h.now.Sub(noon), format, args})
}

type entry struct {
	at     time.Duration
	format string
	args   []any
}

func (h *history) String() string {
	var b strings.Builder
	for _, e := range h.log {
		fmt.Fprintf(&b, "%6.1f s  %s\n", e.at.Seconds(), fmt.Sprintf(e.format, e.args...))
	}
	return b.String()
}

// play runs a random history and returns the first violation.
func (h *history) play() error {
	h.now = noon
	if err := h.replaceBy(h.draw().seal()); err != nil {
		return err
	}
	if err := h.start(); err != nil {
		return err
	}
	events := 1 + h.rand.IntN(2)
	if h.rand.IntN(10) == 0 {
		events = 6
	}
	for range events {
		if err := h.event(); err != nil {
			return err
		}
	}
	last := h.draw()
	if h.rand.IntN(2) == 0 {
		last = last.seal()
	}
	if err := h.replaceBy(last); err != nil {
		return err
	}
	if err := h.pass(3 * time.Second); err != nil {
		return err
	}
	if h.server == nil {
		if err := h.start(); err != nil || h.server == nil {
			return fmt.Errorf("no server starts at the end: %v", err)
		}
	}
	if err := h.server.Look(); err != nil {
		return fmt.Errorf("the last file has rested, but: %v", err)
	}
	if got := h.keys.inForce(h.server.Table()); !got.within(&last.allowed) || !last.allowed.within(&got) {
		return fmt.Errorf("in force at the end is %v, want %v", got, last.allowed)
	}
	return nil
}

// event runs one random event of the history and advances the clock.
func (h *history) event() error {
	v := h.draw()
	switch h.rand.IntN(4) {
	case 0: // edited by hand, without the first and last line
	case 1: // edited by hand, so that the checksum no longer matches
		v = v.seal()
		v.text = strings.Replace(v.text, "\n", "\n# by hand\n", 1)
	default:
		v = v.seal()
	}
	if h.rand.IntN(6) == 0 {
		v.text = strings.ReplaceAll(v.text, "\n", "\r\n")
	}
	if h.rand.IntN(6) == 0 {
		v.text = strings.TrimRight(v.text, "\r\n")
	}
	var err error
	switch n := h.rand.IntN(20); {
	case n < 5:
		err = h.replaceBy(v)
	case n < 7:
		old := h.versions[h.rand.IntN(len(h.versions))]
		h.say("an older file is put back, with the time of another")
		if err = h.replaceBy(old); err == nil {
			err = os.Chtimes(h.path, noon, noon)
		}
	case n < 14:
		err = h.writeAnew(v)
	case n < 17:
		err = h.writeOver(v)
	case n < 18:
		h.say("the file goes away")
		h.spoil()
		if err = os.Remove(h.path); errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	default:
		err = h.start()
	}
	if err != nil {
		return err
	}
	return h.pass(time.Duration(h.rand.IntN(3500)) * time.Millisecond)
}

// put overwrites the content of the file in place.
func (h *history) put(text string) error {
	h.content = text
	return h.write(h.path, text)
}

// write does the same as os.WriteFile with three system calls instead of six, because the test
// spends most of its time in system calls.
func (h *history) write(path, text string) error {
	fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_TRUNC, 0o600)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	_, err = syscall.Write(fd, []byte(text))
	return errors.Join(err, syscall.Close(fd))
}

// half writes text, a part of v. By chance the text may be a complete file: that of v without its
// last line end, or that of an earlier version.
func (h *history) half(v version, text string) error {
	if text == v.text || text == strings.TrimRight(v.text, "\r\n") {
		h.whole(v)
	} else if v, ok := h.known[text]; ok {
		h.whole(v)
	} else {
		h.spoil()
	}
	return h.put(text)
}

// whole records that the file is complete from now on and has the text of v.
func (h *history) whole(v version) {
	h.versions, h.since = append(h.versions, v), append(h.since, h.now)
	h.known[v.text], h.known[strings.TrimRight(v.text, "\r\n")] = v, v
}

// spoil records that the file is incomplete from now on. It forgets versions that no server check
// could have seen.
func (h *history) spoil() {
	h.versions, h.since = h.versions[:h.seen], h.since[:h.seen]
}

func (h *history) replaceBy(v version) error {
	h.say("replaced by %q", v.text)
	if err := h.write(h.path+".next", v.text); err != nil {
		return err
	}
	h.content = v.text
	h.whole(v)
	return os.Rename(h.path+".next", h.path)
}

// writeAnew truncates the file and writes v, at once or in steps. The writer may die in between,
// but only if v has the last line, by which the server recognises a complete file.
func (h *history) writeAnew(v version) error {
	end := len(v.text)
	if v.marked { // the last line marks the file as complete, even if only its beginning is written
		end = strings.LastIndex(v.text, modelLast) + len(modelLast)
	}
	for at := h.rand.IntN(end); at < end; at += 1 + h.rand.IntN(end) {
		h.say("emptied and written up to %q", v.text[:at])
		if err := h.half(v, v.text[:at]); err != nil {
			return err
		}
		if v.marked && h.rand.IntN(3) == 0 {
			h.say("the writer dies")
			return nil
		}
		if err := h.pass(time.Duration(h.rand.IntN(1900)) * time.Millisecond); err != nil {
			return err
		}
		if h.rand.IntN(3) == 0 {
			break
		}
	}
	h.say("written to its end: %q", v.text)
	h.whole(v)
	return h.put(v.text)
}

// writeOver writes over the file in steps, without truncating it first.
func (h *history) writeOver(v version) error {
	old := h.content
	for range h.rand.IntN(3) {
		at := h.rand.IntN(len(v.text))
		mixed := v.text[:at]
		if at < len(old) {
			mixed += old[at:]
		}
		h.say("written over up to %q", mixed)
		if err := h.half(v, mixed); err != nil {
			return err
		}
		if err := h.pass(time.Duration(h.rand.IntN(1900)) * time.Millisecond); err != nil {
			return err
		}
	}
	h.say("written over to its end: %q", v.text)
	h.whole(v)
	return h.put(v.text)
}

// start stops the running server, if any, and starts another.
func (h *history) start() error {
	h.say("a server starts")
	var slept error
	f, err := access.OpenFile(h.path, access.FileOptions{
		Now:   func() time.Time { return h.now },
		Sleep: func(d time.Duration) { h.server = nil; slept = errors.Join(slept, h.pass(d)) },
	})
	h.server, h.seen = f, len(h.versions)
	if err != nil {
		h.server = nil
		h.say("it does not: %v", err)
	}
	return errors.Join(slept, h.check())
}

// pass advances the clock by d. At every full second it lets the server check the file.
func (h *history) pass(d time.Duration) error {
	until := h.now.Add(d)
	for {
		tick := h.now.Truncate(time.Second).Add(time.Second)
		if tick.After(until) {
			h.now = until
			return h.check()
		}
		h.now = tick
		if err := h.check(); err != nil {
			return err
		}
		if h.server == nil {
			continue
		}
		err := h.server.Look()
		h.seen = len(h.versions)
		switch {
		case errors.Is(err, access.ErrDoubt):
			h.doubts++
		case err != nil:
			h.refused++
		}
		h.say("the server looks: %v", err)
		if err := h.check(); err != nil {
			return err
		}
	}
}

// check compares the rights in force with those of the complete files of the last two seconds, and
// returns an error unless one of these files grants all of them.
func (h *history) check() error {
	if h.server == nil {
		return nil
	}
	if t := h.server.Table(); t != h.table {
		h.table, h.rights = t, h.keys.inForce(t)
	}
	got := h.rights
	for i := len(h.versions) - 1; i >= 0; i-- {
		if got.within(&h.versions[i].allowed) {
			return nil
		}
		if h.now.Sub(h.since[i]) > 2*time.Second {
			break // earlier versions were replaced before that time
		}
	}
	return fmt.Errorf("in force is %v, which no whole file of the last two seconds allows", got)
}
