//go:build linux

package faults_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// server is a running "bencao serve".
type server struct {
	*site
	process     *os.Process
	addr, admin string // the addresses for clients and for operators, as host:port
	client      *http.Client
	diary       *diary
	ended       chan struct{} // closed when the process has ended
	err         error         // how the process ended; set before ended is closed
}

// diary collects the log of the server. It leaves out the lines of requests, because they are many,
// except the lines of smuggled requests.
type diary struct {
	mu    sync.Mutex
	lines []string
	asked map[string]bool // ids of the requests whose lines were read
}

var requestID = regexp.MustCompile(`"request":"([^"]+)"`)

func (d *diary) add(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !strings.Contains(line, `"msg":"request"`) || strings.Contains(line, smuggler) {
		d.lines = append(d.lines, strings.TrimSpace(line))
	}
	if id := requestID.FindStringSubmatch(line); id != nil {
		if d.asked == nil {
			d.asked = map[string]bool{}
		}
		d.asked[id[1]] = true
	}
}

// logSoFar returns the diary after it has read all lines that the server had written before this
// call. Lines of other clients' requests may be missing, because the server sends a response before
// it logs the request.
func (s *server) logSoFar(t testing.TB) *diary {
	t.Helper()
	s.logged(t, s.get(t, "/stats"))
	return s.diary
}

// logged waits until the diary has read the line of the request with response r, and so all lines
// before that line.
func (s *server) logged(t testing.TB, r reply) {
	t.Helper()
	id := r.header.Get("X-Request-Id")
	until(t, "the log has the line of request "+id, func() bool {
		s.diary.mu.Lock()
		defer s.diary.mu.Unlock()
		return s.diary.asked[id]
	})
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.lines, "\n")
}

// serve starts a server for the site. When the test ends, the server gets SIGTERM and must end with
// exit code 0.
func (s *site) serve(t testing.TB, flags ...string) *server {
	t.Helper()
	return s.serveUnder(t, nil, flags...)
}

// serveUnder is [site.serve] with a wrapper: a command that executes the server, such as prlimit
// with its flags.
func (s *site) serveUnder(t testing.TB, wrapper []string, flags ...string) *server {
	t.Helper()
	return s.serveWith(t, wrapper, nil, flags...)
}

// serveWith is [site.serveUnder] with files that the server inherits as its descriptors from 3 on.
func (s *site) serveWith(t testing.TB, wrapper []string, files []*os.File, flags ...string) *server {
	t.Helper()
	line := slices.Concat(wrapper, []string{
		program(), "serve", "--data", s.data, "--access", s.access, "--log", "json",
		"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--address-rate", "1000000",
	}, flags)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.ExtraFiles = files
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	srv := &server{site: s, process: cmd.Process, diary: &diary{}, ended: make(chan struct{}), client: newClient()}
	serving := make(chan struct{})
	go func() {
		srv.read(stderr, serving)
		srv.err = cmd.Wait()
		close(srv.ended)
	}()
	t.Cleanup(func() { srv.stop(t) })
	select {
	case <-serving:
	case <-srv.ended:
		t.Fatalf("the server ended at once: %v\n%s", srv.err, srv.diary)
	case <-time.After(patience):
		t.Fatalf("the server does not serve after %s:\n%s", patience, srv.diary)
	}
	return srv
}

// read reads the log into the diary until the process ends. When the server reports its addresses,
// read stores them and closes serving.
func (s *server) read(stderr io.Reader, serving chan struct{}) {
	in := bufio.NewReaderSize(stderr, 64<<10)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			s.diary.add(line)
		}
		var said struct{ Msg, Address, Admin string }
		if serving != nil && strings.Contains(line, `"msg":"serving"`) && json.Unmarshal([]byte(line), &said) == nil {
			s.addr, s.admin = said.Address, said.Admin
			close(serving)
			serving = nil
		}
		if err != nil {
			return
		}
	}
}

// stop ends the server by SIGTERM. It checks the exit code, and that the log has no panic and no
// other sign of a mistake in the program.
func (s *server) stop(t testing.TB) {
	s.client.CloseIdleConnections()
	if err := s.process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	select {
	case <-s.ended:
	case <-time.After(patience):
		t.Errorf("the server does not end after SIGTERM:\n%s", s.diary)
		if err := s.process.Kill(); err != nil {
			t.Error(err)
		}
		<-s.ended
	}
	if s.err != nil {
		t.Errorf("the server ended with %v, want exit code 0:\n%s", s.err, s.diary)
	}
	for _, never := range []string{"panic", "fatal error", "DATA RACE", "superfluous"} {
		if strings.Contains(s.diary.String(), never) {
			t.Errorf("the server's log holds %q:\n%s", never, s.diary)
		}
	}
}

// hangup sends SIGHUP, so that the server looks for a new snapshot at once.
func (s *server) hangup(t testing.TB) {
	t.Helper()
	must(t, s.process.Signal(syscall.SIGHUP))
}

// newClient returns a client with its own pool of connections.
func newClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
		Timeout:   patience,
	}
}

// reply is a complete response.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a GET with a key, or without one if key is "". headers has pairs of name and value.
func ask(c *http.Client, url, key string, headers ...string) (reply, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return reply{}, err
	}
	if key != "" {
		req.Header.Set("X-Api-Key", key)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := c.Do(req)
	if err != nil {
		return reply{}, err
	}
	body, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, body}, errors.Join(err, resp.Body.Close())
}

// url returns the address of a path below /api/v1.
func (s *server) url(path string) string { return "http://" + s.addr + "/api/v1" + path }

// get requests a path with the key for everything.
func (s *server) get(t testing.TB, path string) reply {
	t.Helper()
	return s.with(t, s.all, path)
}

// with requests a path with the given key. headers has pairs of name and value.
func (s *server) with(t testing.TB, key, path string, headers ...string) reply {
	t.Helper()
	r, err := ask(s.client, s.url(path), key, headers...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", path, err, s.diary)
	}
	return r
}

// want fails the test unless the response has the status.
func (r reply) want(t testing.TB, status int) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %.500s", r.status, status, r.body)
	}
	return r
}

// version returns the id of the snapshot that the response comes from.
func (r reply) version() string { return r.header.Get("X-Data-Version") }

// plants returns the number of plants that /stats reports.
func (s *server) plants(t testing.TB) int {
	t.Helper()
	var stats struct{ PlantTaxa int }
	must(t, json.Unmarshal(s.get(t, "/stats").want(t, http.StatusOK).body, &stats))
	return stats.PlantTaxa
}

// readiness is the response of /readyz.
type readiness struct {
	Ready, Stale, AccessStale bool
	Snapshot                  string
	Reason, AccessReason      *string
}

func (s *server) ready(t testing.TB) readiness {
	t.Helper()
	r, err := ask(s.client, "http://"+s.admin+"/readyz", "")
	must(t, err)
	var is readiness
	must(t, json.Unmarshal(r.body, &is))
	return is
}

// metric returns the sum of all samples in /metrics whose lines start with begin.
func (s *server) metric(t testing.TB, begin string) float64 {
	t.Helper()
	r, err := ask(s.client, "http://"+s.admin+"/metrics", "")
	must(t, err)
	var sum float64
	for line := range strings.Lines(string(r.body)) {
		if !strings.HasPrefix(line, begin) {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(strings.TrimSpace(line), ' ')+1:]), 64)
		must(t, err)
		sum += v
	}
	return sum
}

// proc returns the content of a file in the folder of the process in /proc.
func (s *server) proc(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.process.Pid, name))
	must(t, err)
	return string(b)
}

// descriptors returns the number of open files of the process.
func (s *server) descriptors(t testing.TB) int {
	t.Helper()
	names, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.process.Pid))
	must(t, err)
	return len(names)
}

// maps returns the number of memory mappings of files in the data folder, and of all other
// mappings.
func (s *server) maps(t testing.TB) (files, others int) {
	t.Helper()
	for line := range strings.Lines(s.proc(t, "maps")) {
		if strings.Contains(line, s.data) {
			files++
		} else {
			others++
		}
	}
	return files, others
}

// memory returns the resident memory of the process in MiB.
func (s *server) memory(t testing.TB) int {
	t.Helper()
	return s.resident(t, "VmRSS:")
}

// resident returns the value of a line in the status file of the process, in MiB.
func (s *server) resident(t testing.TB, name string) int {
	t.Helper()
	for line := range strings.Lines(s.proc(t, "status")) {
		if value, ok := strings.CutPrefix(line, name); ok {
			kib, err := strconv.Atoi(strings.Fields(value)[0])
			must(t, err)
			return kib >> 10
		}
	}
	t.Fatalf("/proc has no %s", name)
	return 0
}
