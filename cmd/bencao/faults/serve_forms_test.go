//go:build linux

package faults_test

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bencao/internal/test/hostile"
)

// mostMemory is the largest increase of a server's memory while it receives forms, in MiB.
const mostMemory = 256

// open starts a server with the explorer's pages, which trusts a proxy on this machine. It returns
// the server and its folder for temporary files.
func (s *site) open(t *testing.T) (srv *server, temporary string) {
	t.Helper()
	s.key(t, "explorer", "--network", "10.0.0.0/8", "--network", "127.0.0.0/8", "--rate", "1000000", "--scope", "plant_uses",
		"--scope", "prescriptions", "--scope", "prescription_composition", "--scope", "prescription_similarity", "--scope", "species_prescriptions")
	temporary = t.TempDir()
	return s.serveUnder(t, []string{"env", "TMPDIR=" + temporary}, "--explorer", "--trusted-proxy", "127.0.0.1"), temporary
}

// resources holds the resources that an idle server uses.
type resources struct{ memory, routines, descriptors int }

// idle returns the resources of the server when it has no requests. First it requests some pages
// and sends a form, so that the server has built everything that it builds on first use. It also
// resets the peak of the server's memory.
func (s *server) idle(t *testing.T) resources {
	t.Helper()
	for range 20 {
		s.page(t, "127.0.0.9", "/").want(t, http.StatusOK)
	}
	answer := s.sendForm(t, "127.0.0.9", "/match?as=page", list("Panax ginseng\n"))
	answer.want(t, http.StatusOK)
	s.client.CloseIdleConnections()
	until(t, "the first form is answered", func() bool { return s.metric(t, "bencao_http_requests_in_flight") == 0 })
	must(t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.process.Pid), []byte("5"), 0))
	return resources{s.memory(t), int(s.metric(t, "go_goroutines")), s.descriptors(t)}
}

// settled checks that the server uses no more resources than before, that the peak of its memory
// was low, and that it left no temporary files.
func (s *server) settled(t *testing.T, before resources, temporary string) {
	t.Helper()
	s.client.CloseIdleConnections()
	until(t, "no request is in flight", func() bool { return s.metric(t, "bencao_http_requests_in_flight") == 0 })
	until(t, "no goroutine is left", func() bool { return int(s.metric(t, "go_goroutines")) <= before.routines+2 })
	until(t, "no descriptor is left", func() bool { return s.descriptors(t) <= before.descriptors+2 })
	left, err := filepath.Glob(filepath.Join(temporary, "*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
	most := s.resident(t, "VmHWM:") - before.memory
	if most > mostMemory {
		t.Errorf("the server took %d MiB more than when idle, %d MiB; want %d at most", most, before.memory, mostMemory)
	}
	t.Logf("the server took at most %d MiB more than when idle, %d MiB", most, before.memory)
}

// page requests a page with the client address that the proxy would report.
func (s *server) page(t testing.TB, client, path string) reply {
	t.Helper()
	r, err := ask(s.client, "http://"+s.addr+path, "", "X-Forwarded-For", client, "Accept", "text/html")
	must(t, err)
	return r
}

// form is the body of a form and its media type.
type form struct {
	kind string
	body []byte
}

// list returns a form that uploads text as a file.
func list(text string) form {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	part, err := w.CreateFormFile("file", "list.csv")
	if err == nil {
		_, err = io.WriteString(part, text)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // cannot fail: a write to a buffer returns no error
	}
	return form{w.FormDataContentType(), out.Bytes()}
}

// post returns a request that sends a form. header has pairs of name and value.
func (s *server) post(client, path string, f form, header ...string) (*http.Request, error) {
	r, err := http.NewRequest(http.MethodPost, "http://"+s.addr+path, bytes.NewReader(f.body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", f.kind)
	r.Header.Set("Accept", "text/html")
	r.Header.Set("X-Forwarded-For", client)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r, nil
}

// sendForm sends a form and returns the response.
func (s *server) sendForm(t testing.TB, client, path string, f form, header ...string) reply {
	t.Helper()
	r, err := s.post(client, path, f, header...)
	must(t, err)
	resp, err := s.client.Do(r)
	must(t, err)
	body, err := io.ReadAll(resp.Body)
	must(t, errors.Join(err, resp.Body.Close()))
	return reply{resp.StatusCode, resp.Header, body}
}

// readers starts a client that requests a page every 10 ms or less often. stop ends it and returns the
// number of pages.
func (s *server) readers(t *testing.T) (stop func() int) {
	pages := 0
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		c := newClient()
		defer c.CloseIdleConnections()
		pause := time.NewTicker(10 * time.Millisecond)
		defer pause.Stop()
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			case <-pause.C:
			}
			path := fmt.Sprintf("/search?q=%%E4%%BA%%BA&page=%d", n%5+1)
			r, err := ask(c, "http://"+s.addr+path, "", "X-Forwarded-For", "127.0.0.8", "Accept", "text/html")
			if err != nil || r.status != http.StatusOK {
				t.Errorf("a request for %s beside forms gets status %d: %v", path, r.status, err)
				return
			}
			pages++
		}
	}()
	return func() int {
		close(over)
		<-done
		return pages
	}
}

// TestHostileLists sends lists that are made to harm the server, from eight clients at once, while
// another client reads pages. BENCAO_HOSTILE is the number of lists of each kind.
func TestHostileLists(t *testing.T) {
	s := newSite(t)
	each, err := strconv.ParseUint(cmp.Or(os.Getenv("BENCAO_HOSTILE"), "1"), 10, 32)
	if err != nil {
		t.Fatalf("BENCAO_HOSTILE is no number of lists: %v", err)
	}
	srv, temporary := s.open(t)
	before := srv.idle(t)
	stop := srv.readers(t)
	kinds := hostile.Kinds()
	sent := sentLists{statuses: map[int]int{}}
	for seed := range each {
		forms := make([]form, len(kinds))
		for i, k := range kinds {
			forms[i] = list(string(k.Make(seed)))
		}
		sent.send(t, srv, kinds, forms)
	}
	pages := stop()
	srv.settled(t, before, temporary)
	t.Logf("%d lists of %d kinds, answers by status %v; %d pages for others", int(each)*len(kinds)*2, len(kinds), sent.statuses, pages)
}

// sentLists counts the responses to lists.
type sentLists struct {
	mu       sync.Mutex // guards statuses
	statuses map[int]int
}

// send sends each form twice: once for a page and once for a CSV file. Eight clients with different
// addresses share the work.
func (l *sentLists) send(t *testing.T, srv *server, kinds []hostile.Kind, forms []form) {
	t.Helper()
	var next atomic.Int64
	var clients sync.WaitGroup
	for c := range 8 {
		clients.Go(func() {
			for n := int(next.Add(1) - 1); n < 2*len(forms); n = int(next.Add(1) - 1) {
				kind, path := kinds[n/2], []string{"/match?as=page", "/match?as=csv"}[n%2]
				r, err := srv.post(fmt.Sprintf("10.0.%d.1", c), path, forms[n/2])
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := (&http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
				if err != nil {
					t.Errorf("%s as %s: %v", kind.Name, path, err)
					continue
				}
				_, err = io.Copy(io.Discard, resp.Body)
				if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode >= 500 && resp.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("%s as %s: status %d, %v", kind.Name, path, resp.StatusCode, err)
				}
				l.mu.Lock()
				l.statuses[resp.StatusCode]++
				l.mu.Unlock()
			}
		})
	}
	clients.Wait()
}

// TestHostileForms sends bodies that are not valid forms, and forms that are too large.
func TestHostileForms(t *testing.T) {
	s := newSite(t)
	srv, temporary := s.open(t)
	before := srv.idle(t)
	const kind = "multipart/form-data; boundary=b"
	part := func(header, text string) string { return "--b\r\n" + header + "\r\n\r\n" + text + "\r\n" }
	const names, file = `Content-Disposition: form-data; name="names"`, `Content-Disposition: form-data; name="file"; filename="a.csv"`
	end := "--b--\r\n"
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"no end boundary":            {kind, part(names, "Panax ginseng"), 400},
		"the end in the boundary":    {kind, "--b", 400},
		"nothing":                    {kind, "", 400},
		"no boundary in the type":    {"multipart/form-data", part(names, "Panax ginseng") + end, 400},
		"a boundary of 10 kB":        {"multipart/form-data; boundary=" + strings.Repeat("b", 10<<10), part(names, "x") + end, 400},
		"100,000 parts":              {kind, strings.Repeat(part(`A: b`, ""), 100_000) + end, 400},
		"100,000 headers":            {kind, part(strings.Repeat("A: b\r\n", 100_000)+names, "Panax ginseng") + end, 400},
		"a header of 4 MB":           {kind, part("A: "+strings.Repeat("b", 4<<20)+"\r\n"+names, "Panax ginseng") + end, 200},
		"a name of 1 MB":             {kind, part(`Content-Disposition: form-data; name="`+strings.Repeat("n", 1<<20)+`"`, "x") + end, 400},
		"a file name of 1 MB":        {kind, part(names+`; filename="`+strings.Repeat("n", 1<<20)+`"`, "Panax ginseng") + end, 400},
		"100,000 parameters":         {kind, part(names+strings.Repeat(";a=b", 100_000), "Panax ginseng") + end, 400},
		"a form in a form":           {kind, part("Content-Type: multipart/form-data; boundary=c\r\n"+file, "--c\r\n"+names+"\r\n\r\nPanax ginseng\r\n--c--") + end, 200},
		"the file first":             {kind, part(file, "name\nPanax ginseng\n") + part(names, "x") + end, 200},
		"the file last":              {kind, part(names, "") + part(file, "name\nPanax ginseng\n") + end, 200},
		"both":                       {kind, part(names, "Panax ginseng") + part(file, "name\nPanax ginseng\n") + end, 200},
		"a form of bytes":            {kind, strings.Repeat("\x00\xff", 1<<20), 400},
		"5 MB of line feeds":         {kind, part(names, strings.Repeat("\n", 5<<20-200)) + end, 200},
		"5 MB of boundaries":         {kind, strings.Repeat("--b\r\n", 1<<20), 400},
		"quoted and never unquoted":  {kind, part("Content-Transfer-Encoding: quoted-printable\r\n"+names, strings.Repeat("=", 4<<20)) + end, 400},
		"quoted and of one line":     {kind, part("Content-Transfer-Encoding: quoted-printable\r\n"+names, strings.Repeat("x", 4600)) + end, 400},
		"choices of a row of 1 MB":   {"application/x-www-form-urlencoded", "r1=" + strings.Repeat("a", 1<<20), 400},
		"choices of many commas":     {"application/x-www-form-urlencoded", "r1=" + strings.Repeat(",", 1000), 400},
		"choices of a million names": {"application/x-www-form-urlencoded", strings.Repeat("r1=a&", 1<<20), 200},
		"choices of 10 MB of &":      {"application/x-www-form-urlencoded", strings.Repeat("&", 10<<20), 200},
	} {
		path := "/match?as=page"
		if strings.HasPrefix(name, "choices") {
			path = "/match/table"
		}
		for _, accept := range []string{"text/html", "application/json"} {
			r := srv.sendForm(t, "127.0.0.9", path, form{c.kind, []byte(c.body)}, "Accept", accept)
			if kind := r.header.Get("Content-Type"); r.status != c.status || r.status != http.StatusOK && strings.HasPrefix(kind, "application/problem+json") != (accept == "application/json") {
				t.Errorf("%s: status %d of %s, want %d: %.600s", name, r.status, kind, c.status, r.body)
			}
		}
	}
	head := "POST /match HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 127.0.0.9\r\nConnection: close\r\nContent-Type: " + kind + "\r\n"
	whole := part(names, "Panax ginseng") + end
	for name, c := range map[string]struct {
		request string
		want    []int
	}{
		"more than its length":     {head + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(whole)) + whole + whole, []int{200}},
		"chunked":                  {head + "Transfer-Encoding: chunked\r\n\r\n5\r\n--b\r\n\r\n", []int{400}},
		"Expect: 100-continue":     {head + fmt.Sprintf("Expect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(whole)) + whole, []int{100, 200}},
		"HTTP/1.0":                 {strings.Replace(head, "HTTP/1.1", "HTTP/1.0", 1) + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(whole)) + whole, []int{400}},
		"two lengths":              {head + fmt.Sprintf("Content-Length: 1\r\nContent-Length: %d\r\n\r\n", len(whole)) + whole, []int{400}},
		"a length of 17 MB":        {head + "Content-Length: 17825792\r\n\r\n" + whole, []int{400}},
		"a negative length":        {head + "Content-Length: -1\r\n\r\n" + whole, []int{400}},
		"a form without a length":  {head + "\r\n", []int{400}},
		"less than its length, 5M": {head + "Content-Length: 5000000\r\n\r\n" + whole, []int{408}},
	} {
		if got, all := srv.raw(t, c.request); !slices.Equal(got, c.want) {
			t.Errorf("%s: statuses %v, want %v: %.600s", name, got, c.want, all)
		}
	}
	srv.settled(t, before, temporary)
}

// sending starts to send a form of length bytes from the client address client. It sends the header
// and the first line of the body.
func (s *server) sending(t *testing.T, client string, length int) net.Conn {
	t.Helper()
	c := s.dial(t)
	_, err := fmt.Fprintf(c, "POST /match HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n--b\r\n", client, length)
	must(t, err)
	return c
}

// TestSlowForms sends twenty forms a byte at a time. Together they announce more bytes than all forms
// may have. Meanwhile the server must answer the lists of other clients, and refuse a second form of
// the same client. In the end it must close all slow connections.
func TestSlowForms(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	srv, temporary := s.open(t)
	before := srv.idle(t)
	var slow []net.Conn
	for n := range 20 {
		slow = append(slow, srv.sending(t, fmt.Sprintf("10.1.%d.1", n), 5<<20))
	}
	until(t, "a second form is refused while the first arrives", func() bool {
		slow = append(slow, srv.sending(t, "10.2.0.1", 5<<20))
		second := srv.sendForm(t, "10.2.0.1", "/match?as=page", list("name\nPanax ginseng\n"), "Accept", "application/json")
		return second.status == http.StatusTooManyRequests && second.header.Get("Retry-After") != "" && strings.Contains(string(second.body), "/problems/form-running")
	})
	var drips sync.WaitGroup
	for _, c := range slow {
		drips.Go(func() {
			tick := time.NewTicker(500 * time.Millisecond)
			defer tick.Stop()
			began := time.Now()
			for range tick.C {
				if _, err := io.WriteString(c, "a"); err != nil {
					return // the server has closed the connection
				}
				if time.Since(began) > patience {
					t.Error("a client that sends a byte every half second is still connected")
					return
				}
			}
		})
	}
	srv.sendForm(t, "10.0.2.1", "/match?as=page", list("name\nPanax ginseng\n")).want(t, http.StatusOK)
	srv.sendForm(t, "10.0.2.2", "/match?as=page", list(strings.Repeat("Panax ginseng\n", 300_000))).want(t, http.StatusOK)
	drips.Wait()
	srv.settled(t, before, temporary)
}

// TestReadersOfListsLeave sends lists, and then the client leaves: before it has sent the form, or
// while the server matches names. In some cases the client closes only its sending side. The
// requests must end at once, so that other clients can send lists.
func TestReadersOfListsLeave(t *testing.T) {
	s := newSite(t)
	srv, temporary := s.open(t)
	before := srv.idle(t)
	for range 3 {
		srv.sending(t, "10.0.1.1", 1<<20).Close()
		for _, as := range []string{"page", "csv"} {
			for name, leave := range map[string]func(*net.TCPConn) error{"closes": (*net.TCPConn).Close, "closes its side": (*net.TCPConn).CloseWrite} {
				c := srv.longList(t, "10.0.1.1", as)
				must(t, leave(c))
				until(t, "the request of a client that "+name+" has ended", func() bool { return srv.metric(t, "bencao_http_requests_in_flight") == 0 })
				c.Close() // some cases have closed it
			}
		}
		srv.sendForm(t, "10.0.1.1", "/match?as=page", list("name\nPanax ginseng\n")).want(t, http.StatusOK)
	}
	srv.settled(t, before, temporary)
}

// longList sends a list of 10,000 names that take long to match. It does not read the response, and
// its receive buffer is small.
func (s *server) longList(t *testing.T, client, as string) *net.TCPConn {
	t.Helper()
	var names strings.Builder
	names.WriteString("name\n")
	for n := range 10_000 {
		fmt.Fprintf(&names, "Pnaax gniseng%x Rosa chinensiz%x × Rosa mutliflora%x\n", n*7919, n*104729, n*1299709)
	}
	f := list(names.String())
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		var set error
		err := c.Control(func(fd uintptr) { set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) })
		return errors.Join(err, set)
	}}
	c, err := d.DialContext(t.Context(), "tcp", s.addr)
	must(t, err)
	t.Cleanup(func() { c.Close() }) // some tests close it earlier
	must(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintf(c, "POST /match?as=%s HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", as, client, f.kind, len(f.body), f.body)
	must(t, err)
	return c.(*net.TCPConn)
}

// TestSlowReadersOfLists sends long lists from clients that read one byte of the response a second.
// The server must close all their connections, and match the list of another client.
func TestSlowReadersOfLists(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	srv, temporary := s.open(t)
	before := srv.idle(t)
	var all []*net.TCPConn
	for n := range 4 {
		all = append(all, srv.longList(t, fmt.Sprintf("10.1.%d.1", n), []string{"page", "csv"}[n%2]))
	}
	var readers sync.WaitGroup
	for _, c := range all {
		readers.Go(func() {
			in := bufio.NewReaderSize(c, 16)
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			began := time.Now()
			for range tick.C {
				if srv.requestsInFlight() == 0 {
					return
				}
				if _, err := in.ReadByte(); err != nil && !closedByServer(err) {
					return // the server has closed the connection
				}
				if time.Since(began) > patience {
					t.Error("the request of a client that reads a byte a second is still running")
					return
				}
			}
		})
	}
	until(t, "the list of another client is matched", func() bool {
		return srv.sendForm(t, "10.0.2.1", "/match?as=page", list("name\nPanax ginseng\n")).status == http.StatusOK
	})
	until(t, "the server closes slow connections", func() bool { return srv.metric(t, "bencao_http_requests_in_flight") == 0 })
	readers.Wait()
	srv.settled(t, before, temporary)
}

// requestsInFlight returns the number of requests that the server is working on, or 0 if the server
// does not report it.
func (s *server) requestsInFlight() int {
	c := newClient()
	defer c.CloseIdleConnections()
	r, err := ask(c, "http://"+s.admin+"/metrics", "")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(r.body)) {
		if value, ok := strings.CutPrefix(line, "bencao_http_requests_in_flight "); ok {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// TestForeignFormsBehindProxies sends forms through proxies, as browsers do from the site's own
// page and from pages of other sites. The server must accept only the forms of its own page.
func TestForeignFormsBehindProxies(t *testing.T) {
	for _, p := range proxies {
		t.Run(p.name, func(t *testing.T) {
			s := newSite(t)
			srv, _ := s.open(t)
			front := &server{site: s, addr: p.start(t, srv.addr), client: srv.client}
			_, port, err := net.SplitHostPort(front.addr)
			must(t, err)
			for _, c := range []struct {
				origin, fetched string
				want            int
			}{
				{"", "", 200},
				{"http://" + front.addr, "same-origin", 200},
				{"null", "", 403},
				{"null", "cross-site", 403},
				{"https://evil.example", "", 403},
				{"https://evil.example", "cross-site", 403},
				{"http://evil.example:" + port, "", 403},
				{"http://" + front.addr + ".evil.example", "same-site", 403},
			} {
				var header []string
				if c.origin != "" {
					header = []string{"Origin", c.origin}
				}
				if c.fetched != "" {
					header = append(header, "Sec-Fetch-Site", c.fetched)
				}
				if r := front.sendForm(t, "127.0.0.9", "/match?as=page", list("name\nPanax ginseng\n"), header...); r.status != c.want {
					t.Errorf("Origin %q, Sec-Fetch-Site %q: status %d, want %d: %.300s", c.origin, c.fetched, r.status, c.want, r.body)
				}
			}
		})
	}
}
