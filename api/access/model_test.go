package access_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api/access"
)

// TestModelOfRights plays random histories of an access file, which an [access.File] reads as in a
// server. Edits overwrite the file in steps, with or without emptying it first, and some are never
// finished. At every look of the server, the rights in force must be those of the last valid text
// that had not changed for a second.
func TestModelOfRights(t *testing.T) {
	dir := t.TempDir()
	counted := 0
	for n := range 40 {
		h := &history{path: filepath.Join(dir, fmt.Sprint(n)), clock: newClock(), rand: rand.New(rand.NewPCG(uint64(n), 9))}
		h.write(t, h.draw())
		h.clock.Go(settle)
		h.open(t)
		for range 10 {
			next, old, empty := h.draw(), h.text, h.rand.IntN(2) == 0
			for range h.rand.IntN(3) {
				half := next[:len(stamp)+h.rand.IntN(len(next)-len(stamp))]
				if !empty && len(half) < len(old) {
					half += old[len(half):]
				}
				h.write(t, half)
				h.pass(t)
			}
			if h.rand.IntN(4) > 0 {
				h.write(t, next)
				h.pass(t)
			}
			if h.rand.IntN(8) == 0 {
				h.clock.Go(settle)
				h.open(t)
			}
		}
		counted += h.counted
		if t.Failed() {
			t.Fatalf("history %d:\n%s", n, strings.Join(h.log, "\n"))
		}
	}
	if counted < 200 {
		t.Errorf("only %d texts came into force; the histories are not varied enough", counted)
	}
}

// settle is the time that a text must stay the same.
const settle = time.Second

// history is an access file and a server that looks at it once a second.
type history struct {
	path  string
	file  *access.File
	clock *clock
	rand  *rand.Rand
	log   []string

	text    string
	valid   string    // keys in text, or empty if it is invalid
	changed time.Time // time at which text was written
	want    string    // keys that must be in force
	drawn   int       // number of complete texts so far
	counted int       // number of texts that came into force
}

// stamp begins every complete text, with a number that no other text of the history has.
const stamp = "# 0000\n"

// draw returns a new complete text.
func (h *history) draw() string {
	h.drawn++
	var b strings.Builder
	fmt.Fprintf(&b, "# %04d\n", h.drawn)
	for i := range 1 + h.rand.IntN(3) {
		fmt.Fprintf(&b, "[[key]]\nid = \"k%d\"\nhash = \"sha256:%064d\"\nnetworks = [\"192.0.2.0/24\"]\nrate = %d\n", i, i, 1+h.rand.IntN(1000))
		if h.rand.IntN(2) == 0 {
			b.WriteString("disabled = true\n")
		}
	}
	return b.String() + endLine
}

func (h *history) write(t *testing.T, text string) {
	if text == h.text {
		return
	}
	h.text, h.changed = text, h.clock.Now()
	writeAt(t, h.path, []byte(text), h.changed)
	h.valid = ""
	if table, err := access.Parse(h.path, []byte(text)); err == nil {
		h.valid = rights(table)
	}
	h.log = append(h.log, fmt.Sprintf("%s  written: %q", h.changed.Format(time.TimeOnly), text))
}

// open starts a server. If the text is invalid, the server does not start, and the one before goes
// on.
func (h *history) open(t *testing.T) {
	f, err := access.OpenFile(h.path, access.FileOptions{Now: h.clock.Now})
	if (err == nil) != (h.valid != "") {
		t.Errorf("a server starts with %q: %v", h.text, err)
	}
	if err == nil {
		h.file = f
	}
	h.look(t)
}

// pass advances the clock and lets the server look at each full second.
func (h *history) pass(t *testing.T) {
	left := time.Duration(h.rand.IntN(2500)) * time.Millisecond
	for {
		now := h.clock.Now()
		tick := now.Truncate(time.Second).Add(time.Second).Sub(now)
		if tick > left {
			h.clock.Go(left)
			return
		}
		h.clock.Go(tick)
		left -= tick
		h.look(t)
	}
}

func (h *history) look(t *testing.T) {
	h.file.Look()
	now := h.clock.Now()
	if h.valid != "" && h.valid != h.want && now.Sub(h.changed) >= settle {
		h.want = h.valid
		h.counted++
	}
	if got := rights(h.file.Table()); got != h.want {
		t.Errorf("in force is %s, want %s", got, h.want)
	}
	h.log = append(h.log, fmt.Sprintf("%s  in force: %s", now.Format(time.TimeOnly), rights(h.file.Table())))
}

// rights describes the keys of a table.
func rights(t *access.Table) string {
	var b strings.Builder
	for _, e := range t.Entries() {
		fmt.Fprintf(&b, "%s %d %v; ", e.ID, e.Rate, e.Disabled)
	}
	return b.String()
}
