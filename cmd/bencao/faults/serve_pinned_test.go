//go:build linux

package faults_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
)

// balancers distribute requests to two replicas. If a replica lacks the version of the data that a
// client wants, they pass the request to the other replica, as docs/scaling.md shows. In the
// configuration, BACK is replaced by the addresses of the replicas.
var balancers = []proxy{
	{"nginx", nginxHead + `
	upstream bencao { server BACK max_fails=0; keepalive 4; }
	server {
		listen FRONT;
		location / {
			proxy_pass http://bencao;
			proxy_http_version 1.1;
			proxy_set_header Connection "";
			proxy_set_header Host $host;
			proxy_set_header X-Forwarded-For $remote_addr;
			proxy_next_upstream error http_503;
			proxy_next_upstream_tries 2;
		}
	}
}
`, []string{"-c", "CONFIG", "-p", "DIR", "-e", "stderr"}},
	{"haproxy", `
defaults
	mode http
	timeout connect 5s
	timeout client 30s
	timeout server 30s
	option http-keep-alive
	retry-on conn-failure 503
	retries 2
	option redispatch 1
frontend front
	bind FRONT
	http-request set-header X-Forwarded-For %[src]
	default_backend back
backend back
	balance roundrobin
	server a BACK
`, []string{"-db", "-f", "CONFIG"}},
}

// before restores the data folder to its state before the newer snapshot was current. The folder
// has that snapshot, but the older one is current, and was when it was built.
func (s *site) before(t *testing.T) {
	t.Helper()
	s.rollback(t, s.older)
	s.chosenAt(t, created(t, s, s.older))
}

// created returns the time at which the snapshot id was built.
func created(t *testing.T, s *site, id string) time.Time {
	t.Helper()
	m, err := snapshot.At(s.data).Verify(t.Context(), id, snapshot.Quick)
	must(t, err)
	return m.Created
}

// chosenAt sets the time at which the publisher made the current snapshot current.
func (s *site) chosenAt(t *testing.T, at time.Time) {
	t.Helper()
	w, err := snapshot.At(s.data).Lock(snapshot.WriterOptions{})
	must(t, err)
	must(t, errors.Join(w.SetChosen(at), w.Close()))
}

// TestPinnedClient publishes a new snapshot on two replicas, one after the other, while clients
// read all pages of a list through a real balancer. A client that sends the version of its first
// response must get only that version, without errors. A client that does not send it gets both.
func TestPinnedClient(t *testing.T) {
	for _, b := range balancers {
		t.Run(b.name, func(t *testing.T) {
			one := newSite(t)
			one.before(t)
			two := one.newMirror(t)
			must(t, os.CopyFS(two.data, os.DirFS(one.data)))
			two.chosenAt(t, created(t, one, one.older))
			a, z := one.serve(t), two.serve(t)
			separator := "; server "
			end := " max_fails=0"
			if b.name == "haproxy" {
				separator, end = "\n\tserver b ", ""
			}
			back := a.addr + end + separator + z.addr
			front := "http://" + b.start(t, back)
			version := func(s *server) string {
				r, err := ask(s.client, "http://"+s.addr+"/api/v1/stats", one.all)
				must(t, err)
				return r.version()
			}
			reach := func(s *server, id string) {
				s.hangup(t)
				until(t, "the replica answers from "+id, func() bool { return version(s) == id })
			}
			// all reads all pages of the plants and returns the versions of the responses. It sends
			// the version of the first response if pin is set, and calls halfway in the middle of
			// the list.
			all := func(pin bool, halfway func()) map[string]int {
				t.Helper()
				seen, last, guids := map[string]int{}, "", map[string]bool{}
				for page := 1; ; page++ {
					address := fmt.Sprintf("%s/api/v1/species?pageSize=10&page=%d", front, page)
					req, err := http.NewRequest(http.MethodGet, address, nil)
					must(t, err)
					req.Header.Set("X-Api-Key", one.all)
					if pin && last != "" {
						req.Header.Set("X-Data-Version", last)
					}
					resp, err := a.client.Do(req)
					must(t, err)
					var list struct {
						Total int
						Items []struct{ GUID string }
					}
					err = json.NewDecoder(resp.Body).Decode(&list)
					must(t, resp.Body.Close())
					if resp.StatusCode != http.StatusOK || err != nil {
						t.Fatalf("page %d with version %q: %s, %v", page, last, resp.Status, err)
					}
					last = resp.Header.Get("X-Data-Version")
					seen[last]++
					for _, i := range list.Items {
						guids[i.GUID] = true
					}
					if page == 10 && halfway != nil {
						halfway()
					}
					if page*10 >= list.Total {
						if pin && len(guids) != list.Total {
							t.Errorf("%d records on all pages, want %d", len(guids), list.Total)
						}
						return seen
					}
				}
			}
			// In the middle of the list, the first replica changes to the new snapshot. The other
			// replica has only the old one.
			half := func() {
				one.rollback(t, one.newer)
				reach(a, one.newer)
			}
			if got := all(true, half); len(got) != 1 || got[one.older] == 0 {
				t.Errorf("a client that began with %s saw %v", one.older, got)
			}
			if got := all(false, nil); len(got) != 2 {
				t.Errorf("without the header a client saw %v, want both snapshots; the balancer does not use both replicas", got)
			}
			// A client that starts with the new version also reaches the replica that does not have
			// the new version yet.
			for range 4 {
				if got := all(true, nil); len(got) != 1 {
					t.Errorf("a client saw %v, want one snapshot", got)
				}
			}
			// When both replicas have the new version, a client that started with the old version
			// still gets the old version.
			two.before(t)
			if got := all(true, func() {
				two.rollback(t, two.newer)
				reach(z, two.newer)
			}); len(got) != 1 {
				t.Errorf("a client saw %v, want one snapshot", got)
			}
			if z.metric(t, `bencao_http_requests_total{operation="species.search",status="503"}`) == 0 {
				t.Error("the replica without the new snapshot never refused, so the balancer never tried the other one")
			}
			for _, s := range []*server{a, z} {
				if !strings.Contains(s.logSoFar(t).String(), one.newer) || !strings.Contains(s.diary.String(), one.older) {
					t.Errorf("a replica has not opened both snapshots:\n%s", s.diary)
				}
			}
		})
	}
}
