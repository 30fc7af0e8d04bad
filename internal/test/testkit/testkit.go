// Package testkit has helpers that tests of several packages share: they run external programs,
// open connections, wait for conditions and limit memory. Programs must not import it.
package testkit

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// Must ends the test if err is not nil. Tests call it by the name must.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ListenFree listens on a free TCP port below 32768. Linux by default gives higher ports to outgoing
// connections and to listeners that ask for any port. So a test can close the listener and start a
// program on the port; hardly any other process takes the port in between.
func ListenFree() (l net.Listener, err error) {
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(22_768))
		if l, err = net.Listen("tcp", address); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// FreeAddress returns a TCP address of this machine on which no process listens.
func FreeAddress(t testing.TB) string {
	t.Helper()
	l, err := ListenFree()
	Must(t, err)
	Must(t, l.Close())
	return l.Addr().String()
}

// Dial opens a TCP connection that ends with the test. Reads and writes give up after [Patience].
func Dial(t testing.TB, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	Must(t, err)
	t.Cleanup(func() { c.Close() }) // the test or its server may have closed it already
	Must(t, c.SetDeadline(time.Now().Add(Patience)))
	return c
}

// Patience is how long tests wait for something before they fail. Only a broken program makes a test
// wait that long, even on a busy machine.
const Patience = 5 * time.Minute

// WaitFor calls holds again and again until it returns true. If this takes longer than limit,
// WaitFor fails the test with a message that contains condition.
func WaitFor(t testing.TB, limit time.Duration, condition string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain for: %s", limit, condition)
		}
	}
}

// MaxAlloc returns how many bytes a parser may allocate for an input of n bytes: a fixed amount
// for its own needs, and 64 bytes for each byte of input.
func MaxAlloc(n int) uint64 { return 64<<20 + 64*uint64(n) }

// LimitAlloc runs f and fails the test if f allocates more than limit bytes in total, including
// bytes that are freed again. No other goroutine may allocate meanwhile. Fuzz targets use it for
// parsers of untrusted input.
func LimitAlloc(t testing.TB, limit uint64, f func()) {
	t.Helper()
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	if got := sample[0].Value.Uint64() - before; got > limit {
		t.Fatalf("%d bytes were allocated, want at most %d", got, limit)
	}
}

// Table reads a file of lines with two columns and a tab between them, without comments. It returns
// the second column by the first.
func Table(t testing.TB, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	Must(t, err)
	table := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			table[key] = value
		}
	}
	return table
}
