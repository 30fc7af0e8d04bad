package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"bencao/internal/bench/made"
	"bencao/names/han"
	"bencao/store/snapshot"
)

// scripts load the peers and ask them.
//
//go:embed peers/*.py
var scripts embed.FS

// peers are the engines that answer the same questions.
var peers = []string{"PostgreSQL", "SQLite", "Xapian"}

// perPeer is how many questions of a kind peers are asked, at most: some take half
// a second.
const perPeer = 100

// peer is what an engine, ours too, took to load, or why it is not here.
type peer struct {
	Name    string             `json:"name"`
	Missing string             `json:"missing,omitempty"`
	Version string             `json:"version,omitempty"`
	Wall    float64            `json:"loadWallSeconds,omitempty"`
	CPU     float64            `json:"loadCPUSeconds,omitempty"`
	Bytes   float64            `json:"bytes,omitempty"`
	Empty   float64            `json:"emptyQuestionMicroseconds,omitempty"`
	Kinds   map[string]answers `json:"kinds,omitempty"`
}

// answers are what a kind of questions cost, in µs each, and how many results each
// question had.
type answers struct {
	CPU    float64 `json:"cpu"`
	Totals []int   `json:"totals"`
	floor  float64
}

// comparison is one under way. Own are the program's answers.
type comparison struct {
	python, dir string
	asking      *asking
	questions   map[string][]string
	own         map[string]answers
}

func peersCommand(ctx context.Context, f *flag.FlagSet, args []string, _ io.Reader, out io.Writer) (err error) {
	program := f.String("program", "bin/bencao", "the program that is compared")
	sources := f.String("sources", "", "folder that \"bench data\" wrote")
	data := f.String("data", "", "data folder that was indexed from these sources; without a snapshot, it is built")
	python := f.String("python", "/usr/bin/python3", "Python that has Debian's modules")
	path := f.String("out", "", "where the result goes, without .md and .json")
	each := f.Duration("each", httpEach, "how long a kind is asked in a round")
	rounds := f.Int("rounds", 3, "rounds, of which the one with the least processor time counts")
	scale := f.Float64("scale", 0, "scale of the sources, for the result")
	if err := parse(f, args, "sources", "data", "out"); err != nil {
		return err
	}
	if err := made.Whole(*sources); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := &comparison{python: *python, dir: dir, questions: map[string][]string{}, own: map[string]answers{}}
	c.asking = &asking{program: *program, data: *data, dir: dir, each: *each, rounds: *rounds, progress: out}
	here, missing, err := c.find(ctx)
	if err != nil {
		return err
	}
	if _, err := snapshot.At(*data).Current(); errors.Is(err, snapshot.ErrNone) { // none, or a night that was killed
		if _, err := night(ctx, *program, *sources, *data, "--first"); err != nil {
			return err
		}
	}
	if err := c.ask(ctx, *sources); err != nil {
		return err
	}
	own, err := loaded(*data)
	if err != nil {
		return err
	}
	r := newResult("Processor time a question, beside peers", "bencao µs", "floor µs", "results")
	r.Scale, r.Null, r.Peers = *scale, "cannot", append([]peer{own}, missing...)
	r.note("%s: %.1f s for the night, %.1f s of the processor, %.0f MB.", own.Version, own.Wall, own.CPU, own.Bytes/1e6)
	for _, p := range missing {
		r.note("%s was left out: %s.", p.Name, p.Missing)
	}
	if err := c.peers(ctx, here, r); err != nil {
		return err
	}
	return r.write(*path, out)
}

// loaded is what the night of the program took.
func loaded(data string) (p peer, err error) {
	dir, night, err := reported(data)
	if err != nil {
		return p, err
	}
	p = peer{Name: "bencao", Version: night.Program, Wall: night.FinishedAt.Sub(night.StartedAt).Seconds()}
	for _, phase := range night.Phases {
		p.CPU += phase.CPUSeconds
	}
	p.Bytes, err = bytesIn(dir)
	return p, err
}

// ask asks the program, and writes the tables that the peers load.
func (c *comparison) ask(ctx context.Context, sources string) (err error) {
	if c.asking.service, err = serve(ctx, c.asking.program, c.asking.data, c.dir, 1); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.asking.service.stop()) }()
	conn, err := dial(c.asking.service.address, c.asking.service.keys[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.close()) }()
	d, err := newDeck(conn)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		if err := c.kind(ctx, conn, k, k.make(d)); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	if err := os.Mkdir(filepath.Join(c.dir, "tables"), 0o755); err != nil {
		return err
	}
	t := &tables{sources: sources, dir: filepath.Join(c.dir, "tables"), server: conn}
	return t.write()
}

// kind asks the program questions of a kind, and the floor below it, over one
// connection as PostgreSQL is asked.
func (c *comparison) kind(ctx context.Context, conn *client, k kind, all []question) (err error) {
	var asked []question
	for _, i := range rand.New(rand.NewPCG(7, 20261123)).Perm(len(all))[:min(perPeer, len(all))] {
		asked = append(asked, all[i])
	}
	asked, list, err := recordAll(conn, k, asked)
	if err != nil {
		return err
	}
	own := answers{}
	for _, a := range list {
		if text, err := asText(a.Path); err != nil {
			return err
		} else if k.name != "304" { // which no peer can say
			c.questions[k.name] = append(c.questions[k.name], text)
		}
		n, err := results(a.Body)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Path, err)
		}
		own.Totals = append(own.Totals, n)
	}
	floor, err := c.asking.floor(ctx, list)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, floor.stop()) }()
	if own.CPU, err = c.alone(c.asking.service.process, asked); err != nil {
		return err
	}
	own.floor, err = c.alone(floor, asked)
	c.own[k.name] = own
	return err
}

// alone measures what a question costs that one connection asks.
func (c *comparison) alone(p *process, questions []question) (best float64, err error) {
	for range c.asking.rounds {
		n := 0
		before, err := p.cpu()
		if err != nil {
			return 0, err
		}
		if err := c.asking.askFor(p, questions, c.asking.each, func(time.Duration) { n++ }); err != nil {
			return 0, err
		}
		after, err := p.cpu()
		if err != nil {
			return 0, err
		}
		if cost := micros(after-before) / float64(n); best == 0 || cost < best {
			best = cost
		}
	}
	return best, nil
}

// asText is what a question asks for: what is searched, or else the last part of
// the address. Letters' case and spellings of characters are folded for the peers.
func asText(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	text := u.Query().Get("q") + u.Query().Get("name")
	if text == "" {
		text = path.Base(u.Path)
	}
	if han.Has(text) {
		return han.Fold(text), nil
	}
	return strings.ToLower(text), nil
}

// results is how many results an answer has: a name that was found and a record are
// one.
func results(body []byte) (int, error) {
	if len(body) == 0 {
		return 0, nil
	}
	var a struct {
		Total   *int              `json:"total"`
		Items   []json.RawMessage `json:"items"`
		Results []json.RawMessage `json:"results"`
	}
	err := json.Unmarshal(body, &a)
	switch {
	case a.Total != nil:
		return *a.Total, err
	case a.Items != nil:
		return len(a.Items), err
	case a.Results != nil:
		return min(len(a.Results), 1), err
	}
	return 1, err
}

// find writes the scripts and looks which peers are here.
func (c *comparison) find(ctx context.Context) (here []string, missing []peer, err error) {
	if err := os.CopyFS(c.dir, scripts); err != nil {
		return nil, nil, err
	}
	if err := os.Chmod(c.dir, 0o711); err != nil { // another user runs PostgreSQL
		return nil, nil, err
	}
	for _, name := range peers {
		p, err := c.peer(ctx, name, nil)
		switch {
		case err != nil:
			return nil, nil, err
		case p.Missing != "":
			fmt.Fprintf(c.asking.progress, "%s is left out: %s\n", name, p.Missing)
			missing = append(missing, p)
		default:
			here = append(here, name)
		}
	}
	if len(here) == 0 {
		return nil, nil, errors.New("there is no peer to compare with; apt install python3 python3-xapian postgresql-15")
	}
	return here, missing, nil
}

// peers asks one after another, and writes down what they took.
func (c *comparison) peers(ctx context.Context, names []string, r *result) error {
	var here []peer
	for _, name := range names {
		fmt.Fprintln(c.asking.progress, name)
		p, err := c.load(ctx, name)
		if err != nil {
			return err
		}
		here = append(here, p)
		r.Columns = append(r.Columns, name+" µs", name+" results", name+" same %")
		r.note("%s: %.1f s to load and index, %.1f s of the processor, %.0f MB; an empty question costs %.1f µs.", p.Version, p.Wall, p.CPU, p.Bytes/1e6, p.Empty)
	}
	for _, k := range kinds {
		own := c.own[k.name]
		line := row{Name: k.name, Figures: figures(own.CPU, own.floor, mean(own.Totals))}
		for _, p := range here {
			line.Figures = append(line.Figures, p.figures(k.name, own.Totals)...)
		}
		r.Rows = append(r.Rows, line)
	}
	for _, p := range here {
		p.Kinds = nil // the rows have them
		r.Peers = append(r.Peers, p)
	}
	r.note("Results are those of a question, on the average; same is the share of questions that have as many as bencao's answer.")
	return nil
}

// figures are what a kind cost, its results, and how many are as many as of the
// program.
func (p *peer) figures(kind string, own []int) []*float64 {
	a, ok := p.Kinds[kind]
	if !ok {
		return figures(-1, -1, -1)
	}
	same := 0
	for i, n := range a.Totals {
		if n == own[i] {
			same++
		}
	}
	return figures(a.CPU, mean(a.Totals), 100*float64(same)/float64(len(a.Totals)))
}

func mean(list []int) float64 {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return float64(sum) / float64(len(list))
}

// load has a peer load and answer, in a folder that goes when it is done.
func (c *comparison) load(ctx context.Context, name string) (p peer, err error) {
	work := filepath.Join(c.dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	return c.peer(ctx, name, map[string]any{
		"tables": filepath.Join(c.dir, "tables"), "work": work, "each": c.asking.each.Seconds(), "rounds": c.asking.rounds, "questions": c.questions,
	})
}

// peer runs the script of a peer. Without a task it says whether it can be run.
func (c *comparison) peer(ctx context.Context, name string, task map[string]any) (p peer, err error) {
	p.Name = name
	in, err := json.Marshal(task)
	if err != nil {
		return p, err
	}
	script := "ask_" + strings.ToLower(name) + ".py"
	cmd := exec.CommandContext(ctx, c.python, filepath.Join(c.dir, "peers", script))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it stops what it started
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), c.asking.progress
	b, err := cmd.Output()
	switch {
	case errors.Is(err, os.ErrNotExist):
		p.Missing = c.python + " is not there"
		return p, nil
	case ctx.Err() != nil:
		return p, ctx.Err()
	case err != nil:
		return p, fmt.Errorf("%s: %w; it said why", script, err)
	}
	return p, json.Unmarshal(b, &p)
}
