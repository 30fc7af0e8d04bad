package explorer_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
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

// TestDosesFile downloads the doses of a herb as the link on its page does. Each row is an ingredient
// that is this herb, and there is one for each dose that the page counts.
func TestDosesFile(t *testing.T) {
	server, _ := newServer(t, config{dir: sample.Dir(t)}, "https://plants.example")
	get := func(address string) string {
		r := httptest.NewRequest(http.MethodGet, address, nil)
		r.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: status %d: %.300s", address, w.Code, w.Body)
		}
		return w.Body.String()
	}
	table, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(get("/search.csv?"+url.Values{"kind": {"formulas"}, "herbs": {"半夏"}, "forms": {"written"}, "group": {""}, "doses": {"半夏"}}.Encode()), "\ufeff"))).ReadAll()
	must(t, err)
	herbs, dose, guid := slices.Index(table[0], "herbsName"), slices.Index(table[0], "dose"), slices.Index(table[0], "formulaGuid")
	if herbs < 0 || dose < 0 || guid < 0 {
		t.Fatalf("the columns are %q", table[0])
	}
	formulas, doses := map[string]bool{}, 0
	for _, row := range table[1:] {
		if !strings.Contains(row[herbs], "半夏") {
			t.Errorf("the row %q is another herb", row)
		}
		formulas[row[guid]] = true
		if row[dose] != "" {
			doses++
		}
	}
	whole := get("/search.csv?" + url.Values{"kind": {"formulas"}, "herbs": {"半夏"}, "forms": {"written"}, "group": {""}}.Encode())
	if want := strings.Count(whole, "\r\n") - 1; len(formulas) != want || doses < want/2 {
		t.Errorf("doses of %d formulas, %d of them written; %d formulas have the herb", len(formulas), doses, want)
	}
}
