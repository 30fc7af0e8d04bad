package explorer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"time"

	"bencao/api/problem"
	"bencao/internal/messages"
)

// Limits for all forms together that are being received or answered.
const (
	// mostForms is the largest number of forms that are being received, waiting or being answered.
	// mostHeld is the largest number of bytes that these forms together take in memory.
	mostForms, mostHeld = 64, 48 << 20
	// mostLists is the number of forms that are answered at the same time.
	mostLists = 4
	// slowest is the lowest rate, in bytes per second, at which a client must send a form and read
	// the answer. grace is how long the client may pause.
	slowest, grace = 48 << 10, 5 * time.Second
	// formWait is how long a form waits for the end of another form of the same client. turnWait is
	// how long a received form waits until it may be answered.
	formWait, turnWait = time.Second, 10 * time.Second
)

// Errors about a form.
var (
	formForeign = messages.Define("form-foreign", "the form was sent by a page of another site, %v; use the form of this site")
	formSlow    = messages.Define("form-slow", "the form arrives too slowly; it must arrive with %v kB a second")
	formSecond  = messages.Define("form-second", "another form from your network is being answered; wait until it is done")
	formsAtOnce = messages.Define("forms-at-once", "too many forms are being sent just now")
	listsAtOnce = messages.Define("lists-at-once", "%v lists are being matched just now, and no more are allowed at a time")
)

// intake limits the number of forms and the bytes that they take in memory. It admits one form of
// each client at a time. It may be used from many goroutines.
type intake struct {
	turns chan struct{} // one token for each form that is being answered

	mu      sync.Mutex                     // guards the fields below
	clients map[netip.Prefix]chan struct{} // the channel of a client is closed when the client's form has ended
	held    int64                          // number of bytes that all forms take in memory
}

func newIntake() *intake {
	return &intake{turns: make(chan struct{}, mostLists), clients: map[netip.Prefix]chan struct{}{}}
}

// enter reserves a place for a form of size bytes. If another form of the same client has not
// ended, enter waits up to formWait for its end. If enter reserves no place, it returns the reason
// as an error. The caller must call leave after the answer.
func (in *intake) enter(ctx context.Context, client netip.Prefix, size int64) (leave func(), err error) {
	patience := time.NewTimer(formWait)
	defer patience.Stop()
	for {
		before, err := in.take(client, size)
		if err != nil {
			return nil, err
		}
		if before == nil {
			return func() { in.leave(client, size) }, nil
		}
		select {
		case <-before:
		case <-patience.C:
			return nil, &problem.Fault{Kind: problem.FormRunning, Detail: formSecond.With(), Retry: 10}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take reserves a place. If all places are taken, it returns an error. If another form of the
// client has not ended, take reserves nothing and returns a channel that is closed when that form
// ends.
func (in *intake) take(client netip.Prefix, size int64) (before chan struct{}, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if before := in.clients[client]; before != nil {
		return before, nil
	}
	if len(in.clients) >= mostForms || in.held+size > mostHeld {
		return nil, &problem.Fault{Kind: problem.Busy, Detail: formsAtOnce.With(), Retry: 10}
	}
	in.clients[client] = make(chan struct{})
	in.held += size
	return nil, nil
}

func (in *intake) leave(client netip.Prefix, size int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	close(in.clients[client])
	delete(in.clients, client)
	in.held -= size
}

// turn waits until a received form may be answered. The caller must call done after the answer.
func (in *intake) turn(ctx context.Context) (done func(), err error) {
	patience := time.NewTimer(turnWait)
	defer patience.Stop()
	select {
	case in.turns <- struct{}{}:
		return func() { <-in.turns }, nil
	case <-patience.C:
		return nil, &problem.Fault{Kind: problem.Busy, Detail: listsAtOnce.With(mostLists), Retry: 10}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// form receives a form, waits until it may be answered, and calls answer. It refuses a form of more
// than most bytes.
func (e *renderer) form(w http.ResponseWriter, v *visit, most int64, answer func(context.Context, http.ResponseWriter, io.Reader) error) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Connection", "close")
	w.Header().Set("X-Accel-Buffering", "no") // makes nginx send each row of the answer at once
	if site, ok := v.FromElsewhere(v.r); ok {
		return v.refuse(problem.New(problem.ForeignForm, formForeign.With(problem.Quote(site))))
	}
	if v.r.ContentLength > most {
		return v.refuse(problem.New(problem.BadParameter, listBytes.With(megabytes(v.r.ContentLength), megabytes(most))))
	}
	leave, err := e.intake.enter(v.ctx, v.Network(), v.r.ContentLength)
	if err != nil {
		return v.refuse(err)
	}
	defer leave()
	body, err := v.receive()
	if err != nil {
		return err
	}
	end := time.Now().Add(turnWait + patience)
	if err := errors.Join(v.ReadUntil(end), v.WriteUntil(end)); err != nil {
		return err
	}
	done, err := e.intake.turn(v.ctx)
	if err != nil {
		return err
	}
	defer done()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	return answer(ctx, &pacedWriter{ResponseWriter: w, v: v, pace: pace{grace, time.Now().Add(patience)}}, bytes.NewReader(body))
}

// refuse reads the form and discards it, because a browser shows an answer only after it has sent
// the whole form. It stops reading at the deadline of the request. It always returns reason.
func (v *visit) refuse(reason error) error {
	_, _ = io.Copy(io.Discard, v.r.Body) // if reading fails, the worst result is that the client does not see the answer
	return reason
}

// receive reads the whole form.
func (v *visit) receive() ([]byte, error) {
	body := make([]byte, v.r.ContentLength)
	p := pace{grace, time.Now().Add(patience)}
	for got := 0; got < len(body); {
		began := time.Now()
		if err := v.ReadUntil(p.until(began, 0)); err != nil {
			return nil, err
		}
		n, err := v.r.Body.Read(body[got:])
		p.moved(n, time.Since(began))
		got += n
		switch {
		case got == len(body):
			// All bytes have arrived, so an error does not matter.
		case errors.Is(err, os.ErrDeadlineExceeded):
			// The deadline for writing the answer was set when the request began. It may have
			// passed, so it is set again.
			return nil, errors.Join(v.WriteUntil(time.Now().Add(grace)), problem.New(problem.BodySlow, formSlow.With(slowest>>10)))
		case err != nil: // the client has closed the connection
			return nil, errors.Join(context.Canceled, err)
		}
	}
	return body, nil
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

// pacedWriter sends an answer and fails if the client reads too slowly.
type pacedWriter struct {
	http.ResponseWriter
	v    *visit
	pace pace
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
	err := send()
	w.pace.moved(bytes, time.Since(began))
	return err
}
