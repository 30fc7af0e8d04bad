package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"bencao/api/access"
	"bencao/api/problem"

	"github.com/gin-gonic/gin"
)

// call is the state of a request while it is answered. It wraps the connection's ResponseWriter,
// notes the status and counts the bytes.
type call struct {
	http.ResponseWriter
	id          string
	began       time.Time
	backend     *Backend
	unavailable *problem.Fault // why the requested version is not available, or nil
	admission   access.Admission
	op          string
	status      int
	bytes       int64
	names       atomic.Int64 // number of names to match; a page may match names concurrently
	reason      string       // one word for the reason of a refusal; "" if it was not refused
	err         error        // error of the request, for the log; clients never see it
	broken      bool         // a panic occurred after a part of the answer was sent
	vary        string       // value of Vary: the request headers that the answer depends on
	terms       terms
	turn        turn
	lines       [16]string // storage for the values of the answer's headers
	used        int        // number of used elements of lines
}

// newTurn returns a turn for a request, whose work is long or not. The request does not hold the
// turn yet.
func (c *call) newTurn(long bool) turn {
	return turn{of: c.backend.turns, who: c.admission.Counted, long: long}
}

// scopes returns the scopes of the client's key, without those that the snapshot lacks.
func (c *call) scopes() access.Scopes {
	p := c.admission.Principal
	switch {
	case p == nil:
		return access.Open
	case c.backend.meta.Public:
		return p.Scopes &^ withheld
	}
	return p.Scopes
}

// put sets a header of the answer. It stores the values of most headers in the call, which saves an
// allocation for each.
func (c *call) put(h http.Header, name, value string) {
	if c.used == len(c.lines) {
		h[name] = []string{value}
		return
	}
	c.lines[c.used] = value
	c.used++
	h[name] = c.lines[c.used-1 : c.used : c.used]
}

type callKey struct{}

// callOf returns the call of a request.
func callOf(ctx context.Context) *call {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		panic("api: a request bypassed Server.ServeHTTP") // a bug of this package: ServeHTTP sets the call of each request
	}
	return c
}

// WriteHeader notes the status. It also replaces the Vary lines that the compression added by one
// line with all request headers that the answer depends on.
func (c *call) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
		c.put(c.Header(), "Vary", c.vary)
	}
	c.ResponseWriter.WriteHeader(status)
}

// Flush sends the buffered part of the answer.
func (c *call) Flush() {
	if err := http.NewResponseController(c.ResponseWriter).Flush(); err != nil && c.err == nil {
		c.err = fmt.Errorf("flush answer: %w", err)
	}
}

// Write counts the bytes of the answer.
func (c *call) Write(b []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	if len(b) >= bufferedByHTTP {
		c.turn.pause() // writing may take long if the client is slow
	}
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// bufferedByHTTP is the size of net/http's write buffer in bytes. net/http sends larger writes at
// once and keeps smaller ones until the handler returns.
const bufferedByHTTP = 2 << 10

// refusedStranger reports whether the request was refused and counted against the client's address.
// A request counts against the address if it has no key that is valid from there.
func (c *call) refusedStranger() bool {
	return c.reason != "" && c.status < http.StatusInternalServerError && c.admission.Counted.Key == ""
}

// breakOff handles a panic after a part of the answer was sent. No error can be sent any more, so
// breakOff closes the connection. The client then notices that the answer is incomplete.
func (c *call) breakOff() {
	r := recover()
	if r == nil {
		return
	}
	c.broken = true
	if c.err == nil {
		c.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
	}
	panic(http.ErrAbortHandler) // net/http closes the connection without logging it
}

// fail ends the request with an error.
func (s *Server) fail(c *gin.Context, err error) {
	call := callOf(c.Request.Context())
	f, own := problem.Of(err)
	if call.err == nil && (own || f.Kind == problem.TooSlow) {
		call.err = err
	}
	c.Abort()
	if call.admission.Anonymous {
		c.Writer.Header()["Cache-Control"] = []string{keepPrivate} // caches must not keep errors
	}
	if call.reason == "" {
		call.reason = f.Kind.Slug
	}
	if err := s.sendFault(c, f, call); err != nil && call.err == nil {
		call.err = fmt.Errorf("send error: %w", err)
	}
}

// guard turns a panic into a 500.
func (s *Server) guard(c *gin.Context) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if c.Writer.Written() {
			panic(r) // a part of the answer was sent, so call.breakOff handles the panic
		}
		err := fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		s.fail(c, err)
	}()
	c.Next()
}

// refuseBody refuses a request with a body and closes its connection, because of request smuggling:
// a proxy may take the following bytes for the body where this server takes them for the next
// request. Connections with HTTP/1.0 end after one request, because net/http does not report
// whether an HTTP/1.0 request named a transfer encoding.
//
// It also refuses a request header that is too large. net/http checks the size exactly only for the
// first request of a connection. For later requests, net/http may read up to httpSlack bytes of the
// header before it begins to count.
func (s *Server) refuseBody(c *gin.Context) {
	r := c.Request
	if !r.ProtoAtLeast(1, 1) {
		c.Header("Connection", "close")
	}
	call := callOf(r.Context())
	var f *problem.Fault
	switch {
	case headerBytes(r) > maxHeaderBytes:
		f = ownFaults[http.StatusRequestHeaderFieldsTooLarge]
	case r.ContentLength == 0 && len(r.TransferEncoding) == 0 || s.takesForm(c):
		return
	default:
		f = problem.New(problem.BodyRefused, problem.BodySent.With())
	}
	call.admission, _ = s.gate.AdmitPublic(gateRequest(r)) // counts the request against the rate limit; the request is refused even within the limit
	call.rateHeaders(c.Writer.Header())
	c.Header("Connection", "close")
	s.fail(c, f)
}

// maxHeaderBytes limits the size of a request's header in bytes, including path and query.
const maxHeaderBytes = 16 << 10

// httpSlack is the number of bytes that net/http reads beyond [http.Server.MaxHeaderBytes].
const httpSlack = 4 << 10

// ownFaults are the errors that net/http itself detects, by HTTP status.
var ownFaults = map[int]*problem.Fault{
	http.StatusExpectationFailed:           problem.New(problem.Expectation, problem.ExpectSent.With()),
	http.StatusRequestHeaderFieldsTooLarge: problem.New(problem.HeaderTooBig, problem.HeaderSize.With(maxHeaderBytes)),
	http.StatusNotImplemented:              problem.New(problem.NotImplement, problem.TransferCoding.With()),
	http.StatusHTTPVersionNotSupported:     problem.New(problem.VersionOfHTTP, problem.UseHTTP11.With()),
}

// headerBytes returns the length of the header of a request in bytes.
func headerBytes(r *http.Request) int {
	n := len(r.Method) + len(r.RequestURI) + len(r.Proto) + len("  \r\nHost: \r\n\r\n") + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			n += len(name) + len(value) + len(": \r\n")
		}
	}
	return n
}

func gateRequest(r *http.Request) access.Request {
	return access.Request{
		RemoteAddr:   r.RemoteAddr,
		ForwardedFor: r.Header.Values("X-Forwarded-For"),
		Keys:         r.Header.Values(keyHeader),
	}
}

// rateHeaders sets the headers that report the rate limit and how much of it is left.
func (c *call) rateHeaders(h http.Header) {
	q := c.admission.Quota
	c.put(h, "X-RateLimit-Limit", strconv.Itoa(q.Limit))
	c.put(h, "X-RateLimit-Remaining", strconv.Itoa(q.Remaining))
	c.put(h, "X-RateLimit-Reset", strconv.Itoa(q.RetryAfter()))
}

// admit checks the client's address, key, network and rate limit. A path without a route needs a
// valid key like every other path, so that clients without a key learn nothing about the routes.
func (s *Server) admit(c *gin.Context) {
	call := callOf(c.Request.Context())
	var err error
	switch r := s.byPath[c.FullPath()]; {
	case r != nil && r.public():
		call.op = r.op
		call.admission, err = s.gate.AdmitPublic(gateRequest(c.Request))
	case r != nil:
		call.op = r.op
		call.admission, err = s.gate.Admit(gateRequest(c.Request), r.scope)
	case s.forPeople(c):
		call.op = "page " + c.FullPath()
		call.admission, err = s.admitPages(gateRequest(c.Request), c.FullPath())
	default:
		call.admission, err = s.gate.Admit(gateRequest(c.Request), open)
	}
	if err == nil || errors.Is(err, access.ErrScope) {
		err = cmp.Or(call.backend.lacks(s.byPath[c.FullPath()]), err)
	}
	h := c.Writer.Header()
	call.rateHeaders(h)
	if call.admission.Anonymous {
		call.shareable(h, s.byPath[c.FullPath()])
	}
	if err != nil {
		call.err = err
		call.reason = s.metrics.refusal(call.admission, err)
		if errors.Is(err, access.ErrLimit) && call.admission.Counted.Key == "" {
			c.Header("Connection", "close") // so that further requests at least cost a connection each
		}
		s.fail(c, refusal(c, call.admission, err))
	}
}

// Values of headers that tell caches and web pages of other sites what they may do with an answer.
const (
	keepPrivate = "private, no-cache"
	// keepPublic lets shared caches answer for five minutes before they revalidate. Browsers
	// revalidate each time.
	keepPublic = "public, max-age=0, s-maxage=300"
	exposed    = "ETag, Link, Retry-After, X-Data-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Search"
)

// shareable sets the headers of an answer to a request without a key, if no key is needed. Web
// pages of other sites may read the answer, and shared caches may keep one copy for all such
// requests. If the answer depends on the scopes of a key, X-Api-Key stays in Vary. Shared caches do
// not keep the answers of momentary routes.
func (c *call) shareable(h http.Header, r *route) {
	h["Access-Control-Allow-Origin"] = []string{"*"}
	h["Access-Control-Expose-Headers"] = []string{exposed}
	if r == nil || !r.momentary {
		h["Cache-Control"] = []string{keepPublic}
	}
	if r == nil || r.scope != open || !r.plan.Scoped() {
		c.vary = "Accept-Encoding, Accept, " + versionHeader
	}
}

// versionHeader is the header that names a version of the data: in an answer, the version that the
// answer comes from; in a request, the version that the client wants.
const versionHeader = "X-Data-Version"

// refusal returns the error to send for a request that was not admitted.
func refusal(c *gin.Context, a access.Admission, err error) error {
	var absent *withheldError
	switch {
	case errors.Is(err, access.ErrClient):
		return problem.New(problem.AddressHidden, problem.ClientHidden.With())
	case errors.Is(err, access.ErrKey):
		c.Header("WWW-Authenticate", `ApiKey header="`+keyHeader+`"`)
		return problem.New(problem.NoKey, problem.KeyWanted.With(keyHeader))
	case errors.Is(err, access.ErrNetwork):
		return problem.New(problem.AddressDenied, problem.KeyElsewhere.With(a.Client))
	case errors.Is(err, access.ErrLimit):
		wait := a.Quota.RetryAfter()
		f := problem.New(problem.TooMany, problem.LimitUsed.With(a.Quota.Limit, wait))
		f.Retry = wait
		return f
	case errors.As(err, &absent):
		return problem.New(problem.ScopeMissing, problem.Withheld.With(absent.names()))
	case errors.Is(err, access.ErrScope):
		return problem.New(problem.ScopeMissing, problem.KeyLacks.With(err))
	}
	return err
}

// noRoute answers a request for a path without a route.
func (s *Server) noRoute(c *gin.Context) {
	s.fail(c, problem.New(problem.NotFound, problem.NoAddress.With(problem.Quote(c.Request.URL.Path))))
}

// noMethod answers a method other than GET and HEAD. gin has set Allow.
func (s *Server) noMethod(c *gin.Context) {
	s.fail(c, problem.New(problem.WrongMethod, problem.MethodSent.With(problem.Quote(c.Request.Method))))
}
