package api

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"

	"bencao/api/connections"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

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

// sendJSON sends v as JSON in answer to a request of an operator.
func sendJSON(w http.ResponseWriter, status int, v any, log *slog.Logger) {
	w.Header().Set("Content-Type", string(formatJSON))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Warn("admin answer not sent", "error", err)
	}
}

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

func reason(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}
