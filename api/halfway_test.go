package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// halfway is a ResponseWriter that panics after the header and a part of the body, as an error in
// compression would.
type halfway struct{ http.ResponseWriter }

func (h halfway) Write(b []byte) (int, error) {
	if _, err := h.ResponseWriter.Write(b[:len(b)/2]); err != nil {
		return 0, err
	}
	if err := http.NewResponseController(h.ResponseWriter).Flush(); err != nil {
		return 0, err
	}
	panic("the secret inside")
}

// TestPanicHalfway checks three things after a panic in the middle of an answer: the client notices
// that the answer is incomplete, no error text follows it, and the request's snapshot is released.
func TestPanicHalfway(t *testing.T) {
	s := start(t, config{})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.server.ServeHTTP(halfway{w}, r)
	}))
	defer front.Close()
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		req, err := http.NewRequest(http.MethodGet, front.URL+"/api/v1/species?pageSize=100", nil)
		must(t, err)
		req.Header.Set("X-Api-Key", s.keys["all"])
		req.Header.Set("Accept-Encoding", encoding)
		resp, err := s.client.Do(req)
		if err != nil {
			continue // the connection ended before the header was read
		}
		body, err := io.ReadAll(resp.Body)
		if err == nil {
			t.Errorf("%s: the broken answer reads as a whole one: %.300q", encoding, body)
		}
		if strings.Contains(string(body), "secret") || strings.Contains(string(body), "/problems/") {
			t.Errorf("%s: the answer holds an error behind its first half: %.300q", encoding, body)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
	}
	// Closing the gzip stream writes and panics again. The log may have either of the two panics,
	// but only one for each request.
	if log := s.log.String(); strings.Count(log, `"level":"ERROR"`) != 3 || strings.Count(log, `"error":"panic: `) != 3 || !strings.Contains(log, "the secret inside") {
		t.Errorf("the log does not tell of three panics as errors: %s", log)
	}
	s.get(t, "/api/v1/stats").wantStatus(t, http.StatusOK)
	// The server's shutdown waits until all requests have released the snapshot, so a missing
	// release would make this test hang.
}
