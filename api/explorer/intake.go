package explorer

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"time"

	"bencao/api/problem"
	"bencao/internal/messages"
)

// Limits of a list of names that a user sends.
const (
	mostNames = 10_000
	mostBytes = 5 << 20
	// mostTableColumns is the largest number of columns that a list may have if it is a table.
	mostTableColumns = 200
	// mostForm is the largest size in bytes of a form, which is that of the user's choices. A longer
	// list is read completely, too, because a browser does not show the answer to a form that was
	// refused before all of it was read.
	mostForm = 16 << 20
	// mostParts is the number of parts of a form that are searched for the list.
	mostParts = 32
	// mostDisposition is the largest size in bytes of the header that names a part.
	mostDisposition = 4 << 10
	// patience is the longest time that matching a list may take.
	patience = 2 * time.Minute
	// candidates is the number of candidates that a page shows for each name.
	candidates = 4
)

// Limits of the time that forms may take.
const (
	// mostLists is the number of forms that are answered at the same time.
	mostLists = 4
	// slowest is the lowest rate, in bytes per second, at which a client must send a form and read
	// the answer. grace is how long the client may pause. beginWait is how long the server waits for
	// the first byte of a form.
	slowest, grace, beginWait = 48 << 10, 5 * time.Second, time.Second
	// fastest is the highest rate, in bytes per second, at which the server reads a form. Forms
	// that come faster would take the processors from other clients.
	fastest = 3 << 20
	// formWait is how long a form waits for a place. turnWait is how long a received form waits until
	// it may be answered.
	formWait, turnWait = time.Second, 10 * time.Second
)

// mostHeld is the largest number of bytes that forms take in memory, with the tables that are made
// of them.
const mostHeld = 48 << 20

// levels limits the forms that are being received, waiting or being answered, and the bytes that
// they take: of all clients, of a network (an IPv4 /24 or an IPv6 /48), and of a client (an IPv4
// address or an IPv6 /64). No network has all turns.
var levels = [...]struct {
	bits4, bits6, forms int
	bytes               int64
	kind                problem.Kind
	full                messages.Format
}{
	{0, 0, 24, mostHeld, problem.Busy, formsAtOnce},
	{24, 48, mostLists - 1, mostHeld / 2, problem.FormRunning, formSecond},
	{32, 64, 1, mostHeld / 2, problem.FormRunning, formSecond},
}

// The errors about a form or about the list of names in it.
var (
	listBytes   = messages.Define("list-bytes", "the list has %v; a list of at most %v is taken")
	tableBytes  = messages.Define("table-bytes", "the list with its answers has more than %v MB; leave out columns that are not needed")
	listNoForm  = messages.Define("list-no-form", "the list was not sent with a form; use the form of this page")
	listEmpty   = messages.Define("list-empty", "the list is empty; write a name into each line, or choose a file")
	listNoNames = messages.Define("list-no-names", "the list has no names; write one into each line")
	formUnread  = messages.Define("form-unread", "the form can't be read: %v")
	formEncoded = messages.Define("form-encoded", "a part of the form has the Content-Transfer-Encoding %v; send it without one")
	formParts   = messages.Define("form-parts", "the form has more than %v parts, and the first ones have no list; use the form of this page")
	formRow     = messages.Define("form-row", "row %v of the form can't be read")
)

// Errors about a form.
var (
	formForeign = messages.Define("form-foreign", "the form was sent by a page of another site, %v; use the form of this site")
	formSlow    = messages.Define("form-slow", "the form arrives too slowly; it must arrive with %v kB a second")
	formSecond  = messages.Define("form-second", "another form from your network is being answered; wait until it is done")
	formsAtOnce = messages.Define("forms-at-once", "too many forms are being sent just now")
	listsAtOnce = messages.Define("lists-at-once", "%v lists are being matched just now, and no more are allowed at a time")
)

// intake limits the number of forms and the bytes that they take in memory. It may be used from many
// goroutines.
type intake struct {
	turns chan struct{} // one token for each form that is being answered

	mu    sync.Mutex // guards the fields below
	taken map[group]share
	left  chan struct{} // closed and replaced when a form has ended
}

// group is a group of clients: the level is an index of levels.
type group struct {
	level   int
	network netip.Prefix
}

// share is a number of forms and of the bytes that they take in memory.
type share struct {
	forms int
	bytes int64
}

func newIntake() *intake {
	return &intake{turns: make(chan struct{}, mostLists), taken: map[group]share{}, left: make(chan struct{})}
}

// place is the place of a form. It counts the memory that the form takes.
type place struct {
	in     *intake
	groups [len(levels)]group // the groups of the client
	held   int64
	turned bool // the form has a turn
}

// enter takes a place for a form of a client, of which some bytes have come. It waits up to formWait
// for a free place. If there is none, it returns the reason as an error. The caller must call
// [place.leave] after the answer.
func (in *intake) enter(ctx context.Context, client netip.Addr, bytes int64) (*place, error) {
	p := &place{in: in}
	for i, l := range levels {
		bits := l.bits6
		if client.Is4() {
			bits = l.bits4
		}
		p.groups[i] = group{i, netip.PrefixFrom(client, bits).Masked()}
	}
	p.groups[0].network = netip.Prefix{} // of IPv4 and IPv6 together
	patience := time.NewTimer(formWait)
	defer patience.Stop()
	for {
		left, err := p.add(1, bytes)
		if err == nil {
			return p, nil
		}
		select {
		case <-left:
		case <-patience.C:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// add adds forms and bytes to what the groups of the client have taken. If that is too much, it adds
// nothing, and returns an error and a channel that is closed when a form ends.
func (p *place) add(forms int, bytes int64) (left chan struct{}, err error) {
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	for i, g := range p.groups {
		if s, l := p.in.taken[g], &levels[i]; s.forms+forms > l.forms || s.bytes+bytes > l.bytes {
			return p.in.left, &problem.Fault{Kind: l.kind, Detail: l.full.With(), Retry: 10}
		}
	}
	p.change(forms, bytes)
	return nil, nil
}

// change adds forms and bytes, which may be negative. The caller holds the mutex of the intake.
func (p *place) change(forms int, bytes int64) {
	p.held += bytes
	for _, g := range p.groups {
		s := p.in.taken[g]
		if s.forms, s.bytes = s.forms+forms, s.bytes+bytes; s == (share{}) {
			delete(p.in.taken, g)
		} else {
			p.in.taken[g] = s
		}
	}
}

// hold counts n more bytes that the form takes in memory. It returns an error if they are too many.
func (p *place) hold(n int64) error {
	_, err := p.add(0, n)
	return err
}

// free counts n bytes as no longer held.
func (p *place) free(n int64) {
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	p.change(0, -n)
}

// leave frees the place and the memory of a form.
func (p *place) leave() {
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	p.change(-1, -p.held)
	close(p.in.left)
	p.in.left = make(chan struct{})
}

// turn waits until a received form may be answered, at most for wait. The caller must call give after
// the answer.
func (p *place) turn(ctx context.Context, wait time.Duration) error {
	patience := time.NewTimer(wait)
	defer patience.Stop()
	select {
	case p.in.turns <- struct{}{}:
		p.turned = true
		return nil
	case <-patience.C:
		return &problem.Fault{Kind: problem.Busy, Detail: listsAtOnce.With(mostLists), Retry: 10}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// give gives the turn of a form back if it has one.
func (p *place) give() {
	if p.turned {
		p.turned = false
		<-p.in.turns
	}
}

// form receives a form, waits until it may be answered, and calls answer. It refuses a form of more
// than most bytes.
func (in *intake) form(w http.ResponseWriter, v *visit, most int64, answer func(context.Context, http.ResponseWriter, *received) error) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Connection", "close")
	w.Header().Set("X-Accel-Buffering", "no") // makes nginx send each row of the answer at once
	if site, ok := v.FromElsewhere(v.r); ok {
		return v.refuse(problem.New(problem.ForeignForm, formForeign.With(problem.Quote(site))))
	}
	if v.r.ContentLength > most {
		return v.refuse(problem.New(problem.BadParameter, listBytes.With(megabytes(v.r.ContentLength), megabytes(most))))
	}
	f := &received{v: v, left: v.r.ContentLength, pace: pace{beginWait, time.Now().Add(patience)}}
	err := in.receive(w, f, answer)
	if f.left > 0 {
		f.pieces = nil
		return v.refuse(err)
	}
	return err
}

// receive receives a form and answers it. The form takes a place when its first byte has come, and
// memory as its bytes come.
func (in *intake) receive(w http.ResponseWriter, f *received, answer func(context.Context, http.ResponseWriter, *received) error) error {
	v := f.v
	if err := f.read(1); err != nil {
		return err
	}
	var err error
	if f.place, err = in.enter(v.ctx, v.Network().Addr(), v.r.ContentLength-f.left); err != nil {
		return err
	}
	defer f.leave()
	for f.pace.spare = grace; f.left > 0; {
		n := min(f.left, piece)
		if err := f.hold(n); err != nil {
			return err
		}
		if err := f.read(n); err != nil {
			return err
		}
		rest(n)
	}
	end := time.Now().Add(turnWait + patience)
	if err := errors.Join(v.ReadUntil(end), v.WriteUntil(end)); err != nil {
		return err
	}
	if err := f.turn(v.ctx, turnWait); err != nil {
		return err
	}
	defer f.give()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	return answer(ctx, &pacedWriter{ResponseWriter: w, v: v, place: f.place, pace: pace{grace, time.Now().Add(patience)}}, f)
}

// refuse reads the form and discards it, because a browser shows an answer only after it has sent
// the whole form, or, as Chromium does, when the connection ends meanwhile. It stops when less than a
// part arrives in half a second, and after refusedWait. It always returns reason.
func (v *visit) refuse(reason error) error {
	const part, refusedWait = 32 << 10, 1500 * time.Millisecond
	for end := time.Now().Add(refusedWait); time.Now().Before(end); {
		if v.ReadUntil(time.Now().Add(time.Second/2)) != nil {
			break // the client has closed the connection
		}
		if _, err := io.CopyN(io.Discard, v.r.Body, part); err != nil {
			break // the form is complete, or the worst result is that the client does not see the answer
		}
		rest(part)
	}
	return reason
}

// rest waits for as long as n bytes of a form take at the fastest rate.
func rest(n int64) { time.Sleep(time.Duration(n) * time.Second / fastest) }

// piece is the number of bytes for which a form takes memory at a time.
const piece = 64 << 10

// received is a form, or the part of it that has come.
type received struct {
	*place
	v      *visit
	left   int64 // number of bytes that have not come yet
	pace   pace
	pieces net.Buffers // bytes that have come and were not yet read
}

// Read reads the form and frees the memory of what it has read.
func (f *received) Read(p []byte) (int, error) {
	n, err := f.pieces.Read(p)
	f.free(int64(n))
	return n, err
}

// read receives the next n bytes of the form, or none if all have come.
func (f *received) read(n int64) error {
	b := make([]byte, min(n, f.left))
	f.pieces = append(f.pieces, b)
	for len(b) > 0 {
		began := time.Now()
		if err := f.v.ReadUntil(f.pace.until(began, 0)); err != nil {
			return err
		}
		n, err := f.v.r.Body.Read(b)
		f.pace.moved(n, time.Since(began))
		b = b[n:]
		f.left -= int64(n)
		switch {
		case len(b) == 0:
			// All bytes have arrived, so an error does not matter.
		case errors.Is(err, os.ErrDeadlineExceeded):
			// The deadline for writing the answer was set when the request began. It may have
			// passed, so it is set again.
			return errors.Join(f.v.WriteUntil(time.Now().Add(grace)), problem.New(problem.BodySlow, formSlow.With(slowest>>10)))
		case err != nil: // the client has closed the connection
			return errors.Join(context.Canceled, err)
		}
	}
	return nil
}

// pace limits how slowly a client may send or read. A client has pause time, at most grace. While
// it transfers fewer than slowest bytes per second, it uses up pause time. While it transfers more,
// it gains pause time.
type pace struct {
	spare time.Duration // pause time that the client has left
	end   time.Time     // time by which the whole transfer must end
}

// until returns the time by which the next n bytes must be transferred. If n is 0, it returns the
// time by which the next byte must come.
func (p *pace) until(now time.Time, n int) time.Time {
	due := now.Add(p.spare + allowed(n))
	if due.After(p.end) {
		return p.end
	}
	return due
}

// moved adjusts the pause time after a transfer of n bytes that took took.
func (p *pace) moved(n int, took time.Duration) {
	p.spare = min(grace, p.spare+allowed(n)-took)
}

// allowed returns how long a transfer of n bytes may take.
func allowed(n int) time.Duration { return time.Duration(n) * time.Second / slowest }

// pacedWriter sends an answer and fails if the client reads too slowly. While the client reads, other
// forms may have the turn of this one.
type pacedWriter struct {
	http.ResponseWriter
	v     *visit
	place *place
	pace  pace
}

// Write sends b, and fails if the client reads too slowly.
func (w *pacedWriter) Write(b []byte) (n int, err error) {
	err = w.timed(len(b), func() error {
		n, err = w.ResponseWriter.Write(b)
		return err
	})
	return n, err
}

// FlushError sends the buffered bytes, and fails if the client reads too slowly.
func (w *pacedWriter) FlushError() error {
	return w.timed(0, http.NewResponseController(w.ResponseWriter).Flush)
}

// Unwrap returns the wrapped writer, for [http.ResponseController].
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *pacedWriter) timed(bytes int, send func() error) error {
	began := time.Now()
	if err := w.v.WriteUntil(w.pace.until(began, bytes)); err != nil {
		return err
	}
	w.place.give()
	err := send()
	w.pace.moved(bytes, time.Since(began))
	if err != nil {
		return err
	}
	return w.place.turn(w.v.ctx, patience)
}

// megabytes returns a number of bytes as text, in megabytes of 1,048,576 bytes.
func megabytes(bytes int64) string {
	return strconv.FormatFloat(math.Ceil(float64(bytes)/(1<<20)*10)/10, 'f', -1, 64) + "\u00a0MB"
}
