package explorer_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// TestWholeTables downloads the tables of all records, with and without compression. Both must be the
// same file with a length. A table of all records must be made once, not for each request.
func TestWholeTables(t *testing.T) {
	server, _ := newServer(t, config{dir: sample.Dir(t)}, "https://plants.example")
	get := func(query, accepts string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/search.csv?"+query, nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("Accept-Encoding", accepts)
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Header().Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
			t.Fatalf("/search.csv?%s with Accept-Encoding %q: status %d, %d bytes, headers %v", query, accepts, w.Code, w.Body.Len(), w.Header())
		}
		return w
	}
	for _, kind := range []string{"species", "herbs", "formulas", "papers"} {
		query := "kind=" + kind
		plain, packed := get(query, "identity").Body.String(), get(query, "gzip")
		unpacked, err := gzip.NewReader(bytes.NewReader(packed.Body.Bytes()))
		must(t, err)
		b, err := io.ReadAll(unpacked)
		must(t, err)
		if packed.Header().Get("Content-Encoding") != "gzip" || string(b) != plain || !strings.HasPrefix(plain, "\ufeff") || !strings.HasSuffix(plain, "\r\n") {
			t.Errorf("%s: the compressed file has encoding %q and differs from the plain one, or begins or ends wrongly", kind, packed.Header().Get("Content-Encoding"))
		}
		whole := testing.AllocsPerRun(5, func() { get(query, "gzip") })
		chosen := testing.AllocsPerRun(5, func() { get(query+"&sort=name", "gzip") })
		if whole > chosen/4 {
			t.Errorf("%s: a download of all records makes %.0f allocations, one in another order %.0f: is it made again each time?", kind, whole, chosen)
		}
	}
	if body := get("kind=species&genus=Panax", "identity").Body.String(); strings.Count(body, "\n") < 2 || strings.Contains(body, "Glycyrrhiza") {
		t.Errorf("a filter is ignored: %.300s", body)
	}
}
