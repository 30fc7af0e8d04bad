package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"bencao/api/params"
	"bencao/api/problem"

	"github.com/gin-gonic/gin"
)

// serve returns the handler of a route. It runs after the checks in checks.go.
func (s *Server) serve(r *route) gin.HandlerFunc {
	return func(c *gin.Context) {
		call := callOf(c.Request.Context())
		vals, err := r.plan.Read(c.Request.URL.RawQuery, c.Param)
		if err != nil {
			s.fail(c, err)
			return
		}
		if err := s.charge(c, r, vals); err != nil {
			s.fail(c, err)
			return
		}
		if r.matched != "" {
			call.names.Add(int64(r.plan.Count(vals, r.matched)))
		}
		asked := r.plan.Get(vals, formatParam)
		form, ok := chosen(r.forms, asked, c.Request.Header.Values("Accept"))
		if !ok {
			s.fail(c, problem.New(problem.NotAcceptable, problem.FormatWanted.With(problem.Quote(strings.Join(c.Request.Header.Values("Accept"), ", ")), offered(r.forms))))
			return
		}
		h := c.Writer.Header()
		var tag string
		var match []string
		if !r.momentary {
			tag, match = etag(s.opt.Version, r, call, vals, form), c.Request.Header.Values("If-None-Match")
		}
		if matches(match, tag) {
			call.put(h, "ETag", tag)
			if r.shape.pages {
				delete(h, "Link") // a cache would lose the links of the page to those of the 304
			}
			c.Status(http.StatusNotModified)
			return
		}
		ctx, cancel := context.WithTimeout(c.Request.Context(), s.opt.Timeout)
		defer cancel()
		if !r.cheap {
			call.turn = call.newTurn(r.priced != "" || r.price > 0)
			if err := call.turn.begin(ctx, call.backend.turns.wait); err != nil {
				s.fail(c, err)
				return
			}
			defer call.turn.pause()
		}
		ans, err := r.handle(ctx, call.backend, vals, call.scopes())
		if err != nil {
			s.fail(c, err)
			return
		}
		defer ans.release()
		if tag != "" {
			call.put(h, "ETag", tag)
		}
		if p, ok := ans.(paged); ok {
			at, total := p.place()
			site, path := call.backend.meta.site(), c.Request.URL.EscapedPath()
			var room [512]byte // on the stack; large enough for most pages
			links := at.appendLinks(room[:0], total, func(dst []byte, page int64) []byte {
				return r.plan.AppendQuery(append(append(append(dst, site...), path...), '?'), vals, page)
			})
			for _, line := range h["Link"] {
				links = append(append(links, ", "...), line...)
			}
			call.put(h, "Link", string(links))
		}
		if s, ok := ans.(searched); ok && s.verdict() != nil {
			h[searchHeader] = []string{s.verdict().header()}
		}
		if matches(match, "*") { // If-None-Match: * matches any answer
			c.Status(http.StatusNotModified)
			return
		}
		if asked != "" {
			h.Set(fileHeader, `attachment; filename="`+form.fileName(r.op)+`"`)
		}
		s.send(c, call, ans, form, rowOptions{bom: r.plan.Get(vals, bomParam.Name) == "1", headless: r.plan.Get(vals, headerParam.Name) == "0"})
	}
}

// charge counts the additional requests of a costly request. One request was already counted in
// admit.
func (s *Server) charge(c *gin.Context, r *route, vals params.Values) error {
	if r.priced == "" && r.price == 0 {
		return nil
	}
	call := callOf(c.Request.Context())
	cost, names, limit := r.price, 0, call.admission.Quota.Limit
	if r.priced != "" {
		names = r.plan.Count(vals, r.priced)
		cost = (names + s.opt.NamesPerRequest - 1) / s.opt.NamesPerRequest
		if cost > limit {
			return problem.New(problem.BadParameter, problem.NamesCost.With(names, r.priced, cost, limit, limit*s.opt.NamesPerRequest))
		}
	}
	return s.pay(c, call, cost)
}

// pay counts the additional requests of a request that counts as cost requests.
func (s *Server) pay(c *gin.Context, call *call, cost int) error {
	if limit := call.admission.Quota.Limit; cost > limit {
		f := problem.New(problem.TooMany, problem.RequestsCost.With(cost, limit))
		f.Retry = 60 // seconds; waiting helps only if the operator raises the limit
		return f
	}
	err := s.gate.Charge(&call.admission, cost-1)
	call.rateHeaders(c.Writer.Header())
	if err != nil {
		call.err = err
		call.reason = s.metrics.refusal(call.admission, err)
		return refusal(c, call.admission, err)
	}
	return nil
}

// send writes an answer in the negotiated format.
func (s *Server) send(c *gin.Context, call *call, ans answer, form format, opt rowOptions) {
	if form != formatJSON {
		s.sendRows(c, call, ans, form, opt)
		return
	}
	h := c.Writer.Header()
	call.put(h, "Content-Type", string(formatJSON))
	call.put(h, "Content-Length", strconv.Itoa(ans.length()))
	c.Status(http.StatusOK)
	if err := ans.writeJSON(resuming{c.Request.Context(), &call.turn, c.Writer}); err != nil {
		call.err = fmt.Errorf("send answer: %w", err)
	}
}

// sendRows writes an answer as rows. A long answer has no Content-Length, because its length is
// known only after the last row. A client of HTTP/1.0, however, notices a truncated answer only by
// its Content-Length. For HTTP/1.0 sendRows therefore renders the rows twice: first to count the
// bytes, and then to send them.
func (s *Server) sendRows(c *gin.Context, call *call, ans answer, form format, opt rowOptions) {
	out := &growing{to: c.Writer}
	if opt.bom && form == formatCSV {
		out.held = append(out.held, byteOrderMark...)
	}
	out.begin = func(length int) {
		c.Header("Content-Type", form.contentType(opt))
		if length >= 0 {
			c.Header("Content-Length", strconv.Itoa(length))
		}
		c.Status(http.StatusOK)
	}
	if !c.Request.ProtoAtLeast(1, 1) {
		var size counter
		if err := ans.writeRows(&size, form, opt); err != nil {
			s.fail(c, fmt.Errorf("write %s: %w", form.word(), err))
			return
		}
		out.begun = true
		out.begin(len(out.held) + int(size))
	}
	err := ans.writeRows(resuming{c.Request.Context(), &call.turn, out}, form, opt)
	if err == nil {
		err = out.end()
	}
	switch {
	case out.err != nil:
		call.err = fmt.Errorf("send answer: %w", out.err)
	case err != nil && !c.Writer.Written():
		s.fail(c, fmt.Errorf("write %s: %w", form.word(), err))
	case err != nil: // a part of the answer was sent, so call.breakOff handles the error
		call.err = fmt.Errorf("write %s: %w", form.word(), err)
		panic(http.ErrAbortHandler)
	}
}

// growing buffers an answer up to pieceSize bytes, so that short answers have a length. Before it
// sends the first byte, it calls begin with the answer's length, or with -1 if the answer is longer
// than pieceSize.
type growing struct {
	to    io.Writer
	begin func(length int)
	held  []byte
	begun bool
	err   error // error of the last write to the field to
}

// Write appends to the buffer, and sends the buffer when it is large enough.
func (g *growing) Write(b []byte) (int, error) {
	g.held = append(g.held, b...)
	if len(g.held) < pieceSize {
		return len(b), nil
	}
	if !g.begun {
		g.begun = true
		g.begin(-1)
	}
	return len(b), g.flush()
}

// end sends the bytes that are still buffered.
func (g *growing) end() error {
	if !g.begun {
		g.begun = true
		g.begin(len(g.held))
	}
	return g.flush()
}

func (g *growing) flush() error {
	_, g.err = g.to.Write(g.held)
	g.held = g.held[:0]
	return g.err
}

// counter counts the bytes written to it.
type counter int

func (n *counter) Write(b []byte) (int, error) {
	*n += counter(len(b))
	return len(b), nil
}

// paged is an answer that is one page of several.
type paged interface {
	place() (at Paging, total int)
}

// searched is an answer that may be the result of a search.
type searched interface {
	// verdict tells how the search matched, or is nil if the answer is no search result.
	verdict() *verdict
}

func (p Page[T]) place() (Paging, int) { return p.at, p.total }

// servePage answers an admitted request for a page.
func (s *Server) servePage(c *gin.Context) {
	call := callOf(c.Request.Context())
	ctx := c.Request.Context()
	if s.pages[c.FullPath()].Form == 0 {
		limited, cancel := context.WithTimeout(ctx, s.opt.Timeout)
		defer cancel()
		ctx = limited
	}
	if err := s.opt.Pages.Serve(c.Writer, c.Request.WithContext(ctx), s.visit(c, call)); err != nil {
		if c.Writer.Written() {
			call.err = err
			return
		}
		s.fail(c, err)
	}
}
