// Package trial is what tests of running programs share.
package trial

import (
	"net"
	"testing"
	"time"
)

// FreeAddress is an address of this machine on which nobody listens.
func FreeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// Until waits for a condition, and ends the test if it is not fulfilled within
// the limit.
func Until(t testing.TB, limit time.Duration, what string, fulfilled func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !fulfilled(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after %s still not: %s", limit, what)
		}
	}
}
