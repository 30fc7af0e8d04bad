package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bencao/store/snapshot"
)

const (
	maxRedirects = 5        // per request
	maxHeader    = 64 << 10 // maximum size of a response's headers in bytes
	slowest      = 1 << 10  // minimum rate of a connection in bytes per second
	slowestRun   = 10_000   // minimum rate of all connections together in bytes per second
)

// remote is a publisher's data directory.
type remote struct {
	base   *url.URL
	client *http.Client
	opt    Options
	open   atomic.Int64 // open requests
	got    atomic.Int64 // bytes read
}

// CheckURL returns an error if the address of a publisher is not valid.
func CheckURL(from string) error {
	_, err := parseURL(from)
	return err
}

func parseURL(from string) (*url.URL, error) {
	u, err := url.Parse(from)
	if err != nil {
		return nil, fmt.Errorf("the publisher's address is invalid: %w", err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the publisher's address is %q; write one such as https://plants.example/bencao", u.Redacted())
	case u.User != nil:
		return nil, fmt.Errorf("the publisher's address %s has a password, which every process list shows; let the publisher serve without a password and sign its snapshots", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the publisher's address %s has a query or a fragment; give the address of the folder that contains CURRENT", u.Redacted())
	}
	return u, nil
}

func newRemote(from string, opt Options) (*remote, error) {
	base, err := parseURL(from)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: opt.Stall}
	return &remote{base: base, opt: opt, client: &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    opt.Stall,
			ResponseHeaderTimeout:  opt.Stall,
			MaxResponseHeaderBytes: maxHeader,
			MaxIdleConnsPerHost:    fetchers,
			// Checksums and ranges refer to the uncompressed files.
			DisableCompression: true,
			ForceAttemptHTTP2:  true,
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			switch {
			case len(via) > maxRedirects:
				return fmt.Errorf("more than %d redirects", maxRedirects)
			case via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https":
				return fmt.Errorf("redirect from https to %s", req.URL.Redacted())
			case req.URL.Scheme != "https" && req.URL.Scheme != "http":
				return fmt.Errorf("redirect to %s", req.URL.Redacted())
			}
			return nil
		},
	}}, nil
}

// hurry ends the run if all requests together receive fewer than slowestRun bytes per second during
// [Options.Slow]. A tenth of this period in which no request is open, such as while local files are
// read, does not count.
func (r *remote) hurry(ctx context.Context, end context.CancelCauseFunc) {
	const parts = 10
	tick := time.NewTicker(r.opt.Slow / parts)
	defer tick.Stop()
	for waited, before := 0, int64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if r.open.Load() == 0 {
			continue
		}
		if waited++; waited < parts {
			continue
		}
		now := r.got.Load()
		if now-before < int64(slowestRun*r.opt.Slow.Seconds()) {
			end(fmt.Errorf("%s: %w: %d bytes in %s; the next pull goes on with what has arrived", r.base, ErrSlow, now-before, r.opt.Slow))
			return
		}
		waited, before = 0, now
	}
}

func (r *remote) close() { r.client.CloseIdleConnections() }

// current reads the publisher's CURRENT. The modification time of the file is the time when the
// publisher made the snapshot current.
func (r *remote) current(ctx context.Context) (c choice, err error) {
	b, header, err := r.smallWith(ctx, snapshot.CurrentName, snapshot.MaxPointer)
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("%w; the address must be that of a data directory that \"bencao index\" has filled", err)
	}
	if err != nil {
		return c, err
	}
	if c.Pointer, err = snapshot.ParsePointer(b); err != nil {
		return c, fmt.Errorf("%s: %w", r.base.JoinPath(snapshot.CurrentName), err)
	}
	if at, err := http.ParseTime(header.Get("Last-Modified")); err == nil {
		c.chosen = at
	}
	return c, nil
}

// checked reads the publisher's CHECKED.
func (r *remote) checked(ctx context.Context) (snapshot.Checked, error) {
	b, err := r.small(ctx, snapshot.CheckedName, snapshot.MaxChecked)
	if err != nil {
		return snapshot.Checked{}, err
	}
	return snapshot.ParseChecked(b)
}

func (r *remote) manifest(ctx context.Context, id string) ([]byte, error) {
	return r.small(ctx, snapshot.FilePath(id, snapshot.ManifestName), snapshot.MaxManifest)
}

// small reads a file of at most limit bytes.
func (r *remote) small(ctx context.Context, path string, limit int64) ([]byte, error) {
	b, _, err := r.smallWith(ctx, path, limit)
	return b, err
}

// smallWith is like small and also returns the headers of the response.
func (r *remote) smallWith(ctx context.Context, path string, limit int64) ([]byte, http.Header, error) {
	tries := r.attempts(r.opt.Retries)
	for {
		b, header, err := r.attempt(ctx, path, limit)
		if err == nil {
			return b, header, nil
		}
		if err := tries.again(ctx, 0, err); err != nil {
			return nil, nil, err
		}
	}
}

func (r *remote) attempt(ctx context.Context, path string, limit int64) (b []byte, _ http.Header, err error) {
	resp, err := r.get(ctx, path, 0)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.ContentLength > limit {
		return nil, nil, fmt.Errorf("%s has %d bytes: %w of %d", resp.url, resp.ContentLength, errLimit, limit)
	}
	b, err = io.ReadAll(io.LimitReader(resp, limit+1))
	if err != nil {
		return nil, nil, err
	}
	if int64(len(b)) > limit {
		return nil, nil, fmt.Errorf("%s has more than %d bytes: %w", resp.url, limit, errLimit)
	}
	return b, resp.Header, nil
}

// response is a response whose request is canceled if the body stalls.
type response struct {
	*http.Response
	url string
}

// Read reads the body. Errors are [*netError].
func (r *response) Read(b []byte) (int, error) {
	n, err := r.Body.Read(b)
	if err != nil && err != io.EOF {
		err = &netError{r.url, err}
	}
	return n, err
}

// get requests a file from an offset on. It returns a [*statusError] for a status other than 200
// and 206.
func (r *remote) get(ctx context.Context, path string, offset int64) (*response, error) {
	address := r.base.JoinPath((&url.URL{Path: path}).EscapedPath()).String()
	ctx, watch := r.watched(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		watch.end()
		return nil, err
	}
	req.Header.Set("User-Agent", "bencao-pull")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("Cache-Control", "no-cache")
	if offset > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	resp, err := r.client.Do(req)
	if err != nil {
		watch.end()
		var asked *url.Error
		if errors.As(err, &asked) {
			err = asked.Err
		}
		return nil, &netError{address, watch.cause(err)}
	}
	watch.body = resp.Body
	resp.Body = watch
	switch {
	case resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusPartialContent:
		err = &statusError{address, resp.StatusCode, resp.Status, resp.Header.Get("Content-Type") == problemJSON}
	case resp.Header.Get("Content-Encoding") != "" && !strings.EqualFold(resp.Header.Get("Content-Encoding"), "identity"):
		err = fmt.Errorf("%s: the server sent the file with Content-Encoding %q, although the request refused that", address, resp.Header.Get("Content-Encoding"))
	default:
		return &response{resp, address}, nil
	}
	return nil, errors.Join(err, resp.Body.Close())
}

// watch is the body of a response. It cancels the request if too few bytes arrive per second.
type watch struct {
	remote *remote
	ended  sync.Once
	body   io.ReadCloser
	ctx    context.Context
	got    atomic.Int64 // bytes read
	cancel context.CancelCauseFunc
}

// watched returns a context for a request, and the watch that cancels this context if the request
// stalls.
func (r *remote) watched(ctx context.Context) (context.Context, *watch) {
	stall := r.opt.Stall
	w := &watch{remote: r}
	r.open.Add(1)
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(stall)
		defer tick.Stop()
		for before := int64(0); ; {
			select {
			case <-w.ctx.Done():
				return
			case <-tick.C:
			}
			now := w.got.Load()
			if now-before < int64(slowest*stall.Seconds()) {
				w.cancel(fmt.Errorf("%d bytes in %s: the server has stalled", now-before, stall))
				return
			}
			before = now
		}
	}()
	return w.ctx, w
}

func (w *watch) Read(b []byte) (int, error) {
	n, err := w.body.Read(b)
	w.got.Add(int64(n))
	w.remote.got.Add(int64(n))
	if err != nil && err != io.EOF {
		err = w.cause(err)
	}
	return n, err
}

// Close ends the request.
func (w *watch) Close() error {
	w.end()
	return w.body.Close()
}

func (w *watch) end() {
	w.cancel(nil)
	w.ended.Do(func() { w.remote.open.Add(-1) })
}

// cause returns the reason if the watch has canceled the request, and err otherwise.
func (w *watch) cause(err error) error {
	if errors.Is(err, context.Canceled) && w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	return err
}
