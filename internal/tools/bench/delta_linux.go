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
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"

	"bencao/internal/tools/bench/made"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// limitDelta is in percent. It is the largest share of a snapshot that a mirror may fetch if one
// record in a hundred has changed.
const limitDelta = 5

func deltaCommand(ctx context.Context, f *flag.FlagSet, args []string, _ io.Reader, out io.Writer) error {
	program := f.String("program", "bin/bencao", "the program that is measured")
	sources := f.String("sources", "", "folder that \"bench data\" wrote")
	folder := f.String("folder", "", "folder for nights and mirrors, empty or not there")
	path := f.String("out", "", "where the result goes, without .md and .json")
	scale := f.Float64("scale", 0, "scale of the sources, for the result")
	share := f.Float64("share", 0.01, "share of the records of each table that change")
	if err := parse(f, args, "sources", "folder", "out"); err != nil {
		return err
	}
	if err := made.Empty(*folder); err != nil {
		return err
	}
	r := newResult("What a mirror fetches of the next night", "MiB", "at random", "%", "in one piece", "% of it")
	r.Scale = *scale
	first := filepath.Join(*folder, "first")
	if _, err := night(ctx, *program, *sources, first, "--first"); err != nil {
		return err
	}
	var nights [2]*nextNight
	for i, piece := range []bool{false, true} {
		n := &nextNight{program: *program, folder: filepath.Join(*folder, fmt.Sprint("next", i)), first: first}
		if err := made.Change(*sources, n.path("sources"), *share, piece); err != nil {
			return err
		}
		if err := n.run(ctx); err != nil {
			return err
		}
		nights[i] = n
		r.note("%s: deltas took %.0f s of CPU and %.0f MiB; the mirror's pull reports %s.", []string{"At random", "In one piece"}[i], n.made.cpu, n.made.peak, n.said)
	}
	nights[0].rows(nights[1], r)
	r.note("What a file takes is its delta, or the whole file where that is as good. The mirror's bytes are those of all answers' bodies, manifest and all; the limit is %d %%.", limitDelta)
	return r.write(*path, out)
}

// nextNight is a later nightly build, and a mirror that follows it.
type nextNight struct {
	program, folder, first string

	files   snapshot.Manifest
	fetched map[string]int64 // by file: bytes of its delta or of the whole file; 0 if the file is linked
	pulled  int64            // bytes that the web server sent
	made    spent            // cost of "bencao delta"
	said    string
}

func (n *nextNight) path(name string) string { return filepath.Join(n.folder, name) }

// run runs the nightly build, makes deltas, and updates a mirror of the first build.
func (n *nextNight) run(ctx context.Context) error {
	data, copied := n.path("data"), n.path("mirror")
	for _, dir := range []string{data, copied} {
		if err := os.CopyFS(dir, os.DirFS(n.first)); err != nil {
			return err
		}
	}
	if _, err := night(ctx, n.program, n.path("sources"), data); err != nil {
		return err
	}
	if err := n.deltas(ctx, data); err != nil {
		return err
	}
	var sent atomic.Int64
	files := http.FileServer(http.Dir(data))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		files.ServeHTTP(&counting{w, &sent}, r)
	}))
	defer server.Close()
	said, err := exec.CommandContext(ctx, n.program, "pull", server.URL, "--data", copied, "--json", "--log", "json").Output()
	if err != nil {
		return fmt.Errorf("pull: %w: %s", err, said)
	}
	n.pulled = sent.Load()
	return n.compare(ctx, data, copied, said)
}

// compare checks that mirror and publisher have equal files, to the byte.
func (n *nextNight) compare(ctx context.Context, data, copied string, said []byte) error {
	var report mirror.Report
	if err := json.Unmarshal(said, &report); err != nil {
		return err
	}
	n.said = fmt.Sprintf("%d bytes fetched, %d of them deltas, which made %d; %d linked; failed: %v", report.Fetched, report.Deltas, report.Made, report.Linked, report.FailedDeltas)
	own, err := snapshot.At(data).Current()
	if err != nil {
		return err
	}
	theirs, err := snapshot.At(copied).Current()
	if err != nil || own != theirs {
		return errors.Join(err, fmt.Errorf("the mirror has %s, the publisher %s", theirs, own))
	}
	_, err = snapshot.At(copied).Verify(ctx, own.ID, snapshot.Deep)
	return err
}

// deltas runs "bencao delta".
func (n *nextNight) deltas(ctx context.Context, data string) error {
	cmd := exec.CommandContext(ctx, n.program, "delta", "--data", data, "--json")
	var said bytes.Buffer
	cmd.Stdout = &said
	took, err := taken(cmd)
	if err != nil {
		return err
	}
	n.made = took
	var report snapshot.DeltaReport
	if err := json.Unmarshal(said.Bytes(), &report); err != nil {
		return err
	}
	if n.files, err = snapshot.At(data).Published(); err != nil {
		return err
	}
	before, err := snapshot.At(n.first).Published()
	if err != nil {
		return err
	}
	n.fetched = map[string]int64{}
	for _, f := range n.files.Files {
		n.fetched[f.Path] = f.Bytes
	}
	for _, f := range before.Files {
		for _, now := range n.files.Files {
			if f.SHA256 == now.SHA256 {
				n.fetched[now.Path] = 0
			}
		}
	}
	for _, d := range report.Deltas {
		if d.Delta > 0 {
			n.fetched[d.File] = d.Delta
		}
	}
	return nil
}

// rows adds the figures of two nightly builds in the same rows.
func (n *nextNight) rows(other *nextNight, r *result) {
	for _, f := range n.files.Files {
		if f.Bytes < 64<<10 && !strings.HasSuffix(f.Path, ".bolt") {
			continue
		}
		a, b := float64(n.fetched[f.Path]), float64(other.fetched[f.Path])
		size := float64(f.Bytes)
		r.add(f.Path, size/mib, a/mib, 100*a/size, b/mib, 100*b/size)
	}
	whole, others := float64(n.files.Bytes()), float64(other.files.Bytes())
	r.add("the mirror, over HTTP", whole/mib, float64(n.pulled)/mib, 100*float64(n.pulled)/whole, float64(other.pulled)/mib, 100*float64(other.pulled)/others)
}

// counting counts the bytes of response bodies.
type counting struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.sent.Add(int64(n))
	return n, err
}
