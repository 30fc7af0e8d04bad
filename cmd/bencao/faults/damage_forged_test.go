//go:build linux

package faults_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/sample"
	"bencao/store/snapshot"
)

// forger publishes forged snapshots: a file is damaged, and the manifest has the checksum of the
// damaged file. An attacker with write access to the data folder could make such a snapshot. So
// could a disk that damages files before their checksums are computed.
type forger struct {
	*site
	good map[string][]byte // original content of the files that tests damage
}

// forgeries maps files of a snapshot to functions that damage them. In a name, % means any text.
var forgeries = map[string]func(rnd *rand.Rand, b []byte) []byte{
	"store.bolt":                    damagePages,
	"species.bleve/store/root.bolt": damagePages,
	"species.bleve/index_meta.json": damageBits,
	"species.bleve/store/%.zap":     damageBits,
	"formulas.bleve/store/%.zap":    damageBits,
	"papers.bleve/store/%.zap":      damageBits,
	"herbs.bleve/store/%.zap":       damageBits,
	"names.idx":                     damageNames,
}

// damageBits flips some bits, anywhere or in the last 400 bytes, where a segment file stores the
// positions of its parts. Sometimes it also cuts off the end.
func damageBits(rnd *rand.Rand, b []byte) []byte {
	from := 0
	if rnd.IntN(2) == 0 {
		from = max(0, len(b)-400)
	}
	for range 1 + rnd.IntN(16) {
		b[from+rnd.IntN(len(b)-from)] ^= 1 << rnd.IntN(8)
	}
	if rnd.IntN(8) == 0 {
		b = b[:rnd.IntN(len(b))]
	}
	return b
}

// damagePages damages the important parts of a B+ tree file. It changes page headers and element
// lists, swaps pages, and removes pages at the end.
func damagePages(rnd *rand.Rand, b []byte) []byte {
	const page = 4096
	used := 0 // most of a new file is empty
	for at := 0; at+page <= len(b); at += page {
		if !bytes.Equal(b[at:at+16], make([]byte, 16)) {
			used = at/page + 1
		}
	}
	pick := func() []byte {
		at := page * rnd.IntN(used)
		return b[at:min(at+page, len(b))]
	}
	switch rnd.IntN(5) {
	case 0: // page header: number, kind, count, overflow
		p := pick()
		p[rnd.IntN(16)] ^= 1 << rnd.IntN(8)
	case 1: // list of the page's elements
		p := pick()
		for range 4 {
			p[16+rnd.IntN(64)] ^= 1 << rnd.IntN(8)
		}
	case 2:
		x, y := pick(), pick()
		keep := bytes.Clone(x)
		copy(x, y)
		copy(y, keep)
	case 3:
		b = b[:page*rnd.IntN(used)]
	default:
		damageBits(rnd, b[:page*used])
	}
	return b
}

// damageNames flips bits and corrects the checksum in the file.
func damageNames(rnd *rand.Rand, b []byte) []byte {
	const sum, body = 24, 32
	for range 1 + rnd.IntN(16) {
		b[body+rnd.IntN(len(b)-body)] ^= 1 << rnd.IntN(8)
	}
	binary.LittleEndian.PutUint32(b[sum:], crc32.Checksum(b[body:], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

func newForger(t *testing.T) *forger {
	t.Helper()
	faultsOnly(t)
	dir := t.TempDir()
	t.Cleanup(func() { must(t, clear(dir)) })
	f := &forger{site: &site{data: filepath.Join(dir, "data"), access: filepath.Join(dir, "access.toml")}, good: map[string][]byte{}}
	pkg := filepath.Join(dir, "package")
	must(t, os.CopyFS(pkg, sample.Package()))
	if out, err := exec.Command(program(), "index", "--data", f.data, "--source", pkg).CombinedOutput(); err != nil {
		t.Fatalf("indexing the sample: %v\n%s", err, out)
	}
	p, err := snapshot.At(f.data).Current()
	must(t, err)
	f.older, f.all = p.ID, f.openAll(t, "all")
	must(t, filepath.WalkDir(f.path(f.older, ""), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(f.path(f.older, ""), name)
		if err == nil {
			f.good[filepath.ToSlash(rel)], err = os.ReadFile(name)
		}
		return err
	}))
	return f
}

// file returns the name of a file of the snapshot that matches pattern, where % means any text.
func (f *forger) file(t *testing.T, pattern string) string {
	t.Helper()
	before, after, _ := strings.Cut(pattern, "%")
	for name := range f.good {
		if strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return name
		}
	}
	t.Fatalf("the snapshot has no %s", pattern)
	return ""
}

// publish copies the good snapshot, replaces one file by bad, and makes the copy current. It
// returns the id of the copy.
func (f *forger) publish(t *testing.T, file string, bad []byte) (id string) {
	t.Helper()
	w, err := snapshot.At(f.data).Lock(snapshot.WriterOptions{})
	must(t, err)
	defer func() { must(t, w.Close()) }()
	draft, err := w.Draft()
	must(t, err)
	good, err := snapshot.At(f.data).Open(t.Context(), f.older)
	must(t, err)
	defer func() { must(t, good.Close()) }()
	for name := range f.good {
		to := filepath.Join(draft.Path(), filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(to), 0o755))
		switch name {
		case "manifest.json":
		case file:
			must(t, os.WriteFile(to, bad, 0o444))
		default:
			must(t, os.Link(good.Path(filepath.FromSlash(name)), to))
		}
	}
	m, err := draft.Publish(context.Background(), good.Manifest.Content, func(string) error { return nil })
	must(t, err)
	return m.ID
}

// forgedSeeds is the number of times that the test damages each file. That makes more than a
// hundred snapshots, or a sixth of them unless BENCAO_FAULTS is all.
const forgedSeeds = 15

// TestForgedManifest publishes forged snapshots under a running server. Checksums cannot detect the
// damage, so responses may be wrong. But the server must keep running, respond to every request,
// and give the right responses again when the good snapshot is current.
func TestForgedManifest(t *testing.T) {
	f := newForger(t)
	srv := f.serve(t)
	right := srv.answers(t)
	seeds := forgedSeeds
	if !everyCall() {
		seeds /= 6
	}
	for _, pattern := range slices.Sorted(maps.Keys(forgeries)) {
		file := f.file(t, pattern)
		outcomes := map[string]int{}
		for seed := range seeds {
			bad := forgeries[pattern](rand.New(rand.NewPCG(uint64(seed), 11)), bytes.Clone(f.good[file]))
			id := f.publish(t, file, bad)
			srv.hangup(t)
			outcomes[f.outcome(t, srv, id, right)]++
			if !srv.lives() {
				t.Fatalf("%s, seed %d: the server has ended:\n%.3000s", file, seed, srv.diary)
			}
			f.rollback(t, f.older)
			srv.hangup(t)
			until(t, "the good snapshot answers again", func() bool { is := srv.ready(t); return is.Snapshot == f.older && !is.Stale })
			must(t, clear(f.path(id, "")))
		}
		t.Log(file, outcomes)
	}
	for q, body := range srv.answers(t) {
		if !bytes.Equal(body, right[q]) {
			t.Errorf("%s: the answer from the good snapshot differs from the one before: %.300s", q, body)
		}
	}
	for line := range strings.Lines(srv.logSoFar(t).String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("a line of the log has the wrong format: %.300q", line)
		}
	}
	srv.diary.forget()
}

// outcome returns how the server treats the forged snapshot id: "refused", or the worst kind of
// response that it gave. right maps requests to the right responses.
func (f *forger) outcome(t *testing.T, srv *server, id string, right map[string][]byte) string {
	t.Helper()
	var is readiness
	until(t, "the server uses or refuses the forged snapshot", func() bool {
		if !srv.lives() {
			return true
		}
		is = srv.ready(t)
		return is.Snapshot == id || is.Stale && is.Reason != nil && strings.Contains(*is.Reason, id)
	})
	if is.Snapshot != id {
		return "refused"
	}
	outcome := "right answers"
	for _, q := range questions {
		r, err := ask(srv.client, srv.url(q), f.all)
		switch {
		case err != nil:
			t.Errorf("%s: no answer from %s: %v", q, id, err)
			return "no answer"
		case r.status == http.StatusInternalServerError:
			outcome = "an error"
		case !bytes.Equal(r.body, right[q]) && outcome != "an error":
			outcome = "a wrong answer"
		}
	}
	return outcome
}
