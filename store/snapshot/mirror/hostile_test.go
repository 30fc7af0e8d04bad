package mirror_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// TestHostilePublisher lets a web server answer wrongly in many ways. The mirror must report the
// cause and keep its old snapshot. Once the server works again, a pull must succeed.
func TestHostilePublisher(t *testing.T) {
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}
	tests := []struct {
		name    string
		between func(d snapshot.Dir) func(http.Handler) http.HandlerFunc
		opt     func(o *mirror.Options)
		want    string
		trusted bool // the mirror has a root of trust
	}{
		{name: "no CURRENT", between: with("CURRENT", http.NotFound), want: "/CURRENT: the server answers 404 Not Found; the address must be"},
		{name: "a page in place of CURRENT", between: with("CURRENT", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html>\nPlease log in</html>")
		}), want: "/CURRENT: does not end with a line feed"},
		{name: "CURRENT cut off", between: changed("CURRENT", func(b []byte) []byte { return b[:40] }), want: "/CURRENT: does not end with a line feed"},
		{name: "CURRENT of zeros", between: changed("CURRENT", func(b []byte) []byte { return make([]byte, len(b)) }), want: "/CURRENT: "},
		{name: "a path in CURRENT", between: changed("CURRENT", naming("../../../../etc/passwd")), want: "/CURRENT: "},
		{name: "a snapshot that is gone", between: changed("CURRENT", naming("20200101T000000Z-abcdef")), want: "404"},
		{name: "an endless CURRENT", between: with("CURRENT", endless), want: "is over the limit"},
		{name: "a page in place of the timestamp", trusted: true, between: with("/tuf/timestamp.json", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html>\nPlease log in</html>")
		}), want: "tuf/timestamp.json"},
		{name: "a timestamp cut off", trusted: true, between: changed("/tuf/timestamp.json", func(b []byte) []byte { return b[:40] }), want: "tuf/timestamp.json"},
		{name: "a timestamp with another version", trusted: true, between: changed("/tuf/timestamp.json", func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"version":1`), []byte(`"version":2`), 1)
		}), want: "tuf/timestamp.json is not signed as the root of trust requires"},
		{name: "an endless timestamp", trusted: true, between: with("/tuf/timestamp.json", endless), want: "is over the limit"},
		{name: "no timestamp any more", trusted: true, between: with("/tuf/timestamp.json", http.NotFound), want: "tuf/timestamp.json: the server answers 404 Not Found"},
		{name: "an endless manifest", between: with("manifest.json", endless), want: "manifest.json has more than 16777216 bytes"},
		{name: "an altered manifest", between: changed("manifest.json", func(b []byte) []byte { return bytes.Replace(b, []byte("bencao test"), []byte("bencao tesT"), 1) }), want: "manifest.json is altered"},
		{name: "a newer format", between: newer, want: "needs a newer bencao"},
		{name: "errors", between: with("store.bolt", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadGateway) }), want: "store.bolt: the server answers 502 Bad Gateway"},
		{name: "forbidden", between: with("store.bolt", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) }), want: "store.bolt: the server answers 403 Forbidden"},
		{name: "a missing file", between: with("names.idx", http.NotFound), want: "names.idx: the server answers 404 Not Found"},
		{name: "a truncated file", between: changed("store.bolt", func(b []byte) []byte { return b[:100_000] }), want: "store.bolt has 100000 bytes, the manifest says 200000"},
		{name: "a truncated file without a length", between: with("store.bolt", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(files("tuesday")["store.bolt"][:100_000])
		}), want: "store.bolt: ended after 100000 of 200000 bytes"},
		{name: "a longer file", between: changed("store.bolt", func(b []byte) []byte { return append(b, 'x') }), want: "store.bolt has 200001 bytes, the manifest says 200000"},
		{name: "an endless file", between: with("store.bolt", endless), want: "the manifest says 200000"},
		{name: "a flipped bit", between: changed("store.bolt", func(b []byte) []byte { b[199_999] ^= 1; return b }), want: "store.bolt is altered"},
		{name: "swapped files", between: func(d snapshot.Dir) func(http.Handler) http.HandlerFunc {
			return rewritten(d, "names.idx", func([]byte) []byte { return files("monday")["names.idx"] })
		}, want: "names.idx is altered"},
		{name: "a lying length", between: with("store.bolt", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(200_000))
			_, _ = w.Write(make([]byte, 10))
		}), want: "store.bolt: unexpected EOF"},
		{name: "compressed", between: with("store.bolt", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(make([]byte, 10))
		}), want: `Content-Encoding "gzip"`},
		{name: "a stall", between: with("store.bolt", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "200000")
			_, _ = w.Write(make([]byte, 100))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}), opt: func(o *mirror.Options) { o.Stall, o.Retries = 200*time.Millisecond, 1 }, want: "the server has stalled"},
		{name: "silence", between: with("manifest.json", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
			opt: func(o *mirror.Options) { o.Stall, o.Retries = 2*time.Second, 1 }, want: "manifest.json: "},
		{name: "cut connections that bring nothing", between: func(snapshot.Dir) func(http.Handler) http.HandlerFunc { return cut(300) }, want: "EOF"},
		{name: "redirects in a circle", between: with("store.bolt", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}), want: "more than 5 redirects"},
		{name: "a redirect to another kind of address", between: with("store.bolt", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "ftp://plants.example/store.bolt")
			w.WriteHeader(http.StatusFound)
		}), want: "redirect to ftp:"},
		{name: "a huge header", between: with("store.bolt", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
		}), want: "store.bolt: "},
		{name: "too many bytes", opt: func(o *mirror.Options) { o.MaxBytes = 1_000_000 }, want: "is over the limit"},
		{name: "too many files", opt: func(o *mirror.Options) { o.MaxFiles = 3 }, want: "has 4 files: is over the limit of 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, to, opt := newPublisher(t), dataDir(t), quick()
			if tt.trusted {
				p, opt.RootFile = trusted(t, newKeyring(t))
			}
			good := opt
			p.nightly(t, "monday")
			pull(t, p, to, good)
			p.nightly(t, "tuesday")
			if tt.between != nil {
				p.put(tt.between(p.dir))
			}
			opt.Retries = 1
			if tt.opt != nil {
				tt.opt(&opt)
			}
			before := state(t, to)
			_, err := mirror.Pull(t.Context(), p.url, to, opt)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("pull: %v\nwant one line with %q", err, tt.want)
			}
			if now := state(t, to); now != before {
				t.Errorf("a failed copy changed %s to %s", before, now)
			}
			p.put(nil)
			pull(t, p, to, quick())
			same(t, p, to)
		})
	}
}

// naming returns a function that writes another id into CURRENT.
func naming(id string) func([]byte) []byte {
	return func(b []byte) []byte { return append([]byte(id), b[bytes.IndexByte(b, ' '):]...) }
}

// with lets how answer requests for files whose name ends with suffix.
func with(suffix string, how http.HandlerFunc) func(snapshot.Dir) func(http.Handler) http.HandlerFunc {
	return func(snapshot.Dir) func(http.Handler) http.HandlerFunc { return altered(suffix, how) }
}

// changed changes the content of files whose name ends with suffix.
func changed(suffix string, change func([]byte) []byte) func(snapshot.Dir) func(http.Handler) http.HandlerFunc {
	return func(d snapshot.Dir) func(http.Handler) http.HandlerFunc { return rewritten(d, suffix, change) }
}

// newer serves a manifest of a later format and a CURRENT that names it.
func newer(d snapshot.Dir) func(http.Handler) http.HandlerFunc {
	change := func(b []byte) []byte { return bytes.Replace(b, []byte(`"format": 1`), []byte(`"format": 2`), 1) }
	manifests := rewritten(d, "manifest.json", change)
	return func(files http.Handler) http.HandlerFunc {
		return altered("CURRENT", func(w http.ResponseWriter, r *http.Request) {
			at, err := d.Current()
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			b, err := os.ReadFile(filepath.Join(d.Path(), snapshot.FilePath(at.ID, "manifest.json")))
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			sum := sha256.Sum256(change(b))
			fmt.Fprintln(w, snapshot.Pointer{ID: at.ID, Digest: hex.EncodeToString(sum[:])})
		})(manifests(files))
	}
}

// TestNoRanges continues an interrupted copy from a server that does not support ranges. Such a
// server sends the whole file again, and the pull must succeed.
func TestNoRanges(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	m := p.nightly(t, "monday")
	part := filepath.Join(to.Path(), "snapshots", ".pull-"+m.ID)
	must(t, os.MkdirAll(part, 0o755))
	must(t, os.WriteFile(filepath.Join(part, "store.bolt"), files("monday")["store.bolt"][:1000], 0o644))
	p.put(func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			files.ServeHTTP(w, r)
		}
	})
	pull(t, p, to, quick())
	same(t, p, to)
}

// TestRedirect checks that a mirror follows redirects to another server and verifies the content as
// usual.
func TestRedirect(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	p.nightly(t, "monday")
	bucket := httptest.NewServer(http.RedirectHandler("/", http.StatusFound))
	defer bucket.Close()
	bucket.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, p.url+r.URL.EscapedPath(), http.StatusTemporaryRedirect)
	})
	if _, err := mirror.Pull(t.Context(), bucket.URL, to, quick()); err != nil {
		t.Errorf("a redirect to another server: %v", err)
	}
	same(t, p, to)
}

func TestCheckURL(t *testing.T) {
	for _, bad := range []string{"", "plants.example", "/var/lib/bencao", "ftp://plants.example", "https://", "https://me:secret@plants.example/d", "https://plants.example/d?token=x", "http://%zz", "https://plants.example/#x"} {
		err := mirror.CheckURL(bad)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("CheckURL(%q) = %v, want an error without the password", bad, err)
		}
	}
	for _, good := range []string{"https://plants.example/data/", "http://127.0.0.1:8000"} {
		if err := mirror.CheckURL(good); err != nil {
			t.Errorf("CheckURL(%q) = %v", good, err)
		}
	}
}
