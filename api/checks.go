package api

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"bencao/api/access"
	"bencao/api/connections"
	"bencao/api/problem"

	"github.com/gin-gonic/gin"
)

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
	delay(r, call.admission)
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
		delay(c.Request, call.admission)
		s.fail(c, refusal(c, call.admission, err))
	}
}

// delay makes the refusal of a request wait if the client has used up its limit of requests without a
// key. See [connections.Late].
func delay(r *http.Request, a access.Admission) {
	if a.Counted.Key == "" && !a.Quota.OK {
		connections.Late(r)
	}
}

// noRoute answers a request for a path without a route.
func (s *Server) noRoute(c *gin.Context) {
	// The id of a paper may have a slash, so it is a parameter and no part of the path.
	if id, found := strings.CutPrefix(c.Request.URL.Path, prefix+"/papers/"); found && id != "" {
		s.fail(c, problem.New(problem.NotFound, problem.NotPaper.With(problem.Quote(c.Request.URL.Path), prefix+"/papers/detail?id="+url.QueryEscape(id))))
		return
	}
	s.fail(c, problem.New(problem.NotFound, problem.NoAddress.With(problem.Quote(c.Request.URL.Path))))
}

// noMethod answers a method other than GET and HEAD. gin has set Allow.
func (s *Server) noMethod(c *gin.Context) {
	s.fail(c, problem.New(problem.WrongMethod, problem.MethodSent.With(problem.Quote(c.Request.Method))))
}

// lacks returns an error if the snapshot is public and lacks the data of a route, so that no key
// can get an answer. r may be nil.
func (b *Backend) lacks(r *route) error {
	if r == nil || !b.meta.Public || r.scope&withheld == 0 {
		return nil
	}
	return &withheldError{r.scope & withheld}
}

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
