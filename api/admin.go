package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Ready is what /readyz says.
type Ready struct {
	// Ready is false while the server shuts down.
	Ready bool `json:"ready"`
	// Snapshot is the id of the snapshot that answers.
	Snapshot string `json:"snapshot"`
	// Stale tells that a newer snapshot could not be taken, for Reason. The
	// server is ready all the same: old answers are better than none.
	Stale  bool    `json:"stale"`
	Reason *string `json:"reason"`
	// AccessStale tells that the access file is invalid, for AccessReason,
	// and that what it said before is in force.
	AccessStale  bool    `json:"accessStale"`
	AccessReason *string `json:"accessReason"`
}

// Admin answers what operators ask: /healthz, /readyz and /metrics. It asks
// for no key, so serve it where only they can reach it.
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

// ServeAdmin answers operators on l until ctx ends. It closes l.
func (s *Server) ServeAdmin(ctx context.Context, l net.Listener) error {
	return serveUntil(ctx, l, s.opt.Drain, &http.Server{
		Handler:           s.Admin(),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelWarn),
	}, func() {})
}

// healthz tells that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	s.sendJSON(w, http.StatusOK, map[string]bool{"ok": true})
}

// readyz tells whether requests should be sent here.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	backend, release := s.live.Acquire()
	defer release()
	now := s.opt.Health.now()
	status := http.StatusOK
	if s.ending.Load() {
		status = http.StatusServiceUnavailable
	}
	s.sendJSON(w, status, Ready{
		Ready:        status == http.StatusOK,
		Snapshot:     backend.meta.ID,
		Stale:        now.stale != nil,
		Reason:       reason(now.stale),
		AccessStale:  now.access != nil,
		AccessReason: reason(now.access),
	})
}

func reason(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}

func (s *Server) sendJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", string(formatJSON))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		s.opt.Log.Warn("admin answer not sent", "error", err)
	}
}
