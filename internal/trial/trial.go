// Package trial has helpers that tests of several packages share: running
// programs, waiting, and bounds of memory.
package trial

import (
	"net"
	"os"
	"os/exec"
	"runtime/metrics"
	"sync"
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

// Versitygw runs an S3 store on a folder, each of whose folders is a bucket,
// until the test ends or end is called.
func Versitygw(t testing.TB, address, folder, access, secret string) (end func()) {
	t.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("versitygw is missing, and CI must try this; .ci/run installs it")
		}
		t.Skip("NOT TESTED: needs versitygw, an S3 store; .ci/run says how to install it")
	}
	cmd := exec.Command(program, "--port", address, "--quiet", "--region", "us-east-1", "posix", folder)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+access, "ROOT_SECRET_KEY="+secret)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it may have been before
		_ = cmd.Wait()         // it was killed
	})
	t.Cleanup(end)
	Until(t, 30*time.Second, "versitygw listens", func() bool {
		c, err := net.Dial("tcp", address)
		return err == nil && c.Close() == nil
	})
	return end
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

// Bound is how much a parser may allocate for an input of n bytes, in bytes.
// What a parser needs at least is in it, and what a careful one makes of a byte.
func Bound(n int) uint64 { return 64<<20 + 64*uint64(n) }

// Allocates runs f, and ends the test if that allocates more than limit bytes
// in all, also if they are free again. Nothing else may run meanwhile. A fuzz
// target puts a parser of bytes from outside into f.
func Allocates(t testing.TB, limit uint64, f func()) {
	t.Helper()
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	if got := sample[0].Value.Uint64() - before; got > limit {
		t.Fatalf("%d bytes are allocated, want at most %d", got, limit)
	}
}
