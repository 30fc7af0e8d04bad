package mirror_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// keyring are the keys of a publisher by the rules of The Update Framework.
type keyring struct {
	root             []snapshot.SigningKey // two of them must sign
	night, timestamp snapshot.SigningKey
}

func newKeyring(t *testing.T) keyring {
	t.Helper()
	var k keyring
	for range 3 {
		k.root = append(k.root, newKey(t))
	}
	k.night, k.timestamp = newKey(t), newKey(t)
	return k
}

func newKey(t *testing.T) snapshot.SigningKey {
	t.Helper()
	k, err := snapshot.NewSigningKey()
	must(t, err)
	return k
}

func (k keyring) roles() trust.Roles {
	r := trust.Roles{Threshold: 2, Night: []snapshot.PublicKey{k.night.Public()}, Timestamp: []snapshot.PublicKey{k.timestamp.Public()}}
	for _, key := range k.root {
		r.Root = append(r.Root, key.Public())
	}
	return r
}

func (k keyring) publisher(now func() time.Time) trust.Publisher {
	return trust.Publisher{Night: &k.night, Timestamp: &k.timestamp, Now: now}
}

// trusted is a publisher with a root, and the file of its first root.
func trusted(t *testing.T, k keyring) (p *publisher, rootFile string) {
	t.Helper()
	p = newPublisher(t)
	root, err := trust.NewRoot(k.roles(), time.Now().Add(365*24*time.Hour))
	must(t, err)
	install(t, p, root, k.root[0], k.root[1])
	b, err := root.Encode()
	must(t, err)
	rootFile = filepath.Join(t.TempDir(), "root.json")
	must(t, os.WriteFile(rootFile, b, 0o644))
	p.trust = k.publisher(nil)
	return p, rootFile
}

func install(t *testing.T, p *publisher, root *trust.Root, by ...snapshot.SigningKey) {
	t.Helper()
	for _, key := range by {
		must(t, root.Sign(key))
	}
	must(t, trust.Install(p.dir, root))
}

// change makes the next root of a publisher.
func change(t *testing.T, p *publisher, to keyring, by ...snapshot.SigningKey) {
	t.Helper()
	now, err := trust.Current(p.dir)
	must(t, err)
	next, err := now.Next(to.roles(), time.Now().Add(365*24*time.Hour))
	must(t, err)
	install(t, p, next, by...)
	p.trust = to.publisher(nil)
}

// answers puts one answer in the place of a file's.
func answers(path string, with http.HandlerFunc) func(http.Handler) http.HandlerFunc {
	return func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, path) {
				with(w, r)
				return
			}
			files.ServeHTTP(w, r)
		}
	}
}

// shows answers with bytes.
func shows(b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(b) } // the client may be gone
}

// last is the file of the last version of a role.
func last(t *testing.T, p *publisher, role string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(p.dir.Path(), "tuf", "*."+role+".json"))
	must(t, err)
	return slices.Max(all)
}

func readFile(t *testing.T, name ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(name...))
	must(t, err)
	return b
}

// TestAttacks tries the attacks that the specification of The Update Framework
// lists in its section 1.5.2, under the names that it gives them. Each is
// refused with a message that says what is wrong, changes nothing, and is over
// when the publisher's files come again.
func TestAttacks(t *testing.T) {
	keys := newKeyring(t)
	stranger, _ := trusted(t, newKeyring(t))
	stranger.night(t, "stranger's night")
	for _, tt := range []struct {
		name string
		// harm changes the publisher, whose mirror has its first night. The night
		// "second" was published since.
		harm func(t *testing.T, p *publisher, first map[string][]byte)
		opt  func(*mirror.Options)
		want string // in the error
		is   error  // nil for any
	}{
		{name: "arbitrary installation", want: "tuf/timestamp.json is not signed as the root of trust asks", is: trust.ErrUnsigned,
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				p.put(func(http.Handler) http.HandlerFunc {
					files := http.StripPrefix("/data", http.FileServer(http.Dir(stranger.dir.Path())))
					return func(w http.ResponseWriter, r *http.Request) {
						if strings.HasSuffix(r.URL.Path, ".root.json") {
							http.NotFound(w, r)
							return
						}
						files.ServeHTTP(w, r)
					}
				})
			}},
		{name: "endless data", want: "tuf/timestamp.json has more than 65536 bytes", is: trust.ErrEndless,
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				p.put(answers("/tuf/timestamp.json", func(w http.ResponseWriter, r *http.Request) {
					for r.Context().Err() == nil {
						if _, err := w.Write(make([]byte, 1<<16)); err != nil {
							return
						}
					}
				}))
			}},
		{name: "extraneous dependencies", want: "manifest.json is altered: its content gives id",
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				at, err := p.dir.Current()
				must(t, err)
				b := readFile(t, p.dir.Path(), snapshot.FilePath(at.ID, snapshot.ManifestName))
				var m snapshot.Manifest
				must(t, json.Unmarshal(b, &m))
				m.Files = append(m.Files, snapshot.File{Path: "zz-extra", Bytes: 1, CRC32C: "00000000", SHA256: strings.Repeat("0", 64)})
				b, err = m.Encode()
				must(t, err)
				p.put(answers("/manifest.json", shows(b)))
			}},
		{name: "fast-forward"},
		{name: "indefinite freeze", want: "has expired", is: mirror.ErrExpired,
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(answers("/tuf/timestamp.json", shows(first["timestamp.json"])))
			},
			opt: func(o *mirror.Options) { o.Now = func() time.Time { return time.Now().Add(15 * 24 * time.Hour) } }},
		{name: "malicious mirrors preventing updates", want: "503",
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				p.put(answers("/tuf/timestamp.json", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
			}},
		{name: "mix-and-match", want: "does not fit what names it", is: trust.ErrMixed,
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(answers(".snapshot.json", shows(first["snapshot.json"])))
			}},
		{name: "rollback", want: "is older than what was here before", is: mirror.ErrRollback,
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(answers("/tuf/timestamp.json", shows(first["before.json"])))
			}},
		{name: "slow retrieval", want: "the server has stalled",
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				p.put(answers("/tuf/timestamp.json", func(w http.ResponseWriter, r *http.Request) {
					w.Write([]byte("{"))
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				}))
			},
			opt: func(o *mirror.Options) { o.Stall, o.Retries = 20*time.Millisecond, 1 }},
		{name: "vulnerability to key compromises: the timestamp's", want: "is not signed as the root of trust asks", is: trust.ErrUnsigned,
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				// Its thief signs for all roles, and names a snapshot of his own.
				thief := trust.Publisher{Night: &keys.timestamp, Timestamp: &keys.timestamp}
				if err := thief.Announce(p.dir, pointer(t, p.dir)); err == nil {
					t.Fatal("the timestamp's key announces a snapshot")
				}
				stolen := newPublisher(t)
				forged := keys
				forged.night = keys.timestamp
				root, err := trust.NewRoot(forged.roles(), time.Now().Add(24*time.Hour))
				must(t, err)
				install(t, stolen, root, keys.root[0], keys.root[1])
				stolen.trust = thief
				stolen.night(t, "thief's night")
				p.put(func(http.Handler) http.HandlerFunc {
					return http.StripPrefix("/data", http.FileServer(http.Dir(stolen.dir.Path()))).ServeHTTP
				})
			}},
		{name: "vulnerability to key compromises: one of the root's", want: "tuf/2.root.json is not signed as the root of trust asks", is: trust.ErrUnsigned,
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				now, err := trust.Current(p.dir)
				must(t, err)
				thief := newKeyring(t)
				forged, err := now.Next(thief.roles(), time.Now().Add(time.Hour))
				must(t, err)
				for _, k := range []snapshot.SigningKey{keys.root[0], thief.root[0], thief.root[1]} {
					must(t, forged.Sign(k))
				}
				if err := trust.Install(p.dir, forged); err == nil || !strings.Contains(err.Error(), "is not signed by 2 of the keys of root 1") {
					t.Errorf("a root that one key of two has signed is put in place: %v", err)
				}
				b, err := forged.Encode()
				must(t, err)
				p.put(answers("/tuf/2.root.json", shows(b)))
			}},
		{name: "wrong software installation", want: "manifest.json is that of snapshot",
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(answers("/manifest.json", shows(first["manifest.json"])))
			}},
		{name: "signed for something else", want: "tuf/timestamp.json is not signed as the root of trust asks", is: trust.ErrUnsigned,
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				// timestamp.json of the data folder has the same form and may be
				// signed by the same key.
				p.key = &keys.timestamp
				p.night(t, "third")
				var m map[string]json.RawMessage
				must(t, json.Unmarshal(readFile(t, p.dir.Path(), "timestamp.json"), &m))
				var own, legacy struct {
					Signatures []map[string]string `json:"signatures"`
				}
				must(t, json.Unmarshal(readFile(t, p.dir.Path(), "tuf", "timestamp.json"), &own))
				must(t, json.Unmarshal(readFile(t, p.dir.Path(), "timestamp.json"), &legacy))
				legacy.Signatures[0]["keyid"] = own.Signatures[0]["keyid"]
				p.put(answers("/tuf/timestamp.json", shows(fmt.Appendf(nil, `{"signatures":[{"keyid":%q,"sig":%q}],"signed":%s}`,
					legacy.Signatures[0]["keyid"], legacy.Signatures[0]["sig"], m["signed"]))))
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, root := trusted(t, keys)
			past := keys.publisher(func() time.Time { return time.Now().Add(-time.Hour) })
			p.trust = past
			p.night(t, "first")
			first := map[string][]byte{"before.json": readFile(t, p.dir.Path(), "tuf", "timestamp.json")}
			must(t, past.Renew(p.dir))
			first["timestamp.json"] = readFile(t, p.dir.Path(), "tuf", "timestamp.json")
			first["snapshot.json"] = readFile(t, last(t, p, "snapshot"))
			first["manifest.json"] = readFile(t, p.dir.Path(), snapshot.FilePath(pointer(t, p.dir).ID, snapshot.ManifestName))
			to, opt := dataDir(t), quick()
			opt.RootFile = root
			pull(t, p, to, opt)
			same(t, p, to)
			before := pointer(t, to)
			if tt.name == "fast-forward" {
				fastForward(t, p, to, opt, keys)
				return
			}
			p.trust = keys.publisher(nil)
			p.night(t, "second")
			tt.harm(t, p, first)
			harmed := opt
			if tt.opt != nil {
				tt.opt(&harmed)
			}
			_, err := mirror.Pull(t.Context(), p.url, to, harmed)
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("pull: %v; want an error with %q", err, tt.want)
			}
			if now := pointer(t, to); now != before {
				t.Errorf("%s is current after a pull that failed, want %s", now.ID, before.ID)
			}
			p.put(nil)
			if _, err := mirror.Pull(t.Context(), p.url, to, opt); err != nil {
				t.Errorf("the publisher's own files are refused afterwards: %v", err)
			}
			same(t, p, to)
		})
	}
}

// fastForward has a thief of the timestamp's key raise its version beyond all
// that the publisher gives. A root with another key is the way out, which no
// mirror needs to be told of.
func fastForward(t *testing.T, p *publisher, to snapshot.Dir, opt mirror.Options, keys keyring) {
	t.Helper()
	own := readFile(t, p.dir.Path(), "tuf", "timestamp.json")
	thief := trust.Publisher{Timestamp: &keys.timestamp, Now: func() time.Time { return time.Now().Add(300 * 24 * time.Hour) }}
	must(t, thief.Renew(p.dir))
	pull(t, p, to, opt)
	p.put(answers("/tuf/timestamp.json", shows(own)))
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); !errors.Is(err, mirror.ErrRollback) {
		t.Errorf("after a version of the far future the publisher's own is taken: %v", err)
	}
	p.put(nil)
	must(t, os.Remove(filepath.Join(p.dir.Path(), "tuf", "timestamp.json"))) // the publisher begins again
	next := keys
	next.timestamp = newKey(t)
	change(t, p, next, keys.root[1], keys.root[2])
	p.night(t, "after the theft")
	pull(t, p, to, opt)
	same(t, p, to)
}

func pointer(t *testing.T, d snapshot.Dir) snapshot.Pointer {
	t.Helper()
	p, err := d.Current()
	must(t, err)
	return p
}

// Keys of every role change, twice, while a mirror looks away and a mirror of
// that mirror begins with the first root. Neither is touched.
func TestRootChanges(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	p.night(t, "first")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	second := newKeyring(t)
	change(t, p, second, keys.root[0], keys.root[2], second.root[0], second.root[1])
	third := newKeyring(t)
	change(t, p, third, second.root[1], second.root[2], third.root[0], third.root[1])
	p.night(t, "third")
	pull(t, p, to, opt)
	same(t, p, to)
	old := keys.publisher(nil)
	if err := old.Announce(p.dir, pointer(t, p.dir)); err == nil || !strings.Contains(err.Error(), "is none by which root 3 lets nights be signed") {
		t.Errorf("a key of the first root announces: %v", err)
	}

	middle := newPublisher(t)
	middle.dir = to
	middle.url = serve(t, to)
	further := dataDir(t)
	pull(t, middle, further, opt)
	same(t, p, further)

	// A copy that nothing has changed since asks for five small files.
	if r := pull(t, p, to, opt); r.Outcome != mirror.Unchanged {
		t.Errorf("a second copy: %s, want unchanged", r.Outcome)
	}
}

// serve hands out a data directory.
func serve(t *testing.T, d snapshot.Dir) string {
	t.Helper()
	p := newPublisher(t)
	p.put(func(http.Handler) http.HandlerFunc {
		return http.StripPrefix("/data", http.FileServer(http.Dir(d.Path()))).ServeHTTP
	})
	return p.url
}

// The timestamp is renewed by its own key, without a night.
func TestTimestampIsRenewed(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	p.trust = keys.publisher(func() time.Time { return time.Now().Add(-13 * 24 * time.Hour) })
	p.night(t, "first")
	opt := quick()
	opt.RootFile = root
	opt.Now = func() time.Time { return time.Now().Add(2 * 24 * time.Hour) }
	if _, err := mirror.Pull(t.Context(), p.url, dataDir(t), opt); !errors.Is(err, mirror.ErrExpired) {
		t.Fatalf("an expired timestamp: %v", err)
	}
	must(t, trust.Publisher{Timestamp: &keys.timestamp}.Renew(p.dir))
	to := dataDir(t)
	pull(t, p, to, opt)
	same(t, p, to)
}

// What a mirror remembers may be damaged; a publisher without a root may not
// pass for one that has it.
func TestTrustIsKept(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	p.night(t, "first")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	for _, name := range []string{"root.json", "timestamp.json", "snapshot.json", "targets.json"} {
		must(t, os.WriteFile(filepath.Join(to.Path(), "trusted", name), []byte("{"), 0o644))
		r, err := mirror.Pull(t.Context(), p.url, to, opt)
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("trusted/%s damaged: %v; want it mended or named", name, err)
		}
		if err != nil {
			opt := opt
			opt.AllowRollback = mirror.AnyRollback
			pull(t, p, to, opt)
		} else if r.Outcome != mirror.Unchanged {
			t.Errorf("trusted/%s damaged: %s, want unchanged", name, r.Outcome)
		}
	}
	plain := newPublisher(t)
	plain.night(t, "plain")
	if _, err := mirror.Pull(t.Context(), plain.url, dataDir(t), opt); err == nil || !strings.Contains(err.Error(), "tuf/timestamp.json") {
		t.Errorf("a publisher without a root is followed: %v", err)
	}
	opt.RootFile = filepath.Join(t.TempDir(), "none.json")
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); err == nil || !strings.Contains(err.Error(), "trust-root: ") {
		t.Errorf("a root that is not there: %v", err)
	}
}
