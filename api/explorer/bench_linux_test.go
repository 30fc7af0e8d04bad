package explorer_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkPages measures pages from the request to the last compressed byte. Pages are rendered
// each time or come from the cache. cpu-ms/op is the CPU time of the process, which does not depend
// on the load of the machine. EXPLORER_DATA is the folder of the snapshot to use, such as a
// full-size one; by default it is the snapshot of the tests. The case formulas requests a hundred
// formulas in turn.
func BenchmarkPages(b *testing.B) {
	s := start(b, config{dir: os.Getenv("EXPLORER_DATA")})
	for _, page := range []struct {
		name  string
		paths []string
	}{
		{"start", []string{"/"}}, {"patterns", []string{"/patterns"}}, {"search", []string{"/search?q=renshen"}}, {"species", s.found(b, "species?pageSize=1&q=人参")}, {"herb", s.found(b, "herbs?pageSize=1&q=人参")},
		{"formula", s.found(b, "formulas?pageSize=1&q=桂枝汤")}, {"formulas", s.found(b, "formulas?pageSize=100&q=汤")},
	} {
		b.Run(page.name, func(b *testing.B) {
			began := used(b)
			for i := 0; b.Loop(); i++ {
				// Each request has another query, so its page is not cached.
				s.ask(b, page.paths[i%len(page.paths)], fmt.Sprintf("n=%d", i))
			}
			b.ReportMetric(float64(used(b)-began)/float64(time.Millisecond)/float64(b.N), "cpu-ms/op")
		})
		b.Run(page.name+"-kept", func(b *testing.B) {
			began := used(b)
			for b.Loop() {
				s.ask(b, page.paths[0], "")
			}
			b.ReportMetric(float64(used(b)-began)/float64(time.Millisecond)/float64(b.N), "cpu-ms/op")
		})
	}
}

// used returns the CPU time that this process has used.
func used(tb testing.TB) time.Duration {
	tb.Helper()
	var r syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// found returns the paths of the pages of all records that a query of the API lists.
func (s *site) found(tb testing.TB, query string) (paths []string) {
	tb.Helper()
	a := s.get(tb, "/api/v1/"+query, "X-Api-Key", s.key, "Accept", "application/json")
	var found struct{ Items []struct{ URL string } }
	if err := json.Unmarshal([]byte(a.body), &found); err != nil || len(found.Items) == 0 {
		tb.Fatalf("%s: %v: %s", query, err, a.body)
	}
	for _, item := range found.Items {
		paths = append(paths, strings.TrimPrefix(item.URL, s.URL))
	}
	return paths
}

// ask answers a request without a connection.
func (s *site) ask(tb testing.TB, path, query string) {
	tb.Helper()
	if query != "" && strings.Contains(path, "?") {
		path += "&" + query
	} else if query != "" {
		path += "?" + query
	}
	r, err := http.NewRequest(http.MethodGet, path, nil)
	must(tb, err)
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Accept-Encoding", "gzip")
	w := &counted{header: http.Header{}}
	if s.Config.Handler.ServeHTTP(w, r); w.status != http.StatusOK {
		tb.Fatalf("%s: %d", path, w.status)
	}
}

// counted is a ResponseWriter that discards the answer.
type counted struct {
	header http.Header
	status int
}

func (c *counted) Header() http.Header         { return c.header }
func (c *counted) WriteHeader(status int)      { c.status = status }
func (c *counted) Write(b []byte) (int, error) { return len(b), nil }

// mostCompressed is the largest compressed size of a page in bytes.
const mostCompressed = 30_000

// TestPagesAreSmall checks the compressed size of the most frequent pages, the style sheet and the
// script.
func TestPagesAreSmall(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{"/", "/patterns", "/search?q=renshen", "/species/" + ginseng, "/herbs/" + ginsengHerb, "/formulas/" + guizhiTang, "/compare?formulas=" + guizhiTang + ",9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02"} {
		a := s.page(t, path)
		size := &length{}
		z := gzip.NewWriter(size)
		if _, err := io.WriteString(z, a.body); err != nil {
			t.Fatal(err)
		}
		must(t, z.Close())
		if size.n > mostCompressed {
			t.Errorf("%s has %d bytes compressed, want %d at most", path, size.n, mostCompressed)
		}
		if a := s.get(t, path, "Accept-Encoding", "gzip"); a.header.Get("Content-Encoding") != "gzip" && len(a.body) > 4096 {
			t.Errorf("%s of %d bytes goes out as it is", path, len(a.body))
		}
	}
}

// length counts the bytes written to it.
type length struct{ n int }

func (l *length) Write(b []byte) (int, error) {
	l.n += len(b)
	return len(b), nil
}
