package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/names"

	"github.com/gin-gonic/gin"
)

// Pages answer people, beside the API that answers programs. They see of the
// data what the API would show to a key of the same scopes, and no more.
type Pages interface {
	// Routes are their addresses.
	Routes() []PageRoute
	// Serve answers a request that was let through. An error goes to Explain.
	Serve(w http.ResponseWriter, r *http.Request, v *Visit) error
	// Explain answers a request that met a fault.
	Explain(w http.ResponseWriter, r *http.Request, f *problem.Fault, v *Visit) error
}

// PageRoute is an address of pages.
type PageRoute struct {
	// Path is written as gin writes it: /species/:guid.
	Path string
	// Form is how many bytes a form may have that is sent to the address; 0
	// means that none is.
	Form int64
}

// formatHTML is what pages go out in.
const formatHTML format = "text/html"

// pageVary is what pages depend on.
const pageVary = "Accept-Language, Accept-Encoding, Accept"

// addPages registers the addresses of pages.
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

// servePage answers a request for a page once it has been let through.
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

// admitPages asks the gate whether a page may be read.
func (s *Server) admitPages(r access.Request) (access.Admission, error) {
	if s.opt.PagesAs == "" {
		return s.gate.AdmitPublic(r)
	}
	return s.gate.AdmitPages(r, s.opt.PagesAs)
}

// forPeople tells whether a request is one for a page: it names one, or it names
// nothing that there is and would rather have HTML.
func (s *Server) forPeople(c *gin.Context) bool {
	if s.opt.Pages == nil {
		return false
	}
	if _, ok := s.pages[c.FullPath()]; ok {
		return true
	}
	if s.opt.PagesAs == "" || c.FullPath() != "" || strings.HasPrefix(c.Request.URL.Path, prefix) {
		return false
	}
	form, ok := negotiate(c.Request.Header.Values("Accept"), formatJSON, formatHTML)
	return ok && form == formatHTML
}

// takesForm tells whether a request with a body is a form sent to a page that
// takes one, of a length that is known: one that two headers speak of, as who
// smuggles requests sends, has none.
func (s *Server) takesForm(c *gin.Context) bool {
	r := c.Request
	return r.Method == http.MethodPost && r.ProtoAtLeast(1, 1) && len(r.TransferEncoding) == 0 &&
		r.ContentLength <= s.pages[c.FullPath()].Form
}

// say answers with a fault: to people as a page, to programs as JSON.
func (s *Server) say(c *gin.Context, f *problem.Fault, call *call) error {
	if form, ok := negotiate(c.Request.Header.Values("Accept"), formatHTML, formatJSON); ok && form == formatHTML && s.forPeople(c) {
		h := c.Writer.Header()
		delete(h, "ETag") // of the answer that did not come about
		h.Del("Content-Length")
		if f.Retry > 0 {
			h.Set("Retry-After", strconv.Itoa(f.Retry))
		}
		return s.opt.Pages.Explain(c.Writer, c.Request, f, s.visit(c, call))
	}
	return f.Write(c.Writer, call.id)
}

// visit begins what a page may know and ask.
func (s *Server) visit(c *gin.Context, call *call) *Visit {
	call.vary = pageVary
	v := &Visit{Path: c.FullPath(), RequestID: call.id, Scopes: call.scopes(), server: s, call: call, param: c.Param}
	v.License, v.CiteAs = call.terms.license, call.terms.citeAs
	v.Contact = s.opt.Contact
	return v
}

// Visit is a request for a page: what it may know and ask of the data. It ends
// with the request.
type Visit struct {
	// Path is that of the page's [PageRoute].
	Path      string
	RequestID string
	// Scopes are what of the data the page may show.
	Scopes access.Scopes
	// License and CiteAs are the addresses of the terms.
	License, CiteAs string
	// Contact is the operator's mail address or the address of a page, or empty.
	Contact string

	server *Server
	call   *call
	param  func(string) string
}

// Param is a part of the address.
func (v *Visit) Param(name string) string { return v.param(name) }

// Meta says which snapshot answers.
func (v *Visit) Meta() Meta { return v.call.backend.meta }

// Ask returns what an operation of the API answers to a key that has the visit's
// scopes but those in hide, as JSON. Of the path it knows one part, id.
func (v *Visit) Ask(ctx context.Context, op, id string, query url.Values, hide access.Scopes) ([]byte, error) {
	r := v.server.byOp[op]
	scopes := v.Scopes &^ hide
	if lacks := r.scope &^ scopes; lacks != open {
		return nil, problem.New(problem.ScopeMissing, problem.PagesLack.With(strings.Join(lacks.Names(), ", ")))
	}
	vals, err := r.plan.Read(query.Encode(), func(string) string { return id })
	if err != nil {
		return nil, err
	}
	turn := v.call.newTurn()
	if err := turn.begin(ctx, turnWait); err != nil {
		return nil, err
	}
	defer turn.pause()
	ans, err := r.handle(ctx, v.call.backend, vals, scopes)
	if err != nil {
		return nil, err
	}
	defer ans.release()
	var out bytes.Buffer
	out.Grow(ans.length())
	err = ans.writeJSON(&out)
	return out.Bytes(), err
}

// Match says what a name means. An error that is a [*names.InputError] is about
// the name.
func (v *Visit) Match(ctx context.Context, q names.Query) (names.Response, error) {
	v.call.names.Add(1)
	turn := v.call.newTurn()
	if err := turn.begin(ctx, 0); err != nil {
		return names.Response{}, err
	}
	defer turn.pause()
	return v.call.backend.matched(ctx, q)
}

// Tag names a page before it is there, by all that it depends on: the data, the
// scopes, the program, and parts.
func (v *Visit) Tag(parts ...string) string {
	all := append([]string{v.server.opt.Version, v.call.backend.etag, strconv.Itoa(int(v.Scopes)), v.License, v.CiteAs, v.Contact}, parts...)
	sum := sha256.Sum256([]byte(strings.Join(all, "\x00")))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:15]) + `"`
}

// Fresh tells whether the reader has the page of a tag already.
func (v *Visit) Fresh(r *http.Request, tag string) bool {
	return matches(r.Header.Values("If-None-Match"), tag)
}

// AcceptsJSON tells whether a request would rather have JSON than a page.
func (v *Visit) AcceptsJSON(r *http.Request) bool {
	form, ok := negotiate(r.Header.Values("Accept"), formatHTML, formatJSON)
	return ok && form == formatJSON
}

// ByMail tells whether the contact is a mail address.
func (v *Visit) ByMail() bool { return isMail(v.Contact) }

// isMail tells whether an address is one for mail.
func isMail(address string) bool {
	a, err := mail.ParseAddress(address)
	return err == nil && a.Address == address
}

// CheckContact tells what is wrong with the address of an operator.
func CheckContact(address string) error {
	if isMail(address) || CheckAddress(address) == nil {
		return nil
	}
	return fmt.Errorf("contact %q is neither a mail address nor that of a page; use one such as plants@example.org", address)
}

// AcceptsGzip tells whether a request takes an answer that is compressed.
func (v *Visit) AcceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, rest, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			return weight(rest) > 0
		}
	}
	return false
}

// Network is the address that the request comes from, of IPv6 its /64, since who
// has one address of it has them all.
func (v *Visit) Network() netip.Prefix {
	return access.AddressSubject(v.call.admission.Client).Network
}

// FromElsewhere tells whether a browser sends a form from a page of another site,
// and which. A form without Origin comes from no browser, or from one that is older
// than such pages.
func (v *Visit) FromElsewhere(r *http.Request) (site string, ok bool) {
	guard := http.NewCrossOriginProtection()
	if u, err := url.Parse(v.Meta().SiteURL); err == nil && u.Host != "" {
		// An address that names no origin is not trusted.
		_ = guard.AddTrustedOrigin(u.Scheme + "://" + u.Host)
	}
	return strings.Join(r.Header.Values("Origin"), ", "), guard.Check(r) != nil || len(r.Header.Values("Origin")) > 1
}

// ReadUntil bounds the time for what is still to be read of the request. Other
// requests have 10 s.
func (v *Visit) ReadUntil(end time.Time) error {
	return http.NewResponseController(v.call.ResponseWriter).SetReadDeadline(end)
}

// WriteUntil bounds the time for what is still to be written of the answer. Other
// answers have 30 s.
func (v *Visit) WriteUntil(end time.Time) error {
	return http.NewResponseController(v.call.ResponseWriter).SetWriteDeadline(end)
}
