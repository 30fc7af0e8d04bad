package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"bencao/internal/system"
	"bencao/store/snapshot"

	"golang.org/x/sync/errgroup"
)

// fetchers is the number of files that are fetched at the same time.
const fetchers = 4

// limits returns an error if a snapshot is larger than allowed.
func (p *pull) limits(m snapshot.Manifest) error {
	if n := len(m.Files); n > p.opt.MaxFiles {
		return fmt.Errorf("snapshot %s has %d files: %w of %d", m.ID, n, errLimit, p.opt.MaxFiles)
	}
	sum := int64(0)
	for _, f := range m.Files {
		if sum += f.Bytes; sum < 0 || sum > p.opt.MaxBytes {
			return fmt.Errorf("snapshot %s has more than %d bytes: %w", m.ID, p.opt.MaxBytes, errLimit)
		}
	}
	return nil
}

// meter counts the bytes that are stored locally.
type meter struct {
	mu   sync.Mutex // guards the fields below and serialises calls of tell
	done int64
	tell func(done int64)
}

func (m *meter) add(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += n
	m.tell(m.done)
}

// files completes the copy: it links files of local snapshots, and fetches the others.
func (p *pull) files(ctx context.Context, c *snapshot.Copy) error {
	total := c.Manifest.Bytes()
	m := &meter{tell: func(done int64) { p.opt.Progress(done, total) }}
	var missing []snapshot.File
	need := int64(0)
	for _, f := range c.Manifest.Files {
		whole, err := c.Whole(ctx, f)
		if err != nil {
			return err
		}
		if whole {
			p.report.Resumed += f.Bytes
		} else if whole, err = c.Link(ctx, f); err != nil {
			return err
		} else if whole {
			p.report.Linked += f.Bytes
		}
		if whole {
			m.add(f.Bytes)
			continue
		}
		have, err := begun(c, f)
		if err != nil {
			return err
		}
		p.report.Resumed += have
		need += f.Bytes - have
		m.add(have)
		missing = append(missing, f)
	}
	if err := checkFree(p.writer.Dir(), c.Path(), need); err != nil {
		return err
	}
	p.report.Fetched = need
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(fetchers)
	for _, f := range missing {
		g.Go(func() error { return p.file(ctx, c, f, m) })
	}
	return g.Wait()
}

// begun returns the number of bytes of a file that an earlier run has fetched.
func begun(c *snapshot.Copy, f snapshot.File) (int64, error) {
	part, have, err := c.Part(f)
	if err != nil {
		return 0, err
	}
	return have, part.Close()
}

// checkFree returns an error if the disk has too little space for the copy.
func checkFree(data snapshot.Dir, dir string, need int64) error {
	left, err := system.RoomOf(dir)
	if err != nil {
		return nil // the free space is not known; a full disk causes an error later
	}
	if left.Free >= 0 && need > left.Free {
		return fmt.Errorf("the copy needs %d more bytes, %s has %d; %s", need, dir, left.Free, data.MakeRoom())
	}
	return nil
}

// file fetches one file, or the rest of it if an earlier run fetched a part. It makes attempts until
// one succeeds or no further attempt is allowed.
func (p *pull) file(ctx context.Context, c *snapshot.Copy, f snapshot.File, m *meter) error {
	tries, altered := p.remote.attempts(p.opt.Retries), false
	for {
		reached, err := p.part(ctx, c, f, m)
		if err == nil {
			whole, wholeErr := c.Whole(ctx, f)
			switch {
			case whole || wholeErr != nil:
				return wholeErr
			case altered:
				return &snapshot.Damage{ID: c.Manifest.ID, File: f.Path, Err: fmt.Errorf("is altered: %s sends other bytes than the manifest says", p.remote.base)}
			}
			// The part that an earlier run fetched may be damaged, so fetch the whole file once
			// more.
			altered, tries.best = true, 0
			m.add(-f.Bytes)
			continue
		}
		if err := tries.again(ctx, reached, err); err != nil {
			return err
		}
	}
}

// part makes one attempt to fetch a file and continues where the previous attempt ended. It returns
// the number of bytes of the file that are stored locally.
func (p *pull) part(ctx context.Context, c *snapshot.Copy, f snapshot.File, m *meter) (reached int64, err error) {
	out, have, err := c.Part(f)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if have == f.Bytes {
		return 0, nil // the file is empty
	}
	again := func() error {
		m.add(-have)
		have = 0
		return out.Truncate(0)
	}
	resp, err := p.remote.get(ctx, snapshot.FilePath(c.Manifest.ID, f.Path), have)
	var status *statusError
	if errors.As(err, &status) && status.code == http.StatusRequestedRangeNotSatisfiable {
		return 0, errors.Join(err, again())
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.StatusCode == http.StatusOK && have > 0 {
		if err := again(); err != nil { // the server does not support ranges and sends the whole file
			return 0, err
		}
	}
	if err := resp.fits(have, f.Bytes); err != nil {
		return 0, err
	}
	n, err := io.Copy(out, &counted{from: resp, left: f.Bytes - have, want: f.Bytes, meter: m})
	if err == nil && have+n < f.Bytes {
		err = &netError{resp.url, fmt.Errorf("ended after %d of %d bytes", have+n, f.Bytes)}
	}
	return have + n, err
}

// fits returns an error if the headers of a response do not match the request. have is the
// requested offset in the file, and want is the size of the file.
func (r *response) fits(have, want int64) error {
	if r.StatusCode == http.StatusPartialContent {
		total, err := r.goesOn(have)
		if err != nil {
			return err
		}
		if total != want {
			return &sizeError{r.url, total, want}
		}
	}
	if r.ContentLength >= 0 && have+r.ContentLength != want {
		return &sizeError{r.url, have + r.ContentLength, want}
	}
	return nil
}

// goesOn checks that the range in a response starts at have, the requested offset. It returns the
// size of the whole file.
func (r *response) goesOn(have int64) (total int64, err error) {
	var from, to int64
	_, err = fmt.Sscanf(r.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &total)
	if err != nil || from != have {
		return 0, fmt.Errorf("%s: asked for the bytes from %d on, the server sends %q", r.url, have, r.Header.Get("Content-Range"))
	}
	return total, nil
}

// counted is the body of a response with the rest of a file. Its Read returns an error if the body
// has more bytes than the file lacks.
type counted struct {
	from  *response
	left  int64 // bytes of the file that have not been read yet
	want  int64 // size of the file
	meter *meter
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	if int64(n) > c.left {
		return 0, &sizeError{c.from.url, c.want - c.left + int64(n), c.want} // the body may have even more bytes
	}
	c.left -= int64(n)
	c.meter.add(int64(n))
	return n, err
}
