package api

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/api/logging"
	"bencao/store/snapshot"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzhttp"
	"github.com/prometheus/client_golang/prometheus"
)

// New returns a server that answers from the snapshot in live. gate decides which clients it
// answers.
func New(live *snapshot.Live[*Backend], gate *access.Gate, opt Options) (*Server, error) {
	s := &Server{opt: opt.withDefaults(), live: live, gate: gate, byPath: map[string]*route{}, byOp: map[string]*route{}, pages: map[string]PageRoute{},
		openings: &openings{turns: newTurns(1), at: map[string]*opening{}}}
	for _, address := range []string{s.opt.License, s.opt.CiteAs} {
		if err := CheckAddress(address); address != "" && err != nil {
			return nil, err
		}
	}
	if c := s.opt.Contact; c != "" {
		if err := CheckContact(c); err != nil {
			return nil, err
		}
	}
	s.metrics = newMetrics(s.opt.LogDropped, append([]prometheus.Collector{vitalsCollector{live, s.opt, gate.Table}}, s.opt.Collectors...)...)
	s.refusals = logging.NewRefusals(s.opt.Log, 0)
	compress, err := gzhttp.NewWrapper()
	if err != nil {
		return nil, fmt.Errorf("compression: %w", err)
	}
	engine, err := s.engine()
	if err != nil {
		return nil, err
	}
	s.handler = compress(engine)
	return s, nil
}

// engine returns a router with all routes.
func (s *Server) engine() (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode) // otherwise gin prints every route
	e := gin.New()
	e.RedirectTrailingSlash = false
	e.HandleMethodNotAllowed = true
	e.ForwardedByClientIP = false
	if err := e.SetTrustedProxies(nil); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	e.Use(s.guard, s.refuseBody, s.admit, s.pinned)
	e.NoRoute(s.noRoute)
	e.NoMethod(s.noMethod)
	table := routes()
	for _, r := range append(table, openAPI(document(table, false), document(table, true))) {
		path := ginPath(&r)
		s.byPath[path] = &r
		s.byOp[r.op] = &r
		for _, method := range methods {
			e.Handle(method, path, s.serve(&r))
		}
	}
	if s.opt.Pages != nil {
		s.addPages(e)
	}
	return e, nil
}

// ginPath returns a route's path in gin's form.
func ginPath(r *route) string {
	if r.public() {
		return r.path
	}
	return prefix + strings.NewReplacer("{", ":", "}", "").Replace(r.path)
}

// OpenAPI returns the OpenAPI document, as /openapi/v1.json serves it.
func OpenAPI() []byte { return document(routes(), false) }

// ServeHTTP answers one request. It assigns an id and a snapshot, runs the middleware and the
// handler, and logs the request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Snapshot files are mapped into memory. If a file is truncated, reading it causes a fault.
	// This setting turns the fault into a panic of the request, so that the process continues.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	backend, release, unavailable := s.dataFor(r)
	c := &call{ResponseWriter: w, id: rand.Text(), began: time.Now(), server: s, backend: backend, release: release, unavailable: unavailable, op: "none", vary: apiVary}
	defer func() { c.release() }() // openPinned may replace it
	h := w.Header()
	c.put(h, "X-Request-Id", c.id)
	c.put(h, "X-Content-Type-Options", "nosniff")
	c.put(h, "Cache-Control", keepPrivate)
	s.describe(c)
	if s.ending.Load() {
		c.put(h, "Connection", "close")
	}
	s.metrics.inFlight.Inc()
	defer s.finish(c)
	defer c.breakOff()
	s.handler.ServeHTTP(c, r.WithContext(context.WithValue(r.Context(), callKey{}, c)))
}

// describe sets the headers that describe the snapshot of a call.
func (s *Server) describe(c *call) {
	h := c.Header()
	c.terms = s.opt.termsOf(c.backend)
	c.put(h, versionHeader, c.backend.meta.ID)
	c.put(h, "Link", c.terms.links)
}

// addPages registers the routes of the pages.
func (s *Server) addPages(e *gin.Engine) {
	for _, p := range s.opt.Pages.Routes() {
		s.pages[p.Path] = p
		for _, method := range methods {
			e.Handle(method, p.Path, s.servePage)
		}
		if p.Form > 0 {
			e.POST(p.Path, s.servePage)
		}
	}
}
