package api

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"bencao/api/access"
	"bencao/api/connections"
	"bencao/api/problem"
)

// Timeouts of the connections to clients.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
)

// Serve answers requests on l until ctx ends. It then waits up to [Options.Drain] for requests in
// progress. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	listener := connections.Listen(l, connections.Options{Connections: s.opt.Connections, Client: s.gate.Peer, Refused: s.tooMany, Rewrite: s.unreadable})
	defer s.refusals.Flush()
	return listener.Serve(ctx, &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes - httpSlack,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelWarn),
		ConnState:                    s.metrics.connection,
	}, connections.Shutdown{Began: func() { s.ending.Store(true) }, Delay: s.opt.Delay, Drain: s.opt.Drain, Cut: s.cut})
}

// cut logs how many connections a shutdown has closed in the middle of an answer.
func (s *Server) cut(connections int) {
	s.opt.Log.Warn("answers cut off at shutdown, because their clients read too slowly", "connections", connections, "after", s.opt.Drain.String())
}

// tooMany counts a connection that was closed because its address has too many, and logs it.
func (s *Server) tooMany(remote net.Addr) {
	const reason = "connections"
	s.metrics.refused.WithLabelValues(reason).Inc()
	if s.refusals.Let(reason) {
		s.opt.Log.LogAttrs(context.Background(), slog.LevelInfo, "connection refused, its address has too many",
			slog.String("client", remote.String()), slog.Int("most", s.opt.Connections/4))
	}
}

var unreadableFault = problem.New(problem.BadRequest, problem.NotHTTP.With())

// unreadable returns the answer to a request that net/http itself refuses with a status, and whether
// the client has used up its limit. It also logs the request.
func (s *Server) unreadable(remote net.Addr, status int) (answer []byte, over bool) {
	f := ownFaults[status]
	if f == nil {
		f = unreadableFault
	}
	// The request counts against the client's address, like all requests without a valid key.
	admission, err := s.gate.AdmitPublic(access.Request{RemoteAddr: remote.String()})
	id := rand.Text()
	backend, release := s.live.Acquire()
	defer release()
	h := http.Header{
		"X-Request-Id": {id}, "X-Content-Type-Options": {"nosniff"}, "Cache-Control": {keepPrivate}, "Vary": {apiVary},
		versionHeader: {backend.meta.ID}, "Link": {s.opt.termsOf(backend).links},
	}
	(&call{admission: admission}).rateHeaders(h)
	out := f.Raw(h, id)
	s.metrics.requests.WithLabelValues("none", strconv.Itoa(f.Kind.Status)).Inc()
	s.metrics.key(otherKey, f.Kind.Status, 0, int64(len(out)))
	if !s.refusals.Let(f.Kind.Slug) {
		return out, errors.Is(err, access.ErrLimit)
	}
	s.opt.Log.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("request", id),
		slog.String("client", address(admission)),
		slog.String("operation", "none"),
		slog.Int("status", f.Kind.Status),
		slog.Int("bytes", len(out)),
	)
	return out, errors.Is(err, access.ErrLimit)
}
