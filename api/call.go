package api

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
)

// call is the state of a request while it is answered. It wraps the connection's ResponseWriter,
// notes the status and counts the bytes.
type call struct {
	http.ResponseWriter
	id          string
	began       time.Time
	server      *Server
	backend     *Backend
	release     func()         // releases backend
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

// rateHeaders sets the headers that report the rate limit and how much of it is left.
func (c *call) rateHeaders(h http.Header) {
	q := c.admission.Quota
	c.put(h, "X-RateLimit-Limit", strconv.Itoa(q.Limit))
	c.put(h, "X-RateLimit-Remaining", strconv.Itoa(q.Remaining))
	c.put(h, "X-RateLimit-Reset", strconv.Itoa(q.RetryAfter()))
}

// Values of headers that tell caches and web pages of other sites what they may do with an answer.
const (
	keepPrivate = "private, no-cache"
	// keepPublic lets shared caches answer for five minutes before they revalidate. Browsers
	// revalidate each time.
	keepPublic = "public, max-age=0, s-maxage=300"
	exposed    = "ETag, Link, Retry-After, X-Data-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Search"
)

// versionHeader is the header that names a version of the data: in an answer, the version that the
// answer comes from; in a request, the version that the client wants.
const versionHeader = "X-Data-Version"

// apiVary lists the request headers that answers of the API depend on.
const apiVary = "X-Api-Key, Accept-Encoding, Accept, " + versionHeader

// keyHeader is the request header with the client's key.
const keyHeader = "X-Api-Key"
