package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"bencao/api/access"
	"bencao/api/usage"
	"bencao/api/wire"
	"bencao/store/snapshot"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Ready is what /readyz says.
type Ready struct {
	// Ready is false while the server shuts down.
	Ready bool `json:"ready"`
	// Snapshot is the id of the snapshot that answers.
	Snapshot string `json:"snapshot"`
	// Stale tells, for Reason, that a newer snapshot could not be taken or
	// built, or that none has come for too long. The server is ready all the
	// same: old answers are better than none.
	Stale  bool    `json:"stale"`
	Reason *string `json:"reason"`
	// AccessStale tells that what is in force is not what the access file
	// says, for AccessReason: it is invalid, or it may be half written.
	AccessStale  bool    `json:"accessStale"`
	AccessReason *string `json:"accessReason"`
}

// Admin answers what operators ask: /healthz, /readyz and /metrics. It asks
// for no key, so serve it where only they can reach it.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.healthz)
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.HandleFunc("GET /usage", s.usage)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelError),
		Registry: s.metrics.registry,
	}))
	return mux
}

// adminConnections is how many connections operators may have open.
const adminConnections = 256

// ServeAdmin answers operators on l until ctx ends and [Options.Delay] is
// over. It closes l.
func (s *Server) ServeAdmin(ctx context.Context, l net.Listener) error {
	w := wire.Listen(l, adminConnections, nil)
	return w.Serve(ctx, &http.Server{
		Handler:           s.Admin(),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes - slack,
		ErrorLog:          slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelWarn),
		ConnState:         w.State,
	}, wire.End{Delay: s.opt.Delay, Drain: s.opt.Drain, Cut: s.cut})
}

// Usage is the answer of /usage.
type Usage struct {
	// Unsaved is the reason why the counts are only in memory now, or nil.
	Unsaved *string `json:"unsaved"`
	// Keys are the counts of each key.
	Keys usage.Keys `json:"keys"`
}

// List adds the keys without a request.
func (u *Usage) List(ids []string) {
	for _, id := range ids {
		u.Keys[id] = u.Keys[id]
	}
}

// usage answers /usage.
func (s *Server) usage(w http.ResponseWriter, r *http.Request) {
	keys, err := s.opt.Usage.Keys()
	u := Usage{Unsaved: reason(err), Keys: keys}
	if keys == nil { // the file cannot be read
		u.Keys = usage.Keys{}
	}
	u.List(s.gate.Table().IDs())
	sendJSON(w, http.StatusOK, u, s.opt.Log)
}

// healthz tells that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	sendJSON(w, http.StatusOK, map[string]bool{"ok": true}, s.opt.Log)
}

// readyz tells whether requests should be sent here.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	backend, release := s.live.Acquire()
	defer release()
	now := s.opt.Health.now()
	stale := cmp.Or(now.stale, s.opt.late(s.opt.Age(backend.meta.ID, backend.meta.Built)), s.opt.Night())
	status := http.StatusOK
	if s.ending.Load() {
		status = http.StatusServiceUnavailable
	}
	sendJSON(w, status, Ready{
		Ready: status == http.StatusOK,
		// A snapshot answers before it is reported: what is said of it, or against
		// it, must be of the same moment as its name.
		Snapshot:     cmp.Or(now.serving, backend.meta.ID),
		Stale:        stale != nil,
		Reason:       reason(stale),
		AccessStale:  now.access != nil,
		AccessReason: reason(now.access),
	}, s.opt.Log)
}

// skew is how far the clock of another machine may be ahead.
const skew = 10 * time.Minute

// late says that a snapshot is older than the operator allows. One from a time
// to come would never grow old, so it is as bad.
func (o Options) late(age time.Duration) error {
	switch {
	case o.MaxAge == 0 || -skew <= age && age <= o.MaxAge:
		return nil
	case age < 0:
		return fmt.Errorf("the snapshot was last found up to date %s from now, so how old it is can't be said; set the clock right and run \"bencao index\" again", (-age).Round(time.Minute))
	}
	return fmt.Errorf("the snapshot was last found up to date %s ago, and %s are allowed; see to the nightly run, or to the pulls of a mirror", age.Round(time.Minute), o.MaxAge)
}

func reason(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}

// sendJSON answers on the admin address.
func sendJSON(w http.ResponseWriter, status int, v any, log *slog.Logger) {
	w.Header().Set("Content-Type", string(formatJSON))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Warn("admin answer not sent", "error", err)
	}
}

// Health gathers what the parts beside the server report: hand
// [Health.Snapshot] to the follower and [Health.Access] to the access file.
// The zero value is ready for use, from many goroutines.
type Health struct {
	mu sync.Mutex // guards what follows

	stale        error // why the snapshot is not the one that it should be
	swaps        int
	serving      string
	swapFailures int

	access         error // why the access file is not in force as it stands
	accessReloads  int
	accessFailures int
}

// Snapshot takes a report of [snapshot.Follower].
func (h *Health) Snapshot(s snapshot.Status) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.Serving.ID != h.serving {
		if h.serving != "" {
			h.swaps++
		}
		h.serving = s.Serving.ID
	}
	if s.Err != nil {
		h.swapFailures++
	}
	h.stale = s.Err
}

// Access takes a report of [access.File].
func (h *Health) Access(c access.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.accessReloads++
	if c.Err != nil && !errors.Is(c.Err, access.ErrDoubt) { // a doubt passes by itself
		h.accessFailures++
	}
	h.access = c.Err
}

// vitals is a copy of what was reported.
type vitals struct {
	stale, access                 error
	serving                       string // the snapshot last reported; empty before the first report
	swaps, swapFailures           int
	accessReloads, accessFailures int
}

func (h *Health) now() vitals {
	h.mu.Lock()
	defer h.mu.Unlock()
	return vitals{h.stale, h.access, h.serving, h.swaps, h.swapFailures, h.accessReloads, h.accessFailures}
}

// vitalsCollector reads the state of snapshot and access file when asked.
type vitalsCollector struct {
	live *snapshot.Live[*Backend]
	opt  Options
}

// What a vitalsCollector tells.
var (
	descSnapshot = prometheus.NewDesc("bencao_snapshot_info", "The snapshot that answers.", []string{"snapshot"}, nil)
	descAge      = prometheus.NewDesc("bencao_snapshot_age_seconds", "Time since the snapshot was built.", nil, nil)
	descStale    = prometheus.NewDesc("bencao_snapshot_stale", "1 if a newer snapshot could not be taken.", nil, nil)
	descChecked  = prometheus.NewDesc("bencao_snapshot_checked_age_seconds", "Time since the snapshot was built, or found to be that of its sources.", nil, nil)
	descLate     = prometheus.NewDesc("bencao_snapshot_late", "1 if that is longer ago than the operator allows.", nil, nil)
	descNight    = prometheus.NewDesc("bencao_snapshot_night_failed", "1 if the last bencao index or bencao pull left an older snapshot in place.", nil, nil)
	descSwaps    = prometheus.NewDesc("bencao_snapshot_swaps_total", "Changes to another snapshot.", nil, nil)
	descSwapFail = prometheus.NewDesc("bencao_snapshot_swap_failures_total", "Attempts at another snapshot that failed.", nil, nil)
	descAccess   = prometheus.NewDesc("bencao_access_stale", "1 if the access file is invalid and what it said before is in force.", nil, nil)
	descReloads  = prometheus.NewDesc("bencao_access_reloads_total", "Times that a changed access file was read.", nil, nil)
	descReadFail = prometheus.NewDesc("bencao_access_reload_failures_total", "Times that a changed access file was invalid.", nil, nil)
)

// Describe lists what Collect tells.
func (v vitalsCollector) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(v, ch) }

// Collect tells how things stand now.
func (v vitalsCollector) Collect(ch chan<- prometheus.Metric) {
	backend, release := v.live.Acquire()
	defer release()
	now := v.opt.Health.now()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value int) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value))
	}
	gauge(descSnapshot, 1, backend.meta.ID)
	if !backend.meta.Built.IsZero() {
		gauge(descAge, time.Since(backend.meta.Built).Seconds())
	}
	age := v.opt.Age(backend.meta.ID, backend.meta.Built)
	gauge(descChecked, age.Seconds())
	gauge(descLate, truth(v.opt.late(age) != nil))
	gauge(descNight, truth(v.opt.Night() != nil))
	gauge(descStale, truth(now.stale != nil))
	counter(descSwaps, now.swaps)
	counter(descSwapFail, now.swapFailures)
	gauge(descAccess, truth(now.access != nil))
	counter(descReloads, now.accessReloads)
	counter(descReadFail, now.accessFailures)
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
