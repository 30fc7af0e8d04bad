package api

import (
	"errors"
	"net/http"
	"strings"

	"bencao/api/access"

	"github.com/gin-gonic/gin"
)

// admitPages decides whether the client may see the page at path.
func (s *Server) admitPages(r access.Request, path string) (access.Admission, error) {
	if s.opt.PagesKey == "" {
		return s.gate.AdmitPublic(r)
	}
	admission, err := s.gate.AdmitPages(r, s.opt.PagesKey)
	if err != nil && !errors.Is(err, access.ErrLimit) && s.pages[path].Public {
		return s.gate.AdmitPublic(r)
	}
	return admission, err
}

// pageVary lists the request headers that pages depend on.
const pageVary = "Accept-Language, Accept-Encoding, Accept"

// forPeople reports whether a request should be answered with a page: its path is that of a page,
// or its path is unknown and the client prefers HTML.
func (s *Server) forPeople(c *gin.Context) bool {
	if s.opt.Pages == nil {
		return false
	}
	if _, ok := s.pages[c.FullPath()]; ok {
		return true
	}
	if s.opt.PagesKey == "" || c.FullPath() != "" || strings.HasPrefix(c.Request.URL.Path, prefix) {
		return false
	}
	form, ok := negotiate(c.Request.Header.Values("Accept"), formatJSON, formatHTML)
	return ok && form == formatHTML
}

// takesForm reports whether a request has the body of a form that its page accepts. The body's
// length must be known. It is unknown if the request has a Transfer-Encoding, as in request
// smuggling.
func (s *Server) takesForm(c *gin.Context) bool {
	r := c.Request
	return r.Method == http.MethodPost && r.ProtoAtLeast(1, 1) && len(r.TransferEncoding) == 0 &&
		r.ContentLength <= s.pages[c.FullPath()].Form
}

// visit returns the Visit of a request.
func (s *Server) visit(c *gin.Context, call *call) *Visit {
	call.vary = pageVary
	if call.turn.of == nil {
		call.turn = call.newTurn(s.pages[c.FullPath()].Long)
	}
	v := &Visit{Path: c.FullPath(), RequestID: call.id, Scopes: call.scopes(), call: call, param: c.Param, routes: s.byOp, program: s.opt.Version}
	v.License, v.CiteAs = call.terms.license, call.terms.citeAs
	v.Contact = s.opt.Contact
	if id, named := askedVersion(c.Request); named && call.unavailable == nil {
		current, release := s.live.Acquire()
		if id != current.meta.ID {
			v.Earlier = id
		}
		release()
	}
	return v
}
