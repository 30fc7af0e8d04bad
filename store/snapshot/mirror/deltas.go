package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"bencao/store/snapshot"
)

const (
	// mostOlds is the number of local snapshots from which deltas are tried for a file.
	mostOlds = 2
	// mostFailures is the number of failed deltas after which no more are requested.
	mostFailures = 5
)

// FailedDelta describes a delta that failed, so that its file was fetched whole.
type FailedDelta struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// deltas records what a run knows about the publisher's deltas. Deltas from a local snapshot exist
// for all of its large files or for none. So after one missing delta, no more are requested from
// that snapshot.
type deltas struct {
	mu       sync.Mutex // guards the fields below
	from     map[string]*source
	received int64 // bytes of deltas received, including failed ones
	made     int64 // size of the files made by deltas
	failed   []FailedDelta
}

// source records whether the publisher has deltas from one local snapshot.
type source struct {
	mu          sync.Mutex // held during the first request
	known, none bool
}

// ask calls get, which requests a delta from the snapshot. It returns errNone instead once the
// publisher is known to have no such deltas. Until the first answer is known, further calls wait. A
// canceled request does not count as an answer.
func (s *source) ask(ctx context.Context, get func() error) error {
	s.mu.Lock()
	if s.known {
		none := s.none
		s.mu.Unlock()
		if none {
			return errNone
		}
		return get()
	}
	defer s.mu.Unlock()
	err := get()
	if ctx.Err() == nil {
		s.known, s.none = true, errors.Is(err, errNone)
	}
	return err
}

func (d *deltas) of(snapshot string) *source {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.from[snapshot] == nil {
		d.from[snapshot] = &source{}
	}
	return d.from[snapshot]
}

// hopeless reports whether too many deltas have failed to try more.
func (d *deltas) hopeless() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.failed) >= mostFailures
}

// errNone is returned if the publisher has no delta for a file.
var errNone = errors.New("the publisher has no delta")

// byDelta makes a file by applying a delta to a local file, and reports whether that succeeded. If
// not, the file is fetched whole, and the report has the reason.
func (p *pull) byDelta(ctx context.Context, c *snapshot.Copy, f snapshot.File) (bool, error) {
	for _, old := range c.Olds(f, mostOlds) {
		if p.deltas.hopeless() {
			break
		}
		received, err := p.delta(ctx, c, f, old)
		if err == nil {
			err = c.Make(ctx, f, old)
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		p.deltas.tell(f, received, err)
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, errNone) {
			p.opt.Log.Warn("a delta failed, so the whole file is fetched", "file", f.Path, "error", err)
			return false, nil
		}
	}
	return false, nil
}

// tell records the result of a delta in d.
func (d *deltas) tell(f snapshot.File, received int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.received += received
	switch {
	case err == nil:
		d.made += f.Bytes
	case !errors.Is(err, errNone):
		d.failed = append(d.failed, FailedDelta{f.Path, err.Error()})
	}
}

// countDeltas adds the bytes that deltas have saved to the report.
func (p *pull) countDeltas() {
	d := p.deltas
	p.report.Fetched += d.received - d.made
	p.report.Deltas, p.report.Made, p.report.FailedDeltas = d.received, d.made, d.failed
}

// delta fetches and applies a delta, and returns the number of bytes received.
func (p *pull) delta(ctx context.Context, c *snapshot.Copy, f snapshot.File, old snapshot.Old) (received int64, err error) {
	err = p.deltas.of(old.Snapshot).ask(ctx, func() error {
		out, err := c.DeltaPart(f)
		if err != nil {
			return err
		}
		d := &download{pull: p, path: snapshot.DeltaPath(f.SHA256, old.File.SHA256), out: out, limit: snapshot.LargestDelta(f)}
		err = errors.Join(d.all(ctx), out.Close())
		received = d.received
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name())) // free the space for the whole file
		}
		return err
	})
	if err == nil && received == 0 {
		err = errNone // an empty delta means that a real one would save too little
	}
	return received, err
}

// download is a delta that is being fetched.
type download struct {
	pull     *pull
	path     string
	out      *os.File
	limit    int64
	have     int64
	received int64
}

// all fetches a delta. It makes two attempts, and another one after each attempt that brings
// resetProgress bytes. If it fails, the whole file is fetched instead.
func (d *download) all(ctx context.Context) error {
	tries := d.pull.remote.attempts(min(1, d.pull.opt.Retries))
	for {
		err := d.part(ctx)
		if err == nil {
			return nil
		}
		var status *statusError
		if errors.As(err, &status) && !status.retryable() {
			return fmt.Errorf("%w: %w", errNone, err)
		}
		if err := tries.again(ctx, d.have, err); err != nil {
			return err
		}
	}
}

// part makes one attempt. It continues where the previous attempt ended.
func (d *download) part(ctx context.Context) (err error) {
	resp, err := d.pull.remote.get(ctx, d.path, d.have)
	if err != nil {
		var status *statusError
		if errors.As(err, &status) && status.code == http.StatusRequestedRangeNotSatisfiable {
			d.have = 0
		}
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.StatusCode == http.StatusOK {
		d.have = 0
	} else if _, err := resp.goesOn(d.have); err != nil {
		return err
	}
	if resp.ContentLength > d.limit-d.have {
		return fmt.Errorf("%s has %d bytes: %w of %d", resp.url, d.have+resp.ContentLength, errLimit, d.limit)
	}
	if err := d.out.Truncate(d.have); err != nil {
		return err
	}
	n, err := io.Copy(io.NewOffsetWriter(d.out, d.have), &limited{resp, d.limit - d.have})
	d.have, d.received = d.have+n, d.received+n
	return err
}

// limited is a body that returns an error after a number of bytes.
type limited struct {
	from *response
	left int64
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.from.Read(b)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("%s is too large to be worth fetching: %w", l.from.url, errLimit)
	}
	return n, err
}
