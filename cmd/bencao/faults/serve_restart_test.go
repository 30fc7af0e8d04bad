//go:build linux

package faults_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/internal/test/testkit"
)

// TestRestartOnHeldSocket restarts a server ten times on a socket that stays open, as systemd does.
// Meanwhile clients send requests on open and on new connections, and five clients slowly read
// lists of megabytes. A request during a restart must wait and get its response, and every list
// must be complete.
func TestRestartOnHeldSocket(t *testing.T) {
	const restarts, slow = 10, 5
	s := newSite(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	held, err := l.(*net.TCPListener).File()
	must(t, err)
	must(t, l.Close())
	t.Cleanup(func() { must(t, held.Close()) })
	// LISTEN_PID must be the process id of the server, as with systemd.
	activate := []string{"sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=api exec "$@"`, "sh"}
	srv := s.serveWith(t, activate, []*os.File{held})
	load := steady(srv.keeper("/stats"), srv.visitor("/stats"), srv.keeper("/species?pageSize=2"), srv.visitor("/species/"+manyUses))
	var readers []func() error
	for range slow {
		readers = append(readers, srv.dawdler())
	}
	lists := steady(readers...)
	for range restarts {
		load.until(t, 200)
		must(t, srv.process.Signal(syscall.SIGTERM))
		<-srv.ended
		srv = s.serveWith(t, activate, []*os.File{held})
	}
	load.until(t, 200)
	load.stop(t, restarts*200)
	lists.stop(t, slow)
	t.Logf("%d restarts: %d requests and %d slow lists of megabytes, none failed", restarts, load.asked.Load(), lists.asked.Load())
}

// TestSocketActivation starts the server by a program of systemd, with one socket for requests and
// one for operators.
func TestSocketActivation(t *testing.T) {
	activate := tool(t, "systemd-socket-activate")
	s := newSite(t)
	dir := t.TempDir()
	var addresses []string
	for _, name := range []string{"api", "admin"} {
		addresses = append(addresses, filepath.Join(dir, name))
	}
	cmd := exec.Command(activate, "-l", addresses[0], "-l", addresses[1], "--fdname=api:admin",
		program(), "serve", "--data", s.data, "--access", s.access, "--log", "json", "--listen", "127.0.0.1:1", "--admin", "127.0.0.1:1", "--site-url", "https://x.example")
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	srv := &server{site: s, process: cmd.Process, diary: &diary{}, ended: make(chan struct{})}
	serving := make(chan struct{})
	go func() {
		srv.read(stderr, serving)
		srv.err = cmd.Wait()
		close(srv.ended)
	}()
	srv.client = unixClient(addresses[0])
	t.Cleanup(func() { srv.stop(t) })
	until(t, "the sockets exist", func() bool {
		_, err := os.Stat(addresses[1])
		return err == nil
	})
	operators := unixClient(addresses[1])
	defer operators.CloseIdleConnections()
	r, err := ask(srv.client, "http://localhost/api/v1/stats", s.all, "X-Forwarded-For", "127.0.0.1")
	must(t, err)
	r.want(t, http.StatusOK)
	r, err = ask(operators, "http://localhost/readyz", "")
	must(t, err)
	r.want(t, http.StatusOK)
	operators.CloseIdleConnections()
	srv.stop(t)
	for _, path := range addresses {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the server removed a socket that belongs to systemd: %v", err)
		}
	}
}

// TestTermWhileStarting sends SIGTERM to servers that have opened their socket but not yet the
// snapshot. They must end with exit code 0.
func TestTermWhileStarting(t *testing.T) {
	const starts = 10
	s := newSite(t)
	early := 0
	for range starts {
		address := testkit.FreeAddress(t)
		cmd := exec.Command(program(), "serve", "--data", s.data, "--access", s.access, "--log", "json", "--listen", address, "--admin", "off")
		var log strings.Builder
		cmd.Stderr = &log
		must(t, cmd.Start())
		until(t, "the address is bound", func() bool {
			c, err := net.Dial("tcp", address)
			if err == nil {
				c.Close() // nothing was sent, so an error does not matter
			}
			return err == nil
		})
		must(t, cmd.Process.Signal(syscall.SIGTERM))
		if err := cmd.Wait(); err != nil || !strings.Contains(log.String(), `"msg":"stopped"`) {
			t.Errorf("a server that gets SIGTERM while it starts ends with %v: %s", err, log.String())
		}
		if !strings.Contains(log.String(), `"msg":"serving"`) {
			early++
		}
	}
	if early == 0 {
		t.Errorf("all %d servers were serving before SIGTERM, so the test covers too little", starts)
	}
	t.Logf("%d of %d servers got SIGTERM before they were serving", early, starts)
}

// unixClient returns a client that connects to a unix socket.
func unixClient(path string) *http.Client {
	return &http.Client{
		Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}},
		Timeout: patience,
	}
}

// TestUnixSocketOfServer kills a server that listens on a unix socket. A new server on the same
// path must work, and must remove the socket when it ends.
func TestUnixSocketOfServer(t *testing.T) {
	s := newSite(t)
	path := filepath.Join(t.TempDir(), "api.sock")
	flags := []string{"--listen", "unix:" + path + "?mode=0600"}
	killed := exec.Command(program(), append([]string{"serve", "--data", s.data, "--access", s.access, "--admin", "off"}, flags...)...)
	must(t, killed.Start())
	until(t, "it listens", func() bool {
		c, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			c.Close() // nothing was sent, so an error does not matter
		}
		return err == nil
	})
	must(t, killed.Process.Kill())
	if err := killed.Wait(); err == nil {
		t.Error("a killed server ends without an error")
	}
	srv := s.serve(t, flags...)
	srv.client = unixClient(path)
	srv.addr = "localhost"
	stats := func(headers ...string) reply { return srv.with(t, s.all, "/stats", headers...) }
	stats("X-Forwarded-For", "127.0.0.1").want(t, http.StatusOK)
	stats("X-Forwarded-For", "192.0.2.1").want(t, http.StatusForbidden)
	stats().want(t, http.StatusForbidden)
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has the mode %v, want 0600", info.Mode())
	}
	srv.stop(t)
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is still there")
	}
}
