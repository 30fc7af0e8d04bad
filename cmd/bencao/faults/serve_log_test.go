//go:build linux

package faults_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// muted starts a server, reads its log until the server is ready, and then stops reading. It
// returns the reading end of the log.
func (s *site) muted(t *testing.T) (*server, *os.File, *bufio.Reader) {
	t.Helper()
	r, w, err := os.Pipe()
	must(t, err)
	t.Cleanup(func() { r.Close() }) // some tests close it earlier
	cmd := exec.Command(program(), "serve", "--data", s.data, "--access", s.access, "--log", "json",
		"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	cmd.Stderr = w
	must(t, cmd.Start())
	must(t, w.Close())
	srv := &server{site: s, process: cmd.Process, diary: &diary{}, ended: make(chan struct{}), client: newClient()}
	t.Cleanup(func() { srv.stop(t) })
	go func() {
		srv.err = cmd.Wait()
		close(srv.ended)
	}()
	in := bufio.NewReader(r)
	for srv.addr == "" {
		line, err := in.ReadString('\n')
		must(t, err)
		var said struct{ Msg, Address, Admin string }
		if strings.Contains(line, `"msg":"serving"`) && json.Unmarshal([]byte(line), &said) == nil {
			srv.addr, srv.admin = said.Address, said.Admin
		}
	}
	return srv, r, in
}

// requestsOfAMinute is a number of requests whose log lines do not fit into the pipe and the
// server's queue. They are about as many as in a minute.
const requestsOfAMinute = 30_000

// logLoad sends at least [requestsOfAMinute] requests. All must succeed.
func (s *server) logLoad(t *testing.T) {
	t.Helper()
	load := steady(s.keeper("/stats"), s.keeper("/stats"), s.keeper("/stats"), s.visitor("/stats"))
	load.until(t, requestsOfAMinute)
	load.stop(t, requestsOfAMinute)
}

// TestLogReaderStalls leaves the log unread for a time. The server must answer all requests and
// count the lines that it drops. When the log is read again, a line must report how many lines are
// missing, and every line must be complete.
func TestLogReaderStalls(t *testing.T) {
	s := newSite(t)
	srv, _, in := s.muted(t)
	srv.logLoad(t)
	dropped := srv.metric(t, "bencao_log_dropped_lines_total")
	if dropped == 0 {
		t.Fatal("no line counts as dropped, so the test covers too little")
	}
	lines, told := 0, 0.0
	for told == 0 {
		line, err := in.ReadString('\n')
		must(t, err)
		var l struct {
			Msg   string
			Lines float64
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("line %d of the log is incomplete: %v: %q", lines, err, line)
		}
		lines, told = lines+1, told+l.Lines
	}
	if told != dropped {
		t.Errorf("the log reports %v missing lines, the metrics %v", told, dropped)
	}
	go func() { in.WriteTo(&strings.Builder{}) }() // reads the rest of the log
	srv.get(t, "/stats").want(t, 200)
	t.Logf("%d requests while nobody read the log: %v lines were dropped, %d before them kept", requestsOfAMinute, dropped, lines)
}

// TestLogReaderStallsForGood sends SIGTERM to a server whose log is no longer read. The server must
// end anyway.
func TestLogReaderStallsForGood(t *testing.T) {
	s := newSite(t)
	srv, _, _ := s.muted(t)
	srv.logLoad(t)
	must(t, srv.process.Signal(syscall.SIGTERM))
	select {
	case <-srv.ended:
	case <-time.After(patience):
		t.Errorf("the server waits for a process that does not read its log")
	}
}

// TestLogReaderDies closes the reading end of the log. The server must answer all requests and
// count all lines as dropped.
func TestLogReaderDies(t *testing.T) {
	s := newSite(t)
	srv, r, _ := s.muted(t)
	must(t, r.Close())
	srv.logLoad(t)
	until(t, "all lines count as dropped", func() bool { return srv.metric(t, "bencao_log_dropped_lines_total") >= requestsOfAMinute })
}
