package api

import (
	"net/http"
	"strings"
	"time"

	"bencao/api/problem"
	"bencao/store/snapshot"

	"github.com/gin-gonic/gin"
)

// versionHeader names the version of the data: on an answer that which answers,
// on a request that which must.
const versionHeader = "X-Data-Version"

// versionWait is the seconds after which a version may have come.
const versionWait = 5

// dataFor is the snapshot for a request: the current one, or the one that the
// request to the API began with, as long as that stays open. If it is not here,
// the fault says so, and the current one stands in for it.
func (s *Server) dataFor(r *http.Request) (b *Backend, release func(), lacking *problem.Fault) {
	asked := r.Header[versionHeader]
	if asked == nil || !strings.HasPrefix(r.URL.Path, prefix+"/") {
		b, release = s.live.Acquire()
		return b, release, nil
	}
	id := strings.Join(asked, ", ")
	if b, release, ok := s.live.AcquireThat(func(b *Backend) bool { return b.meta.ID == id }); ok {
		return b, release, nil
	}
	b, release = s.live.Acquire()
	current := b.meta.ID
	switch {
	case !snapshot.ValidID(id):
		lacking = problem.New(problem.BadParameter, problem.VersionForm.With(problem.Quote(id)))
	case id > current && !snapshot.FromFuture(id, time.Now()) && !s.opt.Withdrawn(id):
		lacking = problem.New(problem.VersionAhead, problem.VersionNotHere.With(id, current, versionWait))
		lacking.Retry = versionWait
	default:
		lacking = problem.New(problem.VersionGone, problem.VersionOver.With(id, current))
	}
	return b, release, lacking
}

// pinned refuses a request for a version of the data that is not here: it is
// never answered from another.
func (s *Server) pinned(c *gin.Context) {
	if lacking := callOf(c.Request.Context()).lacking; lacking != nil {
		s.fail(c, lacking)
	}
}
