package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
)

// finish logs and counts a request after its answer.
func (s *Server) finish(c *call) {
	took := time.Since(c.began)
	s.metrics.request(answered{c.op, c.status}, c.bytes, took)
	if c.unavailable != nil && c.unavailable.Kind == problem.VersionAhead && c.status == problem.VersionAhead.Status {
		s.metrics.ahead.Inc()
	}
	s.metrics.key(c.countedKey(), c.status, c.names.Load(), c.bytes)
	if p := c.admission.Principal; s.opt.KeyUse != nil && p != nil && !p.Anonymous() && !errors.Is(c.err, access.ErrNetwork) {
		s.opt.KeyUse.Count(p.ID, c.began)
	}
	if c.refusedStranger() && !s.refusals.Let(c.reason) {
		return
	}
	attrs := make([]slog.Attr, 0, 9)
	attrs = append(attrs, slog.String("request", c.id))
	if p := c.admission.Principal; p != nil {
		attrs = append(attrs, slog.String("key", p.ID))
	}
	attrs = append(attrs,
		slog.String("client", address(c.admission)),
		slog.String("operation", c.op),
		slog.Int("status", c.status),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.Int64("bytes", c.bytes),
		slog.String("snapshot", c.backend.meta.ID),
	)
	level := slog.LevelInfo
	if c.err != nil {
		attrs = append(attrs, slog.String("error", c.err.Error()))
		if c.status >= http.StatusInternalServerError || c.broken {
			level = slog.LevelError
		}
	}
	writeLine(s.opt.Log.Handler(), level, attrs)
}

// writeLine writes the log line of a request. It bypasses [slog.Logger], which would spend time to
// find the calling line of the source.
func writeLine(to slog.Handler, level slog.Level, attrs []slog.Attr) {
	ctx := context.Background()
	if !to.Enabled(ctx, level) {
		return
	}
	line := slog.NewRecord(time.Now(), level, "request", 0)
	line.AddAttrs(attrs...)
	_ = to.Handle(ctx, line) // logging.Queue counts the lines that it cannot write
}

// Requests without a valid key are counted under these ids. No key can have such an id.
const (
	anonymousKey = "(anonymous)" // requests without a key to a server that needs none
	otherKey     = "(other)"     // all other requests without a valid key
)

// countedKey returns the id of the key under which the metrics count the request. The key may be
// disabled, expired, or used from a network that is not listed for it. If the request has no key,
// or a key that is not in the access file, countedKey returns [anonymousKey] or [otherKey].
func (c *call) countedKey() string {
	switch p := c.admission.Principal; {
	case c.admission.Anonymous:
		return anonymousKey
	case p != nil:
		return p.ID
	case c.status == http.StatusUnauthorized:
		if key := (*access.KeyError)(nil); errors.As(c.err, &key) && key.ID != "" {
			return key.ID
		}
	}
	return otherKey
}

// address returns the client's address for the log, or "" if it is unknown.
func address(a access.Admission) string {
	if !a.Client.IsValid() {
		return ""
	}
	return a.Client.String()
}
