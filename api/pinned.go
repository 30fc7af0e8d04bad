package api

import (
	"net/http"
	"strings"
	"time"

	"bencao/api/problem"
	"bencao/store/snapshot"

	"github.com/gin-gonic/gin"
)

// versionWait is the value of Retry-After, in seconds, in answers to requests for a version that is
// newer than the current one and may soon arrive.
const versionWait = 5

// dataFor returns the snapshot for a request: the version that the request asks for, or the current
// one. If the requested version is not available, unavailable is the reason and b is the current
// snapshot.
func (s *Server) dataFor(r *http.Request) (b *Backend, release func(), unavailable *problem.Fault) {
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
		unavailable = problem.New(problem.BadParameter, problem.VersionForm.With(problem.Quote(id)))
	case id > current && !snapshot.FromFuture(id, time.Now()) && !s.opt.Withdrawn(id):
		unavailable = problem.New(problem.VersionAhead, problem.VersionNotHere.With(id, current, versionWait))
		unavailable.Retry = versionWait
	default:
		unavailable = problem.New(problem.VersionGone, problem.VersionOver.With(id, current))
	}
	return b, release, unavailable
}

// pinned refuses a request for a version that is not available. Such a request is never answered
// from another version.
func (s *Server) pinned(c *gin.Context) {
	if unavailable := callOf(c.Request.Context()).unavailable; unavailable != nil {
		s.fail(c, unavailable)
	}
}
