package mirror_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
)

// alike returns the content of a nightly build. The contents of two builds differ little.
func alike(build string) map[string][]byte {
	set := map[string][]byte{"store.bolt": noise("", 1_500_000), "names.idx": noise("", 700_001), "report.json": noise("", 300), "empty": {}}
	for name, b := range set {
		if len(b) > 0 {
			copy(b[len(b)/3:], build)
			set[name] = append(b, build...)
		}
	}
	// These random bytes make the delta of this file about 150 KB long.
	set["store.bolt"] = slices.Insert(set["store.bolt"], 1_000_000, noise(build, 150_000+len(build))...)
	return set
}

// deltas makes the deltas to the publisher's current snapshot.
func (p *publisher) deltas(t *testing.T) snapshot.DeltaReport {
	t.Helper()
	w, err := p.dir.Lock(snapshot.WriterOptions{})
	must(t, err)
	r, err := w.MakeDeltas(t.Context(), 2)
	must(t, err)
	must(t, w.Close())
	return r
}

// twoBuilds returns a publisher with two nightly builds and deltas between them, and a mirror that
// has the first build.
func twoBuilds(t *testing.T) (*publisher, snapshot.Dir) {
	t.Helper()
	p, to := newPublisher(t), dataDir(t)
	p.publish(t, "one", alike("one"))
	pull(t, p, to, quick())
	p.publish(t, "second", alike("second"))
	p.deltas(t)
	p.put(nil)
	return p, to
}

// asked counts the requests whose path contains a text.
func asked(p *publisher, what string) (n int) {
	for _, r := range p.requests() {
		if strings.Contains(r, what) {
			n++
		}
	}
	return n
}

func TestPullDeltas(t *testing.T) {
	p, to := twoBuilds(t)
	r := pull(t, p, to, quick())
	same(t, p, to)
	large := int64(len(alike("second")["store.bolt"]) + len(alike("second")["names.idx"]))
	if r.Made != large || r.Fetched > 160_000 || r.Deltas == 0 || r.Deltas >= r.Fetched || r.FailedDeltas != nil || r.Bytes != r.Made+r.Linked+(r.Fetched-r.Deltas) {
		t.Errorf("%+v, want %d bytes made by deltas, and about 150,000 bytes fetched", r.Transfer, large)
	}
	if n := asked(p, "store.bolt") + asked(p, "names.idx"); n != 0 {
		t.Errorf("%d requests for large files, want requests for their deltas:\n%q", n, p.requests())
	}

	// The mirror misses one nightly build.
	p.publish(t, "third build", alike("third build"))
	p.publish(t, "the fourth", alike("the fourth"))
	p.deltas(t)
	if r = pull(t, p, to, quick()); r.Made == 0 || r.FailedDeltas != nil {
		t.Errorf("two builds later: %+v, want files made by deltas", r.Transfer)
	}
	same(t, p, to)
}

// TestPullNewFile checks that a file without a counterpart in a local snapshot is fetched
// compressed, as a delta from an empty file.
func TestPullNewFile(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	p.publish(t, "one", alike("one"))
	pull(t, p, to, quick())
	set := alike("second")
	set["changes.bolt"] = bytes.Repeat([]byte("much of the same "), 20_000)
	p.publish(t, "second", set)
	p.deltas(t)
	p.put(nil)
	r := pull(t, p, to, quick())
	same(t, p, to)
	if n := asked(p, "changes.bolt"); n != 0 || r.FailedDeltas != nil {
		t.Errorf("%d requests for the new file, %+v", n, r.Transfer)
	}
}

// TestPullNoDeltas checks that a publisher without deltas gets only one request for a delta from
// each local snapshot.
func TestPullNoDeltas(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	for i, build := range []string{"one", "second", "third"} {
		p.publish(t, build, alike(build))
		p.put(nil)
		r := pull(t, p, to, quick())
		same(t, p, to)
		if n := asked(p, "/deltas/"); n != i || r.Made != 0 || r.FailedDeltas != nil {
			t.Errorf("build %d: %d requests for deltas, %+v; want a request for each of %d local snapshots", i, n, r.Transfer, i)
		}
	}
}

// TestHostileDeltas serves deltas that a broken or hostile web server has changed in many ways. The
// mirror must still get the snapshot, and must report each failed delta.
func TestHostileDeltas(t *testing.T) {
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	body := func(b []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b) }
	}
	tests := []struct {
		name string
		how  http.HandlerFunc                                         // answers each request for a delta
		put  func(d snapshot.Dir) func(http.Handler) http.HandlerFunc // wraps the server if how is nil
		want string                                                   // part of each reported failure; empty if no delta fails
		made bool                                                     // whether the deltas succeed nevertheless
	}{
		{name: "not there", how: http.NotFound},
		{name: "forbidden", how: status(http.StatusForbidden)},
		{name: "errors", how: status(http.StatusBadGateway), want: "502 Bad Gateway"},
		{name: "empty", how: status(http.StatusOK)},
		{name: "a page", how: body([]byte("<html>Please log in</html>")), want: "is not a delta between these files: it does not start like a delta"},
		{name: "endless", how: endless, want: "is over the limit"},
		{name: "endless after a beginning", put: deltasChanged(func(b []byte) []byte { return append(b, make([]byte, 5_000_000)...) }), want: "is over the limit"},
		{name: "a bit more", put: deltasChanged(func(b []byte) []byte { return append(b, 0) }), want: "is not a delta between these files"},
		{name: "cut off", put: deltasChanged(func(b []byte) []byte { return b[:len(b)-1] }), want: "is not a delta between these files"},
		{name: "a flipped bit", put: deltasChanged(func(b []byte) []byte { b[len(b)-5] ^= 1; return b }), want: "gives the wrong file|is not a delta between these files"},
		{name: "exchanged", put: func(d snapshot.Dir) func(http.Handler) http.HandlerFunc {
			all, err := snapshot.Deltas(d)
			must(t, err)
			return altered("", func(w http.ResponseWriter, r *http.Request) {
				other := all[0]
				if strings.HasSuffix(r.URL.Path, other.Path()) {
					other = all[1]
				}
				http.ServeFile(w, r, filepath.Join(d.Path(), other.Path()))
			})
		}, want: "is not a delta between these files"},
		{name: "a lying length", how: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "20000")
			_, _ = w.Write(make([]byte, 10))
		}, want: "unexpected EOF"},
		{name: "compressed", how: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(make([]byte, 10))
		}, want: `Content-Encoding "gzip"`},
		{name: "a stall", how: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "20000")
			_, _ = w.Write(make([]byte, 10))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, want: "the server has stalled"},
		{name: "redirects in a circle", how: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, want: "more than 5 redirects"},
		{name: "no ranges, and a connection that breaks", put: func(snapshot.Dir) func(http.Handler) http.HandlerFunc {
			return func(files http.Handler) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					r.Header.Del("Range")
					cut(100_000)(files)(w, r)
				}
			}
		}, want: "EOF"},
		{name: "another part than was asked for", put: func(d snapshot.Dir) func(http.Handler) http.HandlerFunc {
			return func(files http.Handler) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Range") != "" {
						r.Header.Set("Range", "bytes=5-")
					}
					cut(100_000)(files)(w, r)
				}
			}
		}, want: "asked for the bytes from"},
		{name: "a connection that breaks", put: func(snapshot.Dir) func(http.Handler) http.HandlerFunc { return cut(100_000) }, made: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, to := twoBuilds(t)
			between := altered("", tt.how)
			if tt.how == nil {
				between = tt.put(p.dir)
			}
			p.put(onlyDeltas(between))
			opt := quick()
			opt.Stall = time.Second
			r := pull(t, p, to, opt)
			same(t, p, to)
			if (r.Made > 0) != (tt.made || strings.HasPrefix(tt.want, "EOF") || strings.HasPrefix(tt.want, "asked for")) {
				t.Errorf("%+v, want files made by deltas: %v", r.Transfer, tt.made)
			}
			if (tt.want == "") != (len(r.FailedDeltas) == 0) {
				t.Errorf("the failed deltas are %+v, want failures with %q", r.FailedDeltas, tt.want)
			}
			for _, f := range r.FailedDeltas {
				if !slices.ContainsFunc(strings.Split(tt.want, "|"), func(want string) bool { return strings.Contains(f.Error, want) }) || strings.Contains(f.Error, "\n") {
					t.Errorf("%s: %s\nwant one line with %q", f.File, f.Error, tt.want)
				}
			}
			if got := lastReport(t, to); fmt.Sprint(got.Transfer) != fmt.Sprint(r.Transfer) {
				t.Errorf("the report in the data directory has %+v, want %+v", got.Transfer, r.Transfer)
			}
		})
	}
}

// onlyDeltas limits a wrapper to requests for deltas.
func onlyDeltas(between func(http.Handler) http.HandlerFunc) func(http.Handler) http.HandlerFunc {
	return func(files http.Handler) http.HandlerFunc {
		before := between(files)
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "deltas/") {
				before(w, r)
				return
			}
			files.ServeHTTP(w, r)
		}
	}
}

// deltasChanged serves deltas with changed content.
func deltasChanged(change func([]byte) []byte) func(snapshot.Dir) func(http.Handler) http.HandlerFunc {
	return func(d snapshot.Dir) func(http.Handler) http.HandlerFunc {
		return rewritten(d, "", func(b []byte) []byte { return change(bytes.Clone(b)) })
	}
}

// TestFailedDeltaTakesNoRoom checks that the part of a failed delta is removed from the disk before
// the whole file is fetched, since the disk may have no space for both.
func TestFailedDeltaTakesNoRoom(t *testing.T) {
	p, to := twoBuilds(t)
	at, err := p.dir.Current()
	must(t, err)
	left := make(chan string, 20)
	p.put(func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "deltas/") {
				_, _ = w.Write(make([]byte, 5_000_000))
				return
			}
			if _, path, found := strings.Cut(r.URL.Path, "/snapshots/"+at.ID+"/"); found {
				name := filepath.Join(to.Path(), "snapshots", ".pull-"+at.ID, ".deltas", fmt.Sprintf("%x", sha256.Sum256([]byte(path))))
				if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
					left <- path
				}
			}
			files.ServeHTTP(w, r)
		}
	})
	r := pull(t, p, to, quick())
	same(t, p, to)
	close(left)
	for path := range left {
		t.Errorf("the failed delta of %s is still on the disk while the file is fetched", path)
	}
	if len(r.FailedDeltas) == 0 {
		t.Errorf("%+v, want failed deltas", r.Transfer)
	}
}

// TestManyBadDeltas checks that only a few deltas are requested if all of them fail.
func TestManyBadDeltas(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	content := func(build string) map[string][]byte {
		set := map[string][]byte{"store.bolt": {}}
		for i := range 30 {
			set[fmt.Sprintf("%02d.zap", i)] = append(noise(fmt.Sprintf("%*d", i+1, i), 70_000), build...)
		}
		return set
	}
	p.publish(t, "one", content("one"))
	pull(t, p, to, quick())
	p.publish(t, "second", content("second"))
	p.deltas(t)
	p.put(onlyDeltas(deltasChanged(func(b []byte) []byte { return b[1:] })(p.dir)))
	r := pull(t, p, to, quick())
	same(t, p, to)
	if n := len(r.FailedDeltas); n < 5 || n > 8 || asked(p, "deltas/") != n {
		t.Errorf("%d of %d requested deltas failed, want 5 to 8: some requests run at the same time", n, asked(p, "deltas/"))
	}
}

// TestDeltaOfDamage damages the old file to which a delta is applied. The mirror must fetch the
// whole new file.
func TestDeltaOfDamage(t *testing.T) {
	for name, harm := range map[string]func([]byte) []byte{
		"a flipped bit": func(b []byte) []byte { b[77_777] ^= 1; return b },
		"cut off":       func(b []byte) []byte { return b[:77_777] },
		"empty":         func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			p, to := twoBuilds(t)
			here, err := to.Current()
			must(t, err)
			file := filepath.Join(to.Path(), snapshot.FilePath(here.ID, "names.idx"))
			b, err := os.ReadFile(file)
			must(t, err)
			must(t, os.Chmod(file, 0o644))
			must(t, os.WriteFile(file, harm(b), 0o444))
			r := pull(t, p, to, quick())
			same(t, p, to)
			if len(r.FailedDeltas) != 1 || r.FailedDeltas[0].File != "names.idx" || r.Made == 0 {
				t.Errorf("%+v, want a failed delta of names.idx and store.bolt made by a delta", r.Transfer)
			}
		})
	}
}

// TestDeltaLeftovers checks that the parts of deltas that a killed run left do no harm.
func TestDeltaLeftovers(t *testing.T) {
	p, to := twoBuilds(t)
	at, err := p.dir.Current()
	must(t, err)
	left := filepath.Join(to.Path(), "snapshots", ".pull-"+at.ID, ".deltas")
	must(t, os.MkdirAll(left, 0o755))
	all, err := snapshot.Deltas(p.dir)
	must(t, err)
	for _, d := range all {
		must(t, os.WriteFile(filepath.Join(left, d.New), []byte("half a delta"), 0o644))
		must(t, os.WriteFile(filepath.Join(left, d.New+".made"), []byte("half a file"), 0o644))
	}
	if r := pull(t, p, to, quick()); r.Made == 0 || r.FailedDeltas != nil {
		t.Errorf("%+v, want files made by deltas", r.Transfer)
	}
	same(t, p, to)
}

// TestDeltaAfterBeginning checks that a file that an earlier run fetched in part is completed
// without a delta.
func TestDeltaAfterBeginning(t *testing.T) {
	p, to := twoBuilds(t)
	at, err := p.dir.Current()
	must(t, err)
	part := filepath.Join(to.Path(), "snapshots", ".pull-"+at.ID)
	must(t, os.MkdirAll(part, 0o755))
	must(t, os.WriteFile(filepath.Join(part, "names.idx"), alike("second")["names.idx"][:500_000], 0o644))
	r := pull(t, p, to, quick())
	same(t, p, to)
	if r.Resumed != 500_000 || asked(p, "names.idx bytes=500000-") != 1 {
		t.Errorf("%+v, want the rest of names.idx fetched; the requests are\n%q", r.Transfer, p.requests())
	}
}
