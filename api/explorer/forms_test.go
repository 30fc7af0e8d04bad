package explorer_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bencao/api/explorer"
	"bencao/internal/test/testkit"
)

// pipes is a server at a listener of pipes, with a fake clock, which advances only while all
// goroutines wait.
type pipes struct {
	pages  *explorer.Explorer
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
	open   atomic.Int64 // connections that the server has not closed
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// pipe is the server's end of a connection.
type pipe struct {
	net.Conn
	from net.IP
	once sync.Once
	open *atomic.Int64
}

func (p *pipe) RemoteAddr() net.Addr { return &net.TCPAddr{IP: p.from, Port: 1} }

func (p *pipe) Close() error {
	p.once.Do(func() { p.open.Add(-1) })
	return p.Conn.Close()
}

// onPipes runs a test with a server at pipes. All goroutines that the server starts must end with
// it.
func onPipes(t *testing.T, test func(t *testing.T, p *pipes)) {
	t.Helper()
	usual.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{pages: explorer.New(explorer.Options{}), accept: make(chan net.Conn), closed: make(chan struct{})}
		server, _ := newServer(t, config{proxy: true, network: "10.0.0.0/8 2001:db8::/32", pages: p.pages, as: "explorer"}, "http://x")
		ctx, end := context.WithCancel(t.Context())
		var serving sync.WaitGroup
		serving.Go(func() {
			if err := server.Serve(ctx, p); err != nil {
				t.Error(err)
			}
		})
		test(t, p)
		end()
		serving.Wait()
	})
}

// visitor is a connection of a client, on which an answer is read.
type visitor struct {
	net.Conn
	in *bufio.Reader
}

// proxy is the address of a proxy on this machine.
var proxy = net.IPv4(127, 0, 0, 1)

// visitor opens a connection from the proxy.
func (p *pipes) visitor(t *testing.T) *visitor {
	t.Helper()
	return p.visitorFrom(t, proxy)
}

func (p *pipes) visitorFrom(t *testing.T, from net.IP) *visitor {
	t.Helper()
	client, server := net.Pipe()
	t.Cleanup(func() { client.Close() }) // most tests close it earlier
	p.open.Add(1)
	p.accept <- &pipe{Conn: server, from: from, open: &p.open}
	return &visitor{client, bufio.NewReader(client)}
}

// tell sends text as long as the server reads it.
func (v *visitor) tell(text string) { io.WriteString(v, text) }

// head returns the header of a request with a form of length bytes from an address.
func head(path, client string, length int, header ...string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n%s\r\n", path, client, length, strings.Join(header, ""))
}

// listForm returns a form with a list of names.
func listForm(names string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"names\"\r\n\r\n" + names + "\r\n--b--\r\n"
}

// answer reads an answer.
func (v *visitor) answer(t *testing.T) answer {
	t.Helper()
	r, err := http.ReadResponse(v.in, nil)
	must(t, err)
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return answer{r.StatusCode, r.Header, string(body)}
}

// list sends a list of names from an address.
func (p *pipes) list(t *testing.T, client, names string, header ...string) answer {
	t.Helper()
	v := p.visitor(t)
	defer v.Close()
	go v.tell(head("/match", client, len(listForm(names)), header...) + listForm(names))
	return v.answer(t)
}

// TestFormsLeaveNothing sends forms in all ways in which they are answered or refused, or in which
// the client leaves. Two seconds after the client has left, no goroutine, connection, place or byte
// may be held for it.
func TestFormsLeaveNothing(t *testing.T) {
	const client = "10.0.2.1"
	list, commas := listForm("Panax ginseng\n"), "r1="+strings.Repeat(",", 1000)
	long := listForm(strings.Repeat("Panax ginsenq x\nPanax\n", 4000))
	sends := func(text string, status int) func(*testing.T, *visitor) {
		return func(t *testing.T, v *visitor) {
			go v.tell(text)
			if a := v.answer(t); a.status != status {
				t.Errorf("status %d, want %d: %.300s", a.status, status, a.body)
			}
		}
	}
	leaves := func(text string) func(*testing.T, *visitor) {
		return func(_ *testing.T, v *visitor) { v.tell(text) }
	}
	begins := func(text string) func(*testing.T, *visitor) {
		return func(t *testing.T, v *visitor) {
			go v.tell(text)
			if _, err := v.in.Peek(2000); err != nil {
				t.Error(err)
			}
		}
	}
	onPipes(t, func(t *testing.T, p *pipes) {
		p.list(t, client, "Panax ginseng\n") // builds what is built on first use
		time.Sleep(2 * time.Second)
		before, _ := goroutines()
		for name, use := range map[string]func(*testing.T, *visitor){
			"a page":                       sends(head("/match", client, len(list))+list, 200),
			"a table":                      sends(head("/match?as=csv", client, len(list))+list, 200),
			"choices":                      sends(head("/match/table", client, 6)+"r1=1,a", 200),
			"choices as a workbook":        sends(head("/match/table", client, 14)+"r1=1,a&as=xlsx", 200),
			"many commas":                  sends(head("/match/table", client, len(commas))+commas, 400),
			"an empty form":                sends(head("/match", client, 0), 400),
			"no form":                      sends(head("/match", client, 3)+"abc", 400),
			"of another site":              sends(head("/match", client, len(list), "Origin: https://evil.example\r\n")+list, 403),
			"of another site, half":        sends(head("/match", client, len(list), "Origin: https://evil.example\r\n")+list[:20], 403),
			"too long":                     sends(head("/match", client, 6<<20)+list, 400),
			"much too long":                sends(head("/match", client, 20<<20)+list, 400),
			"chunked":                      sends(strings.Replace(head("/match", client, 0), "Content-Length: 0", "Transfer-Encoding: chunked", 1)+"5\r\n--b\r\n\r\n", 400),
			"silent":                       sends(head("/match", client, len(list)), 408),
			"a byte and no more":           sends(head("/match", client, len(list))+list[:1], 408),
			"the half and no more":         sends(head("/match/table", client, 10<<20)+strings.Repeat("&", 5<<20), 408),
			"leaves before the form":       leaves(head("/match", client, len(list))),
			"leaves after a byte":          leaves(head("/match", client, len(list)) + list[:1]),
			"leaves after half":            leaves(head("/match/table", client, 10<<20) + strings.Repeat("&", 5<<20)),
			"leaves after the form":        leaves(head("/match", client, len(long)) + long),
			"leaves after choices":         leaves(head("/match/table", client, 10<<20) + strings.Repeat("&", 10<<20)),
			"leaves while a page is sent":  begins(head("/match", client, len(long)) + long),
			"leaves while a table is sent": begins(head("/match?as=csv", client, len(long)) + long),
		} {
			v := p.visitor(t)
			use(t, v)
			v.Close()
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if held := p.pages.Held(); held != (explorer.Held{}) {
				t.Errorf("%s: %+v is held", name, held)
			}
			if n := p.open.Load(); n > 0 {
				t.Errorf("%s: %d connections are open", name, n)
			}
			if n, all := goroutines(); n > before {
				t.Errorf("%s: %d goroutines, %d before:\n%s", name, n, before, all)
			}
		}
	})
}

// goroutines returns the number of goroutines with the fake clock, and the stacks of all goroutines.
func goroutines() (n int, all string) {
	stack := make([]byte, 1<<20)
	all = string(stack[:runtime.Stack(stack, true)])
	return strings.Count(all, "synctest bubble"), all
}

// TestSilentForms checks that a form that has only been announced takes neither a place nor memory,
// and that its connection ends after a second.
func TestSilentForms(t *testing.T) {
	onPipes(t, func(t *testing.T, p *pipes) {
		var silent []*visitor
		for n := range 100 {
			v := p.visitor(t)
			v.tell(head("/match/table", fmt.Sprintf("10.1.%d.1", n), 10<<20))
			silent = append(silent, v)
		}
		synctest.Wait()
		if held := p.pages.Held(); held != (explorer.Held{}) {
			t.Errorf("forms that have only been announced take %+v", held)
		}
		if a := p.list(t, "10.0.2.1", "Panax ginseng\n"); a.status != http.StatusOK {
			t.Errorf("the list of another client: status %d", a.status)
		}
		began := time.Now()
		for _, v := range silent {
			if a := v.answer(t); a.status != http.StatusRequestTimeout {
				t.Errorf("a silent form: status %d", a.status)
			}
			v.Close()
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("silent forms are refused after %s", took)
		}
	})
}

// TestFormsTakeWhatHasCome checks that a form takes memory as its bytes come, and that a form beyond
// the memory for all forms is refused.
func TestFormsTakeWhatHasCome(t *testing.T) {
	const size = 10 << 20
	onPipes(t, func(t *testing.T, p *pipes) {
		begin := func(client string, bytes int) *visitor {
			v := p.visitor(t)
			go v.tell(head("/match/table", client, size) + strings.Repeat("&", bytes))
			return v
		}
		open := []*visitor{begin("10.0.1.1", 1<<20)}
		arrive(1 << 20)
		if held := p.pages.Held(); held.Forms != 1 || held.Bytes < 1<<20 || held.Bytes > 1<<20+64<<10 {
			t.Errorf("after 1 MiB of a form: %+v", held)
		}
		for n := range 2 {
			open = append(open, begin(fmt.Sprintf("10.0.2.%d", n), size-1), begin(fmt.Sprintf("2001:db8:0:%d::1", n), size-1))
		}
		arrive(size)
		if held := p.pages.Held(); held.Forms != 5 || held.Bytes < 41<<20-5 || held.Bytes > 41<<20+64<<10 {
			t.Errorf("after 41 MiB of five forms: %+v", held)
		}
		v := p.visitor(t)
		go v.tell(head("/match/table", "10.0.3.1", size) + strings.Repeat("&", size))
		if a := v.answer(t); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			t.Errorf("a form beyond the memory: status %d, Retry-After %q", a.status, a.header.Get("Retry-After"))
		}
		for _, v := range append(open, v) {
			v.Close()
		}
		synctest.Wait()
		if held := p.pages.Held(); held != (explorer.Held{}) {
			t.Errorf("when all have left, %+v is held", held)
		}
	})
}

// TestFormsOfANetwork checks that a client has one form at a time, and a network three. Further forms
// are refused, and forms of other networks answered.
func TestFormsOfANetwork(t *testing.T) {
	for name, c := range map[string]struct{ clients, neighbour, other string }{
		"IPv4": {"10.0.2.%d", "10.0.2.77", "10.0.3.1"},
		"IPv6": {"2001:db8:0:%d::1", "2001:db8:0:77::1", "2001:db8:1::1"},
	} {
		t.Run(name, func(t *testing.T) {
			onPipes(t, func(t *testing.T, p *pipes) {
				first := fmt.Sprintf(c.clients, 0)
				refused := func(client string) {
					t.Helper()
					a := p.list(t, client, "Panax ginseng\n", "Accept: application/json\r\n")
					if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" || !strings.Contains(a.body, `"type":"/problems/form-running"`) {
						t.Errorf("a list of %s: status %d, Retry-After %q: %s", client, a.status, a.header.Get("Retry-After"), a.body)
					}
				}
				var open []*visitor
				for n := range 3 {
					v := p.visitor(t)
					v.tell(head("/match", fmt.Sprintf(c.clients, n), 1<<20) + "--b\r\n")
					synctest.Wait()
					open = append(open, v)
				}
				refused(c.neighbour)
				refused(first)
				if a := p.list(t, first, "Panax ginseng\n", "Accept: text/html\r\n"); !strings.Contains(a.body, "One list at a time") || !strings.Contains(a.body, "another form from your network") {
					t.Errorf("as a page: %s", a.body)
				}
				if a := p.list(t, c.other, "Panax ginseng\n"); a.status != http.StatusOK {
					t.Errorf("the list of another network: status %d", a.status)
				}
				for _, v := range open {
					v.Close()
				}
				for _, client := range []string{c.neighbour, first} {
					if a := p.list(t, client, "Panax ginseng\n"); a.status != http.StatusOK {
						t.Errorf("a list of %s when the others have left: status %d", client, a.status)
					}
				}
			})
		})
	}
}

// TestFormsHoldLittle measures the memory that the server holds for a form while the client does not
// read the answer. It must be in proportion to the bytes that the client has sent.
func TestFormsHoldLittle(t *testing.T) {
	var full, wide, many strings.Builder
	for n := 1; n <= 10_000; n++ {
		fmt.Fprintf(&full, "r%d=%d%s&", n, n, strings.Repeat(",abc", 14))
		fmt.Fprintf(&wide, "r%d=%s%s&", n, strings.Repeat("x", 1000), strings.Repeat(",", 14))
		fmt.Fprintf(&many, "r%d=%s&", n, strings.Repeat(",", 1000))
	}
	names := "name,note\n" + strings.Repeat("Panax ginseng,"+strings.Repeat("x", 400)+"\n", 9_990)
	onPipes(t, func(t *testing.T, p *pipes) {
		p.list(t, "10.0.1.1", "Panax ginseng\n") // builds what is built on first use
		for _, c := range []struct{ name, path, form string }{
			{"choices of full rows", "/match/table", full.String()},
			{"choices of full rows as a workbook", "/match/table", full.String() + "as=xlsx"},
			{"choices of long cells", "/match/table", wide.String()},
			{"choices of many commas", "/match/table", many.String()},
			{"choices of a million empty fields", "/match/table", strings.Repeat("&", 10<<20)},
			{"choices of a million fields of one row", "/match/table", strings.Repeat("r1=,,&", 1<<20)},
			{"a page of a wide list", "/match", listForm(names)},
			{"a table of a wide list", "/match?as=csv", listForm(names)},
			{"a page of a long line", "/match", listForm(strings.Repeat("x", 5<<20-200))},
			{"a page of 5 MB of line feeds", "/match", listForm(strings.Repeat("\n", 5<<20-200))},
			{"a table of short names", "/match?as=csv", listForm(strings.Repeat("a\n", 10_000))},
			{"many parts", "/match", strings.Repeat("--b\r\nA: b\r\n\r\n\r\n", 100_000)},
		} {
			before := live()
			v := p.visitor(t)
			v.tell(head(c.path, "10.0.1.1", len(c.form)))
			go v.tell(c.form)
			arrive(len(c.form))
			if held, most := live()-before, 4<<20+4*len(c.form); held > most {
				t.Errorf("%s: %d KiB are held for %d KiB, want at most %d", c.name, held>>10, len(c.form)>>10, most>>10)
			} else {
				t.Logf("%s: %d KiB are held for %d KiB", c.name, held>>10, len(c.form)>>10)
			}
			v.Close()
			synctest.Wait()
			if held := live() - before; held > 4<<20 {
				t.Errorf("%s: %d KiB are held when the client has left", c.name, held>>10)
			}
		}
	})
}

// arrive waits until the server has read n bytes of a form.
func arrive(n int) {
	time.Sleep(time.Duration(n)*time.Second/(3<<20) + time.Second/10)
	synctest.Wait()
}

// live returns the number of bytes that the heap holds.
func live() int {
	runtime.GC()
	runtime.GC() // empties pools too
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

// FuzzForms sends any form. It must be answered or refused as wrong in bounded memory, and leave
// nothing.
func FuzzForms(f *testing.F) {
	for _, form := range []string{listForm("Panax ginseng\n"), "r1=1,a&as=xlsx", "r1=\"1\",%41&r2=" + strings.Repeat(",", 20), "--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=\r\n--b--"} {
		f.Add(form)
	}
	pages := explorer.New(explorer.Options{})
	server, _ := newServer(f, config{pages: pages, as: "explorer"}, "http://x")
	f.Fuzz(func(t *testing.T, form string) {
		for _, path := range []string{"/match", "/match?as=csv", "/match/table"} {
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form))
			r.RemoteAddr = "127.0.0.1:1"
			r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
			w := deadlines{httptest.NewRecorder()}
			testkit.LimitAlloc(t, testkit.MaxAlloc(len(form)), func() { server.ServeHTTP(w, r) })
			if w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
				t.Errorf("%s with %q: status %d: %s", path, form, w.Code, w.Body)
			}
			if held := pages.Held(); held != (explorer.Held{}) {
				t.Errorf("%s with %q: %+v is held", path, form, held)
			}
		}
	})
}

// deadlines is a recorder for a handler that sets deadlines.
type deadlines struct{ *httptest.ResponseRecorder }

func (deadlines) SetReadDeadline(time.Time) error  { return nil }
func (deadlines) SetWriteDeadline(time.Time) error { return nil }

// TestLateRefusals sends requests from an address that has used up its limit. Their answers must come
// late, while those to others come at once, also to other clients of a proxy. When the client leaves,
// nothing may be held.
func TestLateRefusals(t *testing.T) {
	const request = "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.3.1\r\n"
	onPipes(t, func(t *testing.T, p *pipes) {
		direct := net.IPv4(10, 0, 2, 1)
		for name, tt := range map[string]struct {
			from    net.IP
			request string
			status  int
			late    bool
		}{
			"a client":                 {direct, request + "\r\n", 429, true},
			"a client that sends more": {direct, request + "Content-Length: 9\r\n\r\nabc", 400, true},
			"a client without HTTP":    {direct, "GET\r\n\r\n", 400, true},
			"a client behind a proxy":  {proxy, request + "\r\n", 429, false},
		} {
			v := p.visitorFrom(t, tt.from)
			for status := 401; status == 401; { // until the limit is used up
				go v.tell(request + "\r\n")
				status = v.answer(t).status
			}
			v.Close()
			v = p.visitorFrom(t, tt.from)
			began := time.Now()
			go v.tell(tt.request)
			synctest.Wait()
			other := p.visitorFrom(t, net.IPv4(10, 0, 2, 2))
			go other.tell("GET /about HTTP/1.1\r\nHost: x\r\n\r\n")
			if a := other.answer(t); a.status != 200 || time.Since(began) > 0 {
				t.Errorf("%s: another client gets %d after %s", name, a.status, time.Since(began))
			}
			other.Close()
			if a := v.answer(t); a.status != tt.status || time.Since(began) > 0 != tt.late || time.Since(began) > time.Second {
				t.Errorf("%s: status %d after %s, want %d, late: %t", name, a.status, time.Since(began), tt.status, tt.late)
			}
			v.Close()
		}
		v := p.visitorFrom(t, direct)
		v.tell(request + "\r\n")
		synctest.Wait()
		v.Close()
		synctest.Wait()
		if n := p.open.Load(); n > 0 {
			t.Errorf("%d connections are open after the client has left", n)
		}
	})
}

// TestRefusedFormsEnd goes on sending a form after it was refused. The client must get the answer, and
// the end of its connection within two seconds.
func TestRefusedFormsEnd(t *testing.T) {
	onPipes(t, func(t *testing.T, p *pipes) {
		v := p.visitor(t)
		began := time.Now()
		go func() {
			v.tell(head("/match", "10.0.2.1", 5<<20, "Origin: https://evil.example\r\n"))
			for range 100 { // longer than a request may take
				v.tell(strings.Repeat("x", 32<<10))
				time.Sleep(200 * time.Millisecond)
			}
		}()
		if a := v.answer(t); a.status != http.StatusForbidden {
			t.Errorf("status %d", a.status)
		}
		if _, err := v.in.ReadByte(); !errors.Is(err, io.EOF) || time.Since(began) > 2*time.Second {
			t.Errorf("the connection ends with %v after %s", err, time.Since(began))
		}
		synctest.Wait()
		if n := p.open.Load(); n > 0 {
			t.Errorf("%d connections are open", n)
		}
		time.Sleep(time.Minute) // until the client has stopped
	})
}

// TestUnreadLists sends long lists from more clients than there are turns. They do not read their
// answers. The list of another client must be answered at once.
func TestUnreadLists(t *testing.T) {
	long := listForm(strings.Repeat("Panax ginsenq x\nPanax\n", 4000))
	onPipes(t, func(t *testing.T, p *pipes) {
		var unread []*visitor
		for n := range 8 {
			v := p.visitor(t)
			go v.tell(head("/match", fmt.Sprintf("10.1.%d.1", n), len(long)) + long)
			unread = append(unread, v)
		}
		arrive(len(long))
		began := time.Now()
		if a := p.list(t, "10.0.2.1", "Panax ginseng\n"); a.status != http.StatusOK || time.Since(began) > time.Second/10 {
			t.Errorf("the list of another client: status %d after %s", a.status, time.Since(began))
		}
		for _, v := range unread {
			v.Close()
		}
	})
}
