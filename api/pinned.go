package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"bencao/api/problem"
	"bencao/store/snapshot"

	"github.com/gin-gonic/gin"
)

// versionWait is the value of Retry-After, in seconds, in answers to requests for a version that is
// newer than the current one and may soon arrive.
const versionWait = 5

// openingCost is the number of requests that opening an earlier version counts as. openingWait is
// how long a request waits until its version may be opened.
const (
	openingCost = 20
	openingWait = 15 * time.Second
)

// VersionParam is the parameter of pages that names a version of the data, as [versionHeader] does
// for the API.
const VersionParam = "version"

// Earlier gives access to the earlier versions of the data that the operator has pinned.
type Earlier interface {
	// IDs returns the versions that Open can open, newest first.
	IDs() []string
	// Open opens one of them. It may take seconds.
	Open(ctx context.Context, id string) (*Backend, error)
}

// noneEarlier is an [Earlier] without versions.
type noneEarlier struct{}

func (noneEarlier) IDs() []string { return nil }

func (noneEarlier) Open(context.Context, string) (*Backend, error) { return nil, snapshot.ErrNoneKept }

// askedVersion returns the version that a request names, by the header for the API and by the
// parameter for pages. named is false if it names none.
func askedVersion(r *http.Request) (id string, named bool) {
	if strings.HasPrefix(r.URL.Path, prefix+"/") {
		asked := r.Header[versionHeader]
		return strings.Join(asked, ", "), asked != nil
	}
	if !strings.Contains(r.URL.RawQuery, VersionParam+"=") {
		return "", false
	}
	// The pages report a malformed query; what can be read of it is enough here.
	query, _ := url.ParseQuery(r.URL.RawQuery)
	return query.Get(VersionParam), query.Get(VersionParam) != ""
}

// dataFor returns the snapshot for a request: the version that the request asks for, or the current
// one. If the requested version is not open, unavailable is the reason and b is the current snapshot.
func (s *Server) dataFor(r *http.Request) (b *Backend, release func(), unavailable *problem.Fault) {
	id, named := askedVersion(r)
	if !named {
		b, release = s.live.Acquire()
		return b, release, nil
	}
	if b, release, ok := s.acquire(id); ok {
		return b, release, nil
	}
	b, release = s.live.Acquire()
	current := b.meta.ID
	switch {
	case !snapshot.ValidID(id):
		unavailable = problem.New(problem.BadParameter, problem.VersionForm.With(problem.Quote(id)))
	case id > current && !snapshot.FromFuture(id, time.Now()) && !s.opt.Withdrawn(id):
		unavailable = problem.New(problem.VersionAhead, problem.VersionNotHere.With(id, current, versionWait))
		unavailable.Retry = versionWait
	default:
		unavailable = problem.New(problem.VersionGone, problem.VersionOver.With(id, current))
	}
	return b, release, unavailable
}

// acquire returns the snapshot with this id if it is open.
func (s *Server) acquire(id string) (b *Backend, release func(), ok bool) {
	return s.live.AcquireThat(func(b *Backend) bool { return b.meta.ID == id })
}

// pinned refuses a request for a version that is not available, unless that version is pinned and
// can be opened. Such a request is never answered from another version. Only admitted requests come
// here, so clients without rights learn nothing about versions.
func (s *Server) pinned(c *gin.Context) {
	call := callOf(c.Request.Context())
	if call.unavailable == nil {
		return
	}
	if err := s.openPinned(c, call); err != nil {
		s.fail(c, err)
	}
}

// openPinned makes the call answer from the pinned version that the request asks for.
func (s *Server) openPinned(c *gin.Context, call *call) error {
	id, _ := askedVersion(c.Request)
	if !slices.Contains(s.opt.Earlier.IDs(), id) {
		return call.unavailable
	}
	b, release, err := s.opened(c, call, id)
	if errors.Is(err, snapshot.ErrNoneKept) {
		return call.unavailable
	}
	if err != nil {
		return err
	}
	before := call.release
	call.backend, call.release, call.unavailable = b, release, nil
	before()
	s.describe(call)
	if err := b.lacks(s.byPath[c.FullPath()]); err != nil {
		return refusal(c, call.admission, err)
	}
	return nil
}

// opened returns the snapshot with this id. It opens the snapshot if necessary, or waits until
// another request has opened it.
func (s *Server) opened(c *gin.Context, call *call, id string) (b *Backend, release func(), err error) {
	ctx := c.Request.Context()
	for {
		if b, release, ok := s.acquire(id); ok {
			return b, release, nil
		}
		running, first := s.openings.begin(id)
		if first {
			defer func() { s.openings.end(id, running) }()
			// A request that may not open the snapshot leaves that to the next one.
			if err := s.pay(c, call, openingCost); err != nil {
				return nil, nil, err
			}
			b, release, err = s.open(ctx, call, id)
			if !errors.Is(err, context.Canceled) {
				running.err = err
			}
			return b, release, err
		}
		select {
		case <-running.done:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		if running.err != nil {
			return nil, nil, running.err
		}
	}
}

// open opens a pinned snapshot. One snapshot is opened at a time, and clients take turns. The
// opening itself goes on even if the client leaves, since others may wait for it.
func (s *Server) open(ctx context.Context, call *call, id string) (*Backend, func(), error) {
	turn := turn{of: s.openings.turns, who: call.admission.Counted}
	if err := turn.begin(ctx, openingWait); err != nil {
		return nil, nil, err
	}
	defer turn.pause()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), openingWait)
	defer cancel()
	b, release, err := s.live.Open(limited, func() (*Backend, error) { return s.opt.Earlier.Open(limited, id) })
	switch {
	case err == nil:
		s.opt.Log.Info("pinned snapshot opened", "snapshot", id)
	case errors.Is(err, context.DeadlineExceeded): // requests for another version hold its snapshot
		return nil, nil, &problem.Fault{Kind: problem.Busy, Detail: problem.TurnsTaken.With(), Retry: 1}
	case !errors.Is(err, snapshot.ErrNoneKept):
		s.opt.Log.Error("pinned snapshot not opened", "snapshot", id, "error", err)
		current, release := s.live.Acquire()
		defer release()
		err = problem.New(problem.VersionGone, problem.VersionUnreadable.With(id, current.meta.ID))
	}
	return b, release, err
}

// openings lets the requests for one version wait together while it is opened.
type openings struct {
	turns *turns // one

	mu sync.Mutex // guards at
	at map[string]*opening
}

// opening is a snapshot that is being opened. err is valid once done is closed. It is nil if the
// snapshot is open, or if another request should open it.
type opening struct {
	done chan struct{}
	err  error
}

// begin returns the opening of the snapshot with this id. If first is true, the caller must open the
// snapshot and call end.
func (o *openings) begin(id string) (running *opening, first bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.at[id] == nil {
		o.at[id], first = &opening{done: make(chan struct{})}, true
	}
	return o.at[id], first
}

// end lets the requests go on that wait for an opening.
func (o *openings) end(id string, running *opening) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.at, id)
	close(running.done)
}

// versions returns the versions that requests may name: the current one first, then the newest.
func (s *Server) versions() []string {
	var all []string
	s.live.List(func(b *Backend) { all = append(all, b.meta.ID) })
	current := all[0]
	if s.live.Keeps() {
		all = append(all, s.opt.Earlier.IDs()...)
	}
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(id string) bool { return id == current })
	slices.Reverse(all)
	return slices.Insert(all, 0, current)
}
