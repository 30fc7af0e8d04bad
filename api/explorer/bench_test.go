package explorer_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
)

// BenchmarkPages measures a page from the question to its last byte, made anew
// each time and, of the first, asked for with its tag. Over the data folder that
// EXPLORER_DATA names the figures are those of an operator; else of the fixture.
func BenchmarkPages(b *testing.B) {
	s := start(b, config{dir: os.Getenv("EXPLORER_DATA")})
	for _, page := range []struct{ name, path string }{
		{"start", "/"}, {"search", "/search?q=renshen"}, {"species", "/species/" + ginseng}, {"herb", "/herbs/" + ginsengHerb}, {"formula", "/formulas/" + guizhiTang},
	} {
		b.Run(page.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				// Another address is another page, which none has made before.
				s.ask(b, page.path, fmt.Sprintf("n=%d", i))
			}
		})
		b.Run(page.name+"-kept", func(b *testing.B) {
			for b.Loop() {
				s.ask(b, page.path, "")
			}
		})
	}
}

// ask asks the server without a connection.
func (s *site) ask(tb testing.TB, path, query string) {
	tb.Helper()
	mark := "?"
	for _, r := range path {
		if r == '?' {
			mark = "&"
		}
	}
	if query != "" {
		path += mark + query
	}
	r, err := http.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Accept", "text/html")
	w := &counted{header: http.Header{}}
	if s.Config.Handler.ServeHTTP(w, r); w.status != http.StatusOK {
		tb.Fatalf("%s: %d", path, w.status)
	}
}

// counted takes an answer and forgets it.
type counted struct {
	header http.Header
	status int
}

func (c *counted) Header() http.Header         { return c.header }
func (c *counted) WriteHeader(status int)      { c.status = status }
func (c *counted) Write(b []byte) (int, error) { return len(b), nil }

// mostCompressed is how many bytes a page may have on the way.
const mostCompressed = 30_000

// TestPagesAreSmall wants the pages that are read most, and their sheet and
// script, to be small.
func TestPagesAreSmall(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{"/", "/search?q=renshen", "/species/" + ginseng, "/herbs/" + ginsengHerb, "/formulas/" + guizhiTang, "/compare?formulas=" + guizhiTang + ",9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02"} {
		a := s.page(t, path)
		size := &length{}
		z := gzip.NewWriter(size)
		if _, err := io.WriteString(z, a.body); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if size.n > mostCompressed {
			t.Errorf("%s has %d bytes compressed, want %d at most", path, size.n, mostCompressed)
		}
		if a := s.get(t, path, "Accept-Encoding", "gzip"); a.header.Get("Content-Encoding") != "gzip" && len(a.body) > 4096 {
			t.Errorf("%s of %d bytes goes out as it is", path, len(a.body))
		}
	}
}

// length counts bytes.
type length struct{ n int }

func (l *length) Write(b []byte) (int, error) {
	l.n += len(b)
	return len(b), nil
}
