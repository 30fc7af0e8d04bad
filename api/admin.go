package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"bencao/api/access"
	"bencao/api/connections"
	"bencao/store/snapshot"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Ready is the answer of /readyz.
type Ready struct {
	// Ready is false while the server shuts down.
	Ready bool `json:"ready"`
	// Snapshot is the id of the current snapshot.
	Snapshot string `json:"snapshot"`
	// Stale reports that the snapshot is older than it should be. Reason gives the cause: the
	// server could not open a newer snapshot, the last build failed, or no new snapshot has come
	// for longer than [Options.MaxAge]. A stale server remains ready, because old answers are
	// better than none.
	Stale  bool    `json:"stale"`
	Reason *string `json:"reason"`
	// AccessStale reports that the access file is invalid. The server then keeps the keys and
	// rights of the last valid file. AccessReason gives the error.
	AccessStale  bool    `json:"accessStale"`
	AccessReason *string `json:"accessReason"`
}

// Admin returns the handler for operators: /healthz, /readyz and /metrics. It needs no key,
// so only operators may reach its address.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.healthz)
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelError),
		Registry: s.metrics.registry,
	}))
	return mux
}

// adminConnections limits the number of connections of operators.
const adminConnections = 256

// ServeAdmin answers operators on l until ctx ends and [Options.Delay] has passed. It closes l.
func (s *Server) ServeAdmin(ctx context.Context, l net.Listener) error {
	listener := connections.Listen(l, connections.Options{Connections: adminConnections})
	return listener.Serve(ctx, &http.Server{
		Handler:           s.Admin(),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes - httpSlack,
		ErrorLog:          slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelWarn),
	}, connections.Shutdown{Delay: s.opt.Delay, Drain: s.opt.Drain, Cut: s.cut})
}

// healthz answers 200 while the process runs.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	sendJSON(w, http.StatusOK, map[string]bool{"ok": true}, s.opt.Log)
}

// readyz answers 200 if load balancers should send requests to this server, and 503 if not.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	backend, release := s.live.Acquire()
	defer release()
	now := s.opt.Health.now()
	stale := cmp.Or(now.stale, s.opt.late(s.opt.Age(backend.meta.ID, backend.meta.Built)), s.opt.StaleReason())
	status := http.StatusOK
	if s.ending.Load() {
		status = http.StatusServiceUnavailable
	}
	sendJSON(w, status, Ready{
		Ready: status == http.StatusOK,
		// Snapshot and Reason must come from the same report of [snapshot.Follower]. The server
		// already uses a new snapshot before the follower reports it.
		Snapshot:     cmp.Or(now.serving, backend.meta.ID),
		Stale:        stale != nil,
		Reason:       reason(stale),
		AccessStale:  now.access != nil,
		AccessReason: reason(now.access),
	}, s.opt.Log)
}

// skew is how far the clock of another machine, such as the publisher's, may be ahead of this one.
const skew = 10 * time.Minute

// late returns an error if the snapshot is older than the operator allows. age is the time since
// the snapshot was built or last confirmed. An age below -skew is an error as well: that time is in
// the future, so the true age is unknown.
func (o Options) late(age time.Duration) error {
	switch {
	case o.MaxAge == 0 || -skew <= age && age <= o.MaxAge:
		return nil
	case age < 0:
		return fmt.Errorf("the snapshot was last found up to date at a time that is %s in the future, so its age is unknown; set the clock and run \"bencao index\" again", (-age).Round(time.Minute))
	}
	return fmt.Errorf("the snapshot was last found up to date %s ago, and %s are allowed; check the nightly build, or \"bencao pull\" on a mirror", age.Round(time.Minute), o.MaxAge)
}

func reason(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}

// sendJSON sends v as JSON in answer to a request of an operator.
func sendJSON(w http.ResponseWriter, status int, v any, log *slog.Logger) {
	w.Header().Set("Content-Type", string(formatJSON))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Warn("admin answer not sent", "error", err)
	}
}

// Health keeps the last report about the snapshot and the last report about the access file. Call
// [Health.Snapshot] and [Health.Access] with each report. The zero value is ready for use. The
// methods may be called from many goroutines.
type Health struct {
	mu sync.Mutex // guards the fields below

	stale        error // why the snapshot is stale
	swaps        int
	serving      string
	swapFailures int

	access         error // error of the access file; nil if all rights in the file are in force
	accessReloads  int
	accessFailures int
}

// Snapshot stores a report of [snapshot.Follower].
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

// Access stores a report of [access.File].
func (h *Health) Access(c access.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.accessReloads++
	if c.Err != nil {
		h.accessFailures++
	}
	h.access = c.Err
}

// vitals is a copy of the last reports that Health keeps.
type vitals struct {
	stale, access                 error
	serving                       string // id of the last reported snapshot, or empty
	swaps, swapFailures           int
	accessReloads, accessFailures int
}

func (h *Health) now() vitals {
	h.mu.Lock()
	defer h.mu.Unlock()
	return vitals{h.stale, h.access, h.serving, h.swaps, h.swapFailures, h.accessReloads, h.accessFailures}
}

// vitalsCollector exports metrics of the snapshot and of the access file.
type vitalsCollector struct {
	live *snapshot.Live[*Backend]
	opt  Options
	keys func() *access.Table
}

// The metrics of a vitalsCollector.
var (
	descSnapshot = prometheus.NewDesc("bencao_snapshot_info", "The snapshot that answers.", []string{"snapshot"}, nil)
	descAge      = prometheus.NewDesc("bencao_snapshot_age_seconds", "Time since the snapshot was built.", nil, nil)
	descStale    = prometheus.NewDesc("bencao_snapshot_stale", "1 if a newer snapshot could not be opened.", nil, nil)
	descChecked  = prometheus.NewDesc("bencao_snapshot_checked_age_seconds", "Time since the snapshot was built or last confirmed to be up to date.", nil, nil)
	descLate     = prometheus.NewDesc("bencao_snapshot_late", "1 if the snapshot is older than --max-age.", nil, nil)
	descNight    = prometheus.NewDesc("bencao_snapshot_night_failed", "1 if the last bencao index or bencao pull left an older snapshot in place.", nil, nil)
	descSwaps    = prometheus.NewDesc("bencao_snapshot_swaps_total", "Switches to another snapshot.", nil, nil)
	descSwapFail = prometheus.NewDesc("bencao_snapshot_swap_failures_total", "Failed attempts to open another snapshot.", nil, nil)
	descAccess   = prometheus.NewDesc("bencao_access_stale", "1 if the access file is invalid and its previous contents are in force.", nil, nil)
	descReloads  = prometheus.NewDesc("bencao_access_reloads_total", "Times that a changed access file was read.", nil, nil)
	descExpires  = prometheus.NewDesc("bencao_key_expires_timestamp_seconds", "When a key expires; keys that are disabled or never expire are not listed.", []string{"key"}, nil)
	descReadFail = prometheus.NewDesc("bencao_access_reload_failures_total", "Times that a changed access file was invalid.", nil, nil)
)

// Describe implements [prometheus.Collector].
func (v vitalsCollector) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(v, ch) }

// Collect implements [prometheus.Collector].
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
	gauge(descNight, truth(v.opt.StaleReason() != nil))
	gauge(descStale, truth(now.stale != nil))
	counter(descSwaps, now.swaps)
	counter(descSwapFail, now.swapFailures)
	gauge(descAccess, truth(now.access != nil))
	counter(descReloads, now.accessReloads)
	counter(descReadFail, now.accessFailures)
	for _, e := range v.keys().Entries() {
		if !e.Disabled && !e.Expires.IsZero() {
			gauge(descExpires, float64(e.Expires.Unix()), e.ID)
		}
	}
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
