package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"bencao/internal/null"
	"bencao/names"
	"bencao/names/bulk"
)

// server returns a client of a server that answers successive requests with these statuses.
func server(tb testing.TB, statuses ...int) *Client {
	tb.Helper()
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked >= len(statuses) || r.Header.Get("X-Api-Key") != "key" || r.URL.Query().Get("name") != "Panax ginseng" || r.URL.Query().Get("author") != "C.A.Mey." {
			tb.Errorf("request %d: %s", asked+1, r.URL)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		status := statuses[asked]
		asked++
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(status)
		if status == http.StatusOK {
			fmt.Fprint(w, `[{"canonicalName":"Panax ginseng","matchedVia":"acceptedName","results":[{"acceptedName":"Panax ginseng","wfoId":null}]}]`)
		} else {
			fmt.Fprintf(w, `{"detail":"because of %d"}`, status)
		}
	}))
	tb.Cleanup(func() {
		s.Close()
		if asked != len(statuses) {
			tb.Errorf("%d requests, want %d", asked, len(statuses))
		}
	})
	c, err := Server(s.URL, "key")
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

var ginseng = []names.Query{{Name: "Panax ginseng", Author: "C.A.Mey."}}

func TestWaitsForTheLimit(t *testing.T) {
	limits := make([]int, maxRetries+2) // waits for the limit do not count as failures
	for i := range limits {
		limits[i] = http.StatusTooManyRequests
	}
	all, err := server(t, append(limits, http.StatusOK)...).Match(context.Background(), ginseng)
	if err != nil || len(all) != 1 {
		t.Fatalf("got %+v, %v; want one answer", all, err)
	}
	if got := all[0]; got.Err != nil || len(got.Results) != 1 || got.Results[0].AcceptedName != "Panax ginseng" || got.Results[0].WFOID != "" {
		t.Errorf("got %+v; want Panax ginseng", got)
	}
}

// TestAsksForManyAtOnce checks that a long list takes few requests: 50,000 names take less
// than ten minutes with a limit of 60 requests a minute. If the server refuses a name, only the row
// of that name may fail.
func TestAsksForManyAtOnce(t *testing.T) {
	const rows = 50_000
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		in := r.URL.Query()
		all := make([]names.Response, len(in["name"]))
		for i, name := range in["name"] {
			all[i] = names.Response{CanonicalName: null.Text(name), Results: []names.Entry{}}
			if name == "Malum 7" || len(all) > 100 || len(r.URL.RawQuery) > 14<<10 || in["author"][i] != "L." {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
		}
		if err := json.NewEncoder(w).Encode(all); err != nil {
			t.Error(err)
		}
	}))
	defer s.Close()
	c, err := Server(s.URL, "key")
	if err != nil {
		t.Fatal(err)
	}
	var in, out strings.Builder
	in.WriteString("scientificName,author\n")
	for i := range rows {
		fmt.Fprintf(&in, "Malum %d,L.\n", i)
	}
	stats, err := bulk.Run(t.Context(), c.Match, strings.NewReader(in.String()), &out, bulk.Options{})
	if err != nil || stats.Rows != rows || stats.Unreadable != 1 {
		t.Fatalf("%+v, %v; want %d rows, and one name that the server refuses", stats, err, rows)
	}
	if n := requests.Load(); n > 10*60-60 {
		t.Errorf("%d names took %d requests; want at most nine minutes at 60 requests a minute", rows, n)
	}
	i := 0
	for line := range strings.Lines(out.String()) {
		want := fmt.Sprintf("Malum %d,L.,%d,Malum %[1]d,", i-1, i)
		if i == 8 {
			want = "Malum 7,L.,8,,"
		}
		if i > 0 && !strings.HasPrefix(line, want) {
			t.Fatalf("line %d is %q, want %q", i, line, want)
		}
		i++
	}
}

func TestErrors(t *testing.T) {
	busy := make([]int, maxRetries+1)
	for i := range busy {
		busy[i] = http.StatusServiceUnavailable
	}
	tests := []struct {
		name     string
		statuses []int
		input    bool // the error is about the row, not about the server
	}{
		{"a name that is refused", []int{http.StatusBadRequest}, true},
		{"a wrong key", []int{http.StatusUnauthorized}, false},
		{"a redirection", []int{http.StatusFound}, false},
		{"a server that stays busy", busy, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, err := server(t, tt.statuses...).Match(context.Background(), ginseng)
			if err == nil && len(all) == 1 {
				err = all[0].Err
			}
			var input *names.InputError
			if err == nil || errors.As(err, &input) != tt.input {
				t.Errorf("the error is %v; want an error, about the input: %v", err, tt.input)
			}
		})
	}
}

func TestStopsWhenToldTo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := server(t).Match(ctx, ginseng); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v; want context.Canceled", err)
	}
}
