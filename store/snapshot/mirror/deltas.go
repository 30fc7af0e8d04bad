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
	// mostOlds is the maximum number of local snapshots from which deltas are tried for a file.
	mostOlds = 2
	// mostFailures is the number of failed deltas after which a run requests no more deltas.
	mostFailures = 5
)

// FailedDelta describes a delta that failed. Its whole file was fetched instead.
type FailedDelta struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// deltas is the state of the deltas of a run. A publisher makes deltas from an older snapshot for
// all large files or for none. So if one delta from a local snapshot is missing, the run requests
// no more deltas from that snapshot.
type deltas struct {
	mu       sync.Mutex         // guards the fields below
	from     map[string]*source // by id of the local snapshot
	received int64              // bytes of deltas received, including failed ones
	made     int64              // size of the files that were made by deltas
	failed   []FailedDelta
}

// source records whether the publisher has deltas from one local snapshot.
type source struct {
	mu    sync.Mutex // held during the first request
	known bool       // whether the first request has been answered
	none  bool       // whether the publisher has no deltas
}

// ask calls get, which requests a delta from the local snapshot. If the publisher is known to have
// no deltas from that snapshot, ask returns errNone without calling get. Until the first request is
// answered, further calls wait. A canceled request does not count as answered.
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

// hopeless reports whether so many deltas have failed that the run requests no more.
func (d *deltas) hopeless() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.failed) >= mostFailures
}

// errNone is the error if the publisher has no delta for a file.
var errNone = errors.New("the publisher has no delta")

// byDelta makes a file by applying a delta to a local file, and reports whether that succeeded. If
// it did not, the caller must fetch the whole file. byDelta records a failed delta for the report.
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

// tell records the result of a delta for the file f.
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

// countDeltas adds the numbers of d to the report, which so far counts all missing bytes as
// fetched.
func (p *pull) countDeltas() {
	d := p.deltas
	p.report.Fetched += d.received - d.made
	p.report.Deltas, p.report.Made, p.report.FailedDeltas = d.received, d.made, d.failed
}

// delta fetches the delta that turns old into f, and returns the number of bytes received.
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
		err = errNone // the publisher stores an empty file if a delta would save too little
	}
	return received, err
}

// download is a delta that is being fetched.
type download struct {
	pull     *pull
	path     string
	out      *os.File
	limit    int64 // maximum size of the delta in bytes
	have     int64 // bytes in out
	received int64 // bytes received by all attempts
}

// all fetches a delta. It gives up after two failed attempts in a row. An attempt that brings
// resetProgress bytes starts the count again.
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

// part makes one attempt to fetch the delta. It continues where the previous attempt ended.
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

// limited is a body that returns an error if it has more than a number of bytes.
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
