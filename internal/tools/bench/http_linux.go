package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// connections is the number of clients while processor time is measured. With several clients the
// server is never idle between two questions.
const connections = 8

// httpEach is how long each kind of questions is asked in a round, by default.
const httpEach = time.Second

func httpCommand(ctx context.Context, f *flag.FlagSet, args []string, _ io.Reader, out io.Writer) (err error) {
	program := f.String("program", "bin/bencao", "the program that is asked")
	data := f.String("data", "", "data folder that it indexed")
	path := f.String("out", "", "where the result goes, without .md and .json")
	each := f.Duration("each", httpEach, "how long a kind is asked in a round")
	rounds := f.Int("rounds", 3, "rounds, of which the one with the least processor time counts")
	only := f.String("only", "", "kinds whose name has this in it; empty is all")
	scale := f.Float64("scale", 0, "scale of the data, for the result")
	if err := parse(f, args, "data", "out"); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	m := &asking{program: *program, data: *data, dir: dir, each: *each, rounds: *rounds, only: *only, progress: out}
	r := newResult("Server CPU a question over HTTP", "CPU µs", "floor µs", "above µs", "limit µs", "p50 µs", "p99 µs", "limit p99 µs", "requests/s", "bytes")
	r.Scale = *scale
	if err := m.all(ctx, r); err != nil {
		return err
	}
	return r.write(*path, out)
}

// asking is the state of the command http.
type asking struct {
	program, data, dir, only string
	each                     time.Duration
	rounds                   int
	progress                 io.Writer
	service                  *service
}

// cost is the cost of a kind of questions.
type cost struct {
	cpu, perSecond float64 // µs of processor time per question; questions per second
	p50, p99       float64 // µs until the answer, with one client
}

func (m *asking) all(ctx context.Context, r *result) (err error) {
	if m.service, err = serve(ctx, m.program, m.data, m.dir, connections); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.service.stop()) }()
	c := newClient(m.service.address, m.service.keys[0])
	defer c.close()
	d, err := newDeck(c)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		if !strings.Contains(k.name, m.only) {
			continue
		}
		if err := m.kind(ctx, c, k, k.make(d), r); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	own, files, err := m.service.resident()
	r.note("Resident after all was asked: %.0f MiB of its own, %.0f MiB of files.", own/(1<<20), files/(1<<20))
	r.note("Above is CPU less floor: a bare gin handler that writes the same bytes with the same headers. %d connections ask at once; p50 and p99 are of a single one.", connections)
	return err
}

// kind measures one kind of questions on the program and on the baseline server.
func (m *asking) kind(ctx context.Context, c *client, k kind, questions []question, r *result) (err error) {
	if len(questions) == 0 {
		return errors.New("the data have no record to ask it of")
	}
	questions, list, err := recordAll(c, k, questions)
	if err != nil {
		return err
	}
	if err := noteHits(r, k, list[0]); err != nil {
		return err
	}
	size := 0
	for _, a := range list {
		size += len(a.Body)
	}
	floor, err := m.floor(ctx, list)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, floor.stop()) }()
	var over, under cost
	for i := range m.rounds {
		a, err := m.measure(ctx, m.service.process, questions)
		if err != nil {
			return err
		}
		b, err := m.measure(ctx, floor, questions)
		if err != nil {
			return err
		}
		if i == 0 {
			over, under = a, b
		}
		over = over.best(a)
		under.cpu = min(under.cpu, b.cpu)
	}
	r.add(k.name, over.cpu, under.cpu, over.cpu-under.cpu, k.limit, over.p50, over.p99, k.p99, over.perSecond, float64(size/len(list)))
	fmt.Fprintf(m.progress, "%-28s %7.1f µs, floor %5.1f, above %7.1f of %4.0f, p99 %6.0f of %4.0f\n", k.name, over.cpu, under.cpu, over.cpu-under.cpu, k.limit, over.p99, k.p99)
	return nil
}

// noteHits adds a note if no question had the number of hits that the kind requires. In that case
// all questions were asked.
func noteHits(r *result, k kind, answer recorded) error {
	if k.hits == (span{}) {
		return nil
	}
	var p listing
	if err := json.Unmarshal(answer.Body, &p); err != nil {
		return fmt.Errorf("%s: %w", answer.Path, err)
	}
	if !k.hits.has(p.Total) {
		r.note("%s: no question about these data has %d to %d hits, so that those with any number were asked.", k.name, k.hits.least, k.hits.most)
	}
	return nil
}

// recordAll sends each question once and records the answers. It returns the questions that have
// the number of hits of the kind, with their answers; if there are none, it returns all. A question
// of the kind 304 gets the ETag of its answer.
func recordAll(c *client, k kind, questions []question) (of []question, list []recorded, err error) {
	var all []question
	var every []recorded
	for _, q := range questions {
		a, err := c.ask(q)
		if err == nil && k.name == "304" {
			q.tag = a.header.Get("ETag")
			a, err = c.ask(q)
		}
		if err != nil {
			return nil, nil, err
		}
		if want := http.StatusOK; a.status != want && !(k.name == "304" && a.status == http.StatusNotModified) {
			return nil, nil, fmt.Errorf("%s: status %d, want %d: %.300s", q.path, a.status, want, a.body)
		}
		a.header.Del("Date") // net/http sets it again
		one := recorded{Path: q.path, Status: a.status, Header: a.header, Body: bytes.Clone(a.body)}
		all, every = append(all, q), append(every, one)
		if k.hits == (span{}) {
			continue
		}
		var p listing
		if err := json.Unmarshal(a.body, &p); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", q.path, err)
		}
		if k.hits.has(p.Total) {
			of, list = append(of, q), append(list, one)
		}
	}
	if len(of) == 0 {
		return all, every, nil
	}
	return of, list, nil
}

// best returns for each field the better figure of two rounds: the figure that other work on the
// machine has disturbed less.
func (c cost) best(o cost) cost {
	return cost{cpu: min(c.cpu, o.cpu), perSecond: max(c.perSecond, o.perSecond), p50: min(c.p50, o.p50), p99: min(c.p99, o.p99)}
}

// floor starts this program as the baseline server.
func (m *asking) floor(ctx context.Context, list []recorded) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "floor", "-listen", address)
	cmd.Stdin = bytes.NewReader(b)
	p, _, err := begin(ctx, cmd, address, "/", filepath.Join(m.dir, "floor.log"))
	return p, err
}

// measure sends questions for the duration each: first with one client to measure response times,
// then with several clients to measure processor time.
func (m *asking) measure(ctx context.Context, p *process, questions []question) (c cost, err error) {
	var took []time.Duration
	alone := newClient(p.address, m.service.keys[0])
	defer alone.close()
	if err := alone.askFor(questions, 0, m.each/2, func(d time.Duration) { took = append(took, d) }); err != nil {
		return c, err
	}
	slices.Sort(took)
	c.p50, c.p99 = micros(took[len(took)/2]), micros(took[len(took)*99/100])
	before, err := p.cpu()
	if err != nil {
		return c, err
	}
	start := time.Now()
	n, err := askTogether(ctx, p.address, m.service.keys[:connections], questions, m.each)
	if err != nil {
		return c, err
	}
	elapsed := time.Since(start)
	after, err := p.cpu()
	if err != nil {
		return c, err
	}
	c.cpu, c.perSecond = micros(after-before)/float64(n), float64(n)/elapsed.Seconds()
	return c, nil
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
