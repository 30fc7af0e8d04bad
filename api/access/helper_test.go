package access_test

import (
	"bytes"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"bencao/api/access"
	"bencao/internal/test/testkit"
)

// must ends the test if there is an error.
var must = testkit.Must

// noon is the initial time of the tests' clocks.
var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// clock is a clock that advances only when Go is called.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: noon} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Go(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func network(tb testing.TB, text string) netip.Prefix {
	tb.Helper()
	p, err := access.ParseNetwork(text)
	must(tb, err)
	return p
}

// endLine is the last line of every access file.
const endLine = "# end of access file\n"

// lab returns a key that is valid from 192.0.2.0/24.
func lab(tb testing.TB) access.Entry {
	return access.Entry{ID: "lab", Networks: []netip.Prefix{network(tb, "192.0.2.0/24")}, Scopes: access.Prescriptions, Rate: 600}
}

// newFile returns the path of an access file with the keys, and the keys.
func newFile(tb testing.TB, entries ...access.Entry) (string, []access.Secret) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "access.toml")
	var secrets []access.Secret
	for _, e := range entries {
		s, err := access.Create(path, e)
		if err != nil {
			tb.Fatalf("create key %q: %v", e.ID, err)
		}
		secrets = append(secrets, s)
	}
	return path, secrets
}

func readTable(tb testing.TB, path string) *access.Table {
	tb.Helper()
	t, err := access.Read(path)
	must(tb, err)
	return t
}

func read(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	must(tb, err)
	return data
}

// write overwrites a file in place, as an editor may, and dates it an hour back, so that nobody
// waits for it.
func write(tb testing.TB, path string, data []byte) {
	tb.Helper()
	writeAt(tb, path, data, time.Now().Add(-time.Hour))
}

// writeAt overwrites a file in place and sets its modification time.
func writeAt(tb testing.TB, path string, data []byte, when time.Time) {
	tb.Helper()
	must(tb, errors.Join(os.WriteFile(path, data, 0o600), os.Chtimes(path, when, when)))
}

// mustNotHold fails the test if output contains the key s in plain text. what names the output.
func mustNotHold(tb testing.TB, what string, output []byte, s access.Secret) {
	tb.Helper()
	if bytes.Contains(output, []byte(s.Reveal())) {
		tb.Errorf("%s shows the key: %s", what, output)
	}
}
