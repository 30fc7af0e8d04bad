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

// call is what is known of a request while it is answered. It stands between
// the handlers and the connection, and counts what goes out.
type call struct {
	http.ResponseWriter
	id        string
	began     time.Time
	backend   *Backend
	lacking   *problem.Fault // why it can't be answered from the version that it asks for
	admission access.Admission
	op        string
	status    int
	bytes     int64
	names     atomic.Int64 // how many it asked to match; a page asks several at once
	reason    string       // why it was refused, in a word, "" if it was not
	err       error        // what the log may know and the client may not
	broken    bool         // a panic ended it when half an answer was out
	vary      string       // what the answer depends on
	terms     terms
	turn      turn
	lines     [16]string // values of the answer's header
	used      int        // of lines
}

// put sets a line of a header. Most values rest in the call itself, so that they
// take no room of their own.
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

// callOf returns the call that a request belongs to.
func callOf(ctx context.Context) *call {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		panic("api: a request came past Server.ServeHTTP") // a bug of ours
	}
	return c
}

// WriteHeader notes the status, and says what every answer depends on in one
// line, whatever the compression has added.
func (c *call) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
		c.put(c.Header(), "Vary", c.vary)
	}
	c.ResponseWriter.WriteHeader(status)
}

// Flush sends what is there.
func (c *call) Flush() {
	if err := http.NewResponseController(c.ResponseWriter).Flush(); err != nil && c.err == nil {
		c.err = fmt.Errorf("flush answer: %w", err)
	}
}

// Write counts the bytes.
func (c *call) Write(b []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	if len(b) >= bufferedByHTTP {
		c.turn.pause() // the client may be slow
	}
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// bufferedByHTTP is the size in bytes from which net/http sends a write at once. It buffers smaller
// ones until the handler returns.
const bufferedByHTTP = 2 << 10

// stranger tells whether the request was refused, to somebody who has shown no
// key that may be used from there.
func (c *call) stranger() bool {
	return c.reason != "" && c.status < http.StatusInternalServerError && c.admission.Counted.Key == ""
}

// breakOff ends a request that panicked where no error can be sent any more,
// also in what stands round the guard: the connection is closed, so that the
// client sees that the answer is not whole.
func (c *call) breakOff() {
	r := recover()
	if r == nil {
		return
	}
	c.broken = true
	if c.err == nil {
		c.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
	}
	panic(http.ErrAbortHandler) // net/http knows it, and does not log it again
}

// fail answers with an error and ends the request.
func (s *Server) fail(c *gin.Context, err error) {
	call := callOf(c.Request.Context())
	f, own := problem.Of(err)
	if call.err == nil && (own || f.Kind == problem.TooSlow) {
		call.err = err
	}
	c.Abort()
	if call.admission.Anonymous {
		c.Writer.Header()["Cache-Control"] = []string{keepPrivate} // no cache keeps an error
	}
	if call.reason == "" {
		call.reason = f.Kind.Slug
	}
	if err := s.say(c, f, call); err != nil && call.err == nil {
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
			panic(r) // half an answer is out: call.breakOff ends it
		}
		err := fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		s.fail(c, err)
	}()
	c.Next()
}

// headerAlone refuses a request with a body and closes its connection: what
// follows on it may be read as a request here and as a body by a proxy. HTTP/1.0
// ends after one request, because net/http hides from us whether such a request
// named a transfer encoding. It refuses a header that is too large too: net/http
// does so to the byte with the first request of a connection alone, and has
// read up to slack of each that follows before it begins to count.
func (s *Server) headerAlone(c *gin.Context) {
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
	call.admission, _ = s.gate.AdmitPublic(gateRequest(r)) // it counts, and is refused anyway
	call.rateHeaders(c.Writer.Header())
	c.Header("Connection", "close")
	s.fail(c, f)
}

// headerBytes is how long the header of a request is.
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

// rateHeaders says what is left of the limit.
func (c *call) rateHeaders(h http.Header) {
	q := c.admission.Quota
	c.put(h, "X-RateLimit-Limit", strconv.Itoa(q.Limit))
	c.put(h, "X-RateLimit-Remaining", strconv.Itoa(q.Remaining))
	c.put(h, "X-RateLimit-Reset", strconv.Itoa(q.RetryAfter()))
}

// admit asks the gate whether the request may pass. An address that is no
// route needs a key like every other, so that strangers learn nothing.
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
		call.admission, err = s.admitPages(gateRequest(c.Request))
	default:
		call.admission, err = s.gate.Admit(gateRequest(c.Request), open)
	}
	if err == nil || errors.Is(err, access.ErrScope) {
		err = cmp.Or(call.backend.lacks(s.byPath[c.FullPath()]), err)
	}
	h := c.Writer.Header()
	call.rateHeaders(h)
	if call.admission.Anonymous {
		call.toEverybody(h, s.byPath[c.FullPath()])
	}
	if err != nil {
		call.err = err
		call.reason = s.metrics.refusal(call.admission, err)
		s.fail(c, refusal(c, call.admission, err))
	}
}

// What caches keep of an answer, and what a page of another site may read of its
// header.
const (
	keepPrivate = "private, no-cache"
	// keepPublic lets shared caches answer for some minutes without asking. A
	// browser asks each time, and is told that nothing has changed.
	keepPublic = "public, max-age=0, s-maxage=300"
	exposed    = "ETag, Link, Retry-After, X-Data-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Search"
)

// toEverybody marks an answer that may be told to everybody: pages of other
// sites may read it, and caches keep it, one for all who bring no key. Of a
// suggestion or of what changed a key with more scopes sees more, so there it stays
// part of what the answer depends on. What holds for the moment is not kept.
func (c *call) toEverybody(h http.Header, r *route) {
	h["Access-Control-Allow-Origin"] = []string{"*"}
	h["Access-Control-Expose-Headers"] = []string{exposed}
	if r == nil || !r.momentary {
		h["Cache-Control"] = []string{keepPublic}
	}
	if r == nil || r.scope != open || !r.plan.Scoped() {
		c.vary = "Accept-Encoding, Accept, " + versionHeader
	}
}

// refusal says to the client why the gate did not let it pass.
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

// noRoute answers for an address that there is not.
func (s *Server) noRoute(c *gin.Context) {
	s.fail(c, problem.New(problem.NotFound, problem.NoAddress.With(problem.Quote(c.Request.URL.Path))))
}

// noMethod answers for a method other than GET and HEAD; gin has set Allow.
func (s *Server) noMethod(c *gin.Context) {
	s.fail(c, problem.New(problem.WrongMethod, problem.MethodSent.With(problem.Quote(c.Request.Method))))
}
