//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// answers is the number of responses that [compare] compares at a time.
const answers = 1000

// TestMirrorAnswersAlike publishes three snapshots and serves them by the publisher and by a
// mirror. The second and the third come while both servers run; the mirror fetches the third over
// HTTPS. After each, the mirror's responses must equal the publisher's and differ from the
// responses of the previous snapshot.
func TestMirrorAnswersAlike(t *testing.T) {
	p := newPublisher(t)
	p.build(t)
	p.nginx.start(t, 0)
	m := p.mirror(t)
	m.pulled(t)
	servers := [2]*server{p.serve(t, "--site-url", "https://plants.example"), m.serve(t, "--site-url", "https://plants.example")}
	questions := p.questions(t, servers)
	before := compare(t, servers, questions)
	for n, url := range []string{p.nginx.http, p.nginx.https} {
		id := p.build(t)
		m.url = url
		if r := m.pulled(t); r.Linked+r.Fetched != r.Bytes || r.Fetched == 0 {
			t.Errorf("build %d: the pull reports a wrong origin of its bytes: %+v", n+2, r.Transfer)
		}
		for _, s := range servers {
			until(t, "the server answers from "+id, func() bool { return s.ready(t).Snapshot == id })
		}
		now := compare(t, servers, questions)
		changed := 0
		for i := range now {
			if !bytes.Equal(now[i].body, before[i].body) {
				changed++
			}
		}
		t.Logf("build %d: %d of %d answers have changed", n+2, changed, len(now))
		if changed < answers/5 {
			t.Errorf("build %d changed only %d of %d answers, so the test covers too little", n+2, changed, len(now))
		}
		before = now
	}

	// A mirror that does not know the certificate authority must not trust the publisher.
	p.build(t)
	cmd := m.command("--retries", "1")
	cmd.Env = append(cmd.Env, "SSL_CERT_FILE=/dev/null")
	if code, _, said := m.finish(t, cmd); code != 1 || !strings.Contains(said, "certificate") {
		t.Errorf("a certificate of an unknown authority: exit code %d, want 1:\n%s", code, said)
	}
	m.has(t, p.built[2])
}

// request is a request of a client.
type request struct {
	method, path, key string
	headers           []string // pairs of name and value
}

func (r request) String() string {
	return fmt.Sprintf("%s %s with the key %.12s… and %q", r.method, r.path, r.key, r.headers)
}

// questions returns requests for every endpoint: from every kind of client, with every kind of
// mistake, and typical requests of users.
func (p *publisher) questions(t *testing.T, servers [2]*server) []request {
	t.Helper()
	plain := p.key(t, "plain", "--network", "127.0.0.0/8", "--rate", "1000000")
	far := p.key(t, "far", "--network", "192.0.2.0/24", "--rate", "1000000")
	ended := p.key(t, "ended", "--network", "127.0.0.0/8")
	p.keys(t, "disable", "ended")
	for _, s := range servers {
		s.hangup(t)
		until(t, "the server knows the keys", func() bool { return s.with(t, plain, "/stats").status == http.StatusOK })
	}
	d := servers[0].newDeck(t)
	const root = "/api/v1"
	species, formula := root+"/species/"+d.species[0].GUID, root+"/formulas/"+d.formulas[0].GUID
	var all []request
	for _, path := range []string{
		root + "/species", root + "/species?q=renshen", species, species + "/flora", species + "/papers", species + "/formulas", species + "/uses",
		root + "/formulas?q=gui&dynasty=汉&pageSize=3", formula, root + "/papers?q=panax", root + "/names/match?name=Panax+ginsen&explain=true", root + "/stats", "/openapi/v1.json",
		root + "/species/none", root + "/formulas/none", root + "/nothing", "/", root + "/species?page=0", root + "/species?pageSize=101", root + "/papers?page=99999",
		root + "/species?q=%ff", root + "/species?q=a&q=b", root + "/species?frob=1", root + "/species/..%2f..%2fetc%2fpasswd",
	} {
		for _, key := range []string{p.all, plain, far, ended, "bencao_nonsense", ""} {
			all = append(all, request{http.MethodGet, path, key, nil})
		}
		all = append(all,
			request{http.MethodHead, path, p.all, nil}, request{http.MethodPost, path, p.all, nil}, request{http.MethodDelete, path, p.all, nil},
			request{http.MethodGet, path, p.all, []string{"Accept", "text/csv"}}, request{http.MethodGet, path, p.all, []string{"Accept", "image/png"}},
			request{http.MethodGet, path, p.all, []string{"Accept-Encoding", "gzip"}}, request{http.MethodGet, path, p.all, []string{"Accept-Encoding", "zstd"}},
			request{http.MethodGet, path, p.all, []string{"If-None-Match", "*"}}, request{http.MethodGet, path, p.all, []string{"X-Api-Key", plain}})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for len(all) < answers {
		all = append(all, request{http.MethodGet, root + d.draw(r).path, p.all, nil})
	}
	return all
}

// compare sends the same requests to publisher and mirror and returns the responses. The responses
// of the two must be equal in status, body and headers. [request.send] removes the parts that
// always differ.
func compare(t *testing.T, servers [2]*server, questions []request) []reply {
	t.Helper()
	kinds := map[int]int{}
	var all []reply
	for n, q := range questions {
		var got [2]reply
		for i, s := range servers {
			var err error
			if got[i], err = q.send(s); err != nil {
				t.Fatalf("%s: %v", q, err)
			}
		}
		a, b := got[0], got[1]
		if a.status != b.status || !bytes.Equal(a.body, b.body) {
			t.Fatalf("answer %d, %s: the publisher says %d %.300s\nthe mirror %d %.300s", n+1, q, a.status, a.body, b.status, b.body)
		}
		if !maps.EqualFunc(a.header, b.header, slices.Equal) {
			t.Fatalf("answer %d, %s: the headers of the publisher are\n%v\nthe headers of the mirror are\n%v", n+1, q, a.header, b.header)
		}
		kinds[a.status]++
		all = append(all, a)
	}
	for _, status := range []int{200, 400, 401, 403, 404, 405, 406} {
		if kinds[status] == 0 {
			t.Errorf("no answer has the status %d: %v", status, kinds)
		}
	}
	t.Logf("%d answers are the same, by status %v", len(all), kinds)
	return all
}

// instance matches the id of the request in the body of an error.
var instance = regexp.MustCompile(`"instance":"[A-Z2-7]+"`)

// send sends a request. It removes from the response the parts that always differ: the time, the
// request's id, and the number of requests that the key has left.
func (q request) send(s *server) (reply, error) {
	req, err := http.NewRequest(q.method, "http://"+s.addr+q.path, nil)
	if err != nil {
		return reply{}, err
	}
	if q.key != "" {
		req.Header.Set("X-Api-Key", q.key)
	}
	for i := 0; i < len(q.headers); i += 2 {
		req.Header.Add(q.headers[i], q.headers[i+1])
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	body, err := io.ReadAll(resp.Body)
	for _, name := range []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		if resp.Header.Get(name) == "" {
			err = errors.Join(err, fmt.Errorf("the answer has no %s", name))
		}
		resp.Header.Del(name)
	}
	if resp.StatusCode >= 400 {
		body = instance.ReplaceAll(body, nil)
	}
	return reply{resp.StatusCode, resp.Header, body}, errors.Join(err, resp.Body.Close())
}
