package api

import (
	"errors"
	"fmt"
	"strconv"

	"bencao/api/access"
	"bencao/api/problem"

	"github.com/gin-gonic/gin"
)

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

// sendFault answers with a fault: as a page for people, as JSON for programs. Rendering a page takes
// much longer than finding the fault, so it needs a turn. Without a turn, the answer is JSON. Only a
// page which tells that the server is busy needs none.
func (s *Server) sendFault(c *gin.Context, f *problem.Fault, call *call) error {
	if form, ok := negotiate(c.Request.Header.Values("Accept"), formatHTML, formatJSON); ok && form == formatHTML && s.forPeople(c) {
		v := s.visit(c, call)
		if f.Kind != problem.Busy {
			done, err := v.Turn(c.Request.Context())
			if err != nil {
				return f.Write(c.Writer, call.id)
			}
			defer done()
		}
		h := c.Writer.Header()
		delete(h, "ETag") // the ETag belongs to the answer that failed
		h.Del("Content-Length")
		if f.Retry > 0 {
			h.Set("Retry-After", strconv.Itoa(f.Retry))
		}
		return s.opt.Pages.Explain(c.Writer, c.Request, f, v)
	}
	return f.Write(c.Writer, call.id)
}
