package api

import (
	"cmp"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"bencao/api/access"
	"bencao/api/keyuse"
	"bencao/api/logging"
	"bencao/store/snapshot"

	"github.com/prometheus/client_golang/prometheus"
)

// Options tunes a [Server]. The zero value is ready for use.
type Options struct {
	// Log gets one line per request, and errors. Nil means [slog.Default].
	Log *slog.Logger
	// Version is the version of the program. It is part of every ETag.
	Version string
	// License and CiteAs are the addresses of the licence and of the page on how to cite. Every
	// answer links to them. Empty means the page /about of the snapshot's site.
	License, CiteAs string
	// Contact is the operator's mail address or the address of a web page, shown on the pages.
	// Empty means none.
	Contact string
	// NamesPerRequest is the number of names that count as one request in names.matches. Zero means
	// 10.
	NamesPerRequest int
	// Collectors are further metrics for /metrics.
	Collectors []prometheus.Collector
	// Timeout limits the time that the handler of a request may take. Zero means 2 s.
	Timeout time.Duration
	// Connections limits the number of open connections. A further connection replaces the one that
	// has been idle longest. If none is idle, it waits. One address may have a quarter of the
	// connections: a further one replaces the address's own, and is closed if none is idle. Zero
	// means 4096.
	Connections int
	// Health is the state of the snapshot and the access file, for /readyz and the metrics. Nil
	// means that neither has a problem.
	Health *Health
	// Age returns the time since a snapshot was built or last confirmed by a nightly build. id is
	// the id of the snapshot, and built is the time when it was built. If Age is nil, the time
	// since built counts.
	Age func(id string, built time.Time) time.Duration
	// MaxAge is the age from which a snapshot is stale. Zero means never.
	MaxAge time.Duration
	// StaleReason returns the error of the last build, or of the last pull of a mirror, if it left
	// an old snapshot in place. Otherwise it returns nil. A nil func means that there is no such
	// error.
	StaleReason func() error
	// Earlier gives the pinned versions of the data. Nil means that there are none.
	Earlier Earlier
	// Withdrawn reports whether the publisher has withdrawn the snapshot with this id by a
	// rollback. The server asks only for snapshots newer than the current one. A nil func means
	// that none is withdrawn.
	Withdrawn func(id string) bool
	// Drain is the maximum time that a shutdown waits for requests in progress. After that time it
	// closes the connections of these requests. Zero means 5 s.
	Drain time.Duration
	// Delay is how long the server continues to answer after a shutdown begins. During this time
	// /readyz reports that it is not ready.
	Delay time.Duration
	// Pages serves the web pages. Nil means that there are none.
	Pages Pages
	// PagesKey is the id of the key whose networks, scopes and rate apply to the web pages. If it
	// is empty, the pages show no data and need no key.
	PagesKey string
	// LogDropped returns the number of dropped log lines, for the metrics. Nil means none.
	LogDropped func() int64
	// KeyUse remembers the use of each key. Nil means that nothing does.
	KeyUse *keyuse.Counter
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Age == nil {
		o.Age = func(_ string, built time.Time) time.Duration { return time.Since(built) }
	}
	if o.StaleReason == nil {
		o.StaleReason = func() error { return nil }
	}
	if o.Withdrawn == nil {
		o.Withdrawn = func(string) bool { return false }
	}
	if o.Earlier == nil {
		o.Earlier = noneEarlier{}
	}
	if o.NamesPerRequest <= 0 {
		o.NamesPerRequest = 10
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Second
	}
	if o.Connections <= 0 {
		o.Connections = 4096
	}
	if o.Health == nil {
		o.Health = new(Health)
	}
	if o.Drain <= 0 {
		o.Drain = 5 * time.Second
	}
	if o.LogDropped == nil {
		o.LogDropped = func() int64 { return 0 }
	}
	return o
}

// Server answers requests from the current snapshot. It does not close the arguments of [New]. Its
// methods may be called from many goroutines.
type Server struct {
	opt      Options
	live     *snapshot.Live[*Backend]
	gate     *access.Gate
	byPath   map[string]*route // routes by their paths in gin's form
	byOp     map[string]*route
	pages    map[string]PageRoute // pages by their paths in gin's form
	handler  http.Handler         // compresses answers and calls gin
	metrics  *metrics
	refusals *logging.Refusals
	openings *openings
	ending   atomic.Bool // a shutdown has begun
}

// termsOf returns the configured terms, or else those of the snapshot's site.
func (o *Options) termsOf(b *Backend) terms {
	if o.License == "" && o.CiteAs == "" {
		return b.terms
	}
	return newTerms(cmp.Or(o.License, b.terms.license), cmp.Or(o.CiteAs, b.terms.citeAs))
}
