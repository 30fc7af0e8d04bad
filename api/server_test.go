package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/internal/snapshotfiles"
	"bencao/internal/test/testkit"
	"bencao/store"
	"bencao/store/snapshot"
)

const siteURL = "https://bencao.example"

// config configures the server of a test.
type config struct {
	listener    func(net.Listener) net.Listener // wraps the server's listener; may be nil
	data        *store.Data                     // nil means records()
	dir         string                          // a snapshot to use instead of data
	site        string                          // "" means siteURL
	addressRate int                             // 0 means a limit that no test reaches
	trusted     []netip.Prefix
	now         func() time.Time
	opt         api.Options
	searches    int
	anonymous   int // rate limit of requests without a key; 0 refuses them
}

// allScopes are all scopes.
const allScopes = access.SpeciesPrescriptions | access.PlantUses | access.Prescriptions |
	access.PrescriptionComposition | access.PrescriptionSimilarity

// keyEntries are the keys in the access file of every test server.
func keyEntries() []access.Entry {
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	away := []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}
	entries := []access.Entry{
		{ID: "all", Scopes: allScopes},
		{ID: "open"},
		{ID: "formulas", Scopes: access.Prescriptions},
		{ID: "composition", Scopes: access.Prescriptions | access.PrescriptionComposition},
		{ID: "similarity", Scopes: access.Prescriptions | access.PrescriptionSimilarity},
		{ID: "species-formulas", Scopes: access.SpeciesPrescriptions},
		{ID: "uses", Scopes: access.PlantUses},
		{ID: "away", Scopes: allScopes, Networks: away},
		{ID: "disabled", Scopes: allScopes, Disabled: true},
		{ID: "expired", Scopes: allScopes, Expires: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)},
		{ID: "three", Scopes: allScopes, Rate: 3},
		{ID: "sixty", Rate: 60},
		{ID: "eleven", Scopes: allScopes, Rate: 11},
		{ID: "until-nine", Scopes: allScopes, Expires: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)},
	}
	for i := range entries {
		if entries[i].Networks == nil {
			entries[i].Networks = local
		}
		if entries[i].Rate == 0 {
			entries[i].Rate = access.MaxRate
		}
	}
	return entries
}

// site is a running server.
type site struct {
	URL    string
	addr   string
	keys   map[string]string // keys in plain text, by id
	live   *snapshot.Live[*api.Backend]
	server *api.Server
	log    *logBuffer
	access *access.File
	path   string // path of the access file
	client *http.Client
	stop   func() error // shuts the server down and waits until it has ended
}

// logBuffer collects log lines from many goroutines.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// backend opens a new snapshot of d.
func backend(tb testing.TB, d *store.Data, id string, searches int) *api.Backend {
	tb.Helper()
	return backendAt(tb, buildSnapshot(tb, d), siteURL, id, searches)
}

// backendAt opens the existing snapshot in dir.
func backendAt(tb testing.TB, dir, site, id string, searches int) *api.Backend {
	tb.Helper()
	return backendOf(tb, dir, site, id, searches, snapshotfiles.All)
}

// backendOf opens parts of the existing snapshot in dir.
func backendOf(tb testing.TB, dir, site, id string, searches int, parts snapshotfiles.Part) *api.Backend {
	tb.Helper()
	b, err := api.OpenBackend(dir, api.Meta{
		ID: id, SiteURL: site, Searches: searches, Parts: parts, Built: time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC),
		Dataset: []byte(`{"@type": "Dataset", "creditText": "Plants of China. version 7"}`),
		Sources: []snapshot.Source{{Kind: "data package", Name: "plants", Version: "7"}, {Kind: "WCVP", Name: "World Checklist of Vascular Plants", Version: "v13"}},
	})
	must(tb, err)
	b.SetTurnWait(testkit.Patience)
	return b
}

// start runs a server on its own port until the test ends.
func start(tb testing.TB, c config) *site {
	tb.Helper()
	switch {
	case c.data != nil:
		c.dir, c.site = buildSnapshot(tb, c.data), siteURL
	case c.dir == "":
		c.dir, c.site = usual.Dir(tb), siteURL
	}
	if c.addressRate == 0 {
		c.addressRate = access.MaxRate
	}
	s := &site{keys: map[string]string{}, log: &logBuffer{}}
	s.writeAccess(tb, c.anonymous)
	gate := access.NewGate(s.access.Table, access.NewClients(c.trusted), access.GateOptions{AddressRate: c.addressRate, Now: c.now})
	s.live = snapshot.NewLive(backendAt(tb, c.dir, c.site, "20261120T021500Z-000001", c.searches), func(b *api.Backend) {
		if err := b.Close(); err != nil {
			tb.Error(err)
		}
	})
	if c.opt.Timeout == 0 {
		c.opt.Timeout = testkit.Patience // so that no request of a slow machine is too slow
	}
	if c.opt.Drain == 0 {
		c.opt.Drain = testkit.Patience
	}
	c.opt.Log = slog.New(slog.NewJSONHandler(s.log, nil))
	server, err := api.New(s.live, gate, c.opt)
	must(tb, err)
	s.server = server
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(tb, err)
	s.addr = l.Addr().String()
	s.URL = "http://" + s.addr
	transport := &http.Transport{DisableCompression: true}
	s.client = &http.Client{Transport: transport}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	if c.listener != nil {
		l = c.listener(l)
	}
	go func() { done <- s.server.Serve(ctx, l) }()
	s.stop = sync.OnceValue(func() error {
		transport.CloseIdleConnections()
		cancel()
		if err := <-done; err != nil {
			return err
		}
		return s.live.Close(context.Background())
	})
	tb.Cleanup(func() {
		if err := s.stop(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// writeAccess writes the access file and opens it.
func (s *site) writeAccess(tb testing.TB, anonymous int) {
	tb.Helper()
	s.path = filepath.Join(tb.TempDir(), "access.toml")
	for _, e := range keyEntries() {
		secret, err := access.Create(s.path, e)
		must(tb, err)
		s.keys[e.ID] = secret.Reveal()
	}
	if anonymous > 0 {
		text, err := os.ReadFile(s.path)
		must(tb, err)
		text = append(fmt.Appendf(nil, "[anonymous]\nrate = %d\n\n", anonymous), text...)
		old := time.Now().Add(-time.Hour) // a file that has just changed does not count yet
		must(tb, errors.Join(os.WriteFile(s.path, text, 0o600), os.Chtimes(s.path, old, old)))
	}
	var err error
	if s.access, err = access.OpenFile(s.path, access.FileOptions{}); err != nil {
		tb.Fatal(err)
	}
}

// reply is a complete answer.
type reply struct {
	*http.Response
	body      []byte
	operation string // operation in the OpenAPI document
}

// decode decodes the JSON of an answer.
func decode[T any](tb testing.TB, r reply) T {
	tb.Helper()
	var v T
	if err := json.Unmarshal(r.body, &v); err != nil {
		tb.Fatalf("%s %s: %v in %q", r.Request.Method, r.Request.URL, err, r.body)
	}
	return v
}

// do sends a request with the key whose id is key, or without a key if key is "". headers are pairs
// of name and value.
func (s *site) do(tb testing.TB, method, path, key string, headers ...string) reply {
	tb.Helper()
	req, err := http.NewRequest(method, s.URL+path, nil)
	must(tb, err)
	if key != "" {
		req.Header.Set("X-Api-Key", s.keys[key])
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return s.send(tb, req)
}

// send sends a request and checks the answer against the OpenAPI document.
func (s *site) send(tb testing.TB, req *http.Request) reply {
	tb.Helper()
	resp, err := s.client.Do(req)
	must(tb, err)
	body, err := io.ReadAll(resp.Body)
	must(tb, err)
	must(tb, resp.Body.Close())
	r := reply{Response: resp, body: body}
	r.operation = conforms(tb, r)
	return r
}

// get sends a GET request with a key that has all scopes.
func (s *site) get(tb testing.TB, path string, headers ...string) reply {
	tb.Helper()
	return s.do(tb, http.MethodGet, path, "all", headers...)
}

// wantStatus fails the test unless the answer has the status.
func (r reply) wantStatus(tb testing.TB, status int) reply {
	tb.Helper()
	if r.StatusCode != status {
		tb.Fatalf("%s %s: status %d, want %d: %s", r.Request.Method, r.Request.URL.RequestURI(), r.StatusCode, status, r.body)
	}
	return r
}
