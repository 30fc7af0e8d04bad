package mirror_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// shows returns a handler that always answers with b.
func shows(b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(b) } // the client may have closed the connection
}

// TestAttacks tries the attacks that section 1.5.2 of the specification of The Update Framework
// lists, under the same names. The mirror must refuse each attack with a message that names the
// problem, and must change nothing. Once the publisher's own files are served again, a pull must
// succeed.
func TestAttacks(t *testing.T) {
	keys := newKeyring(t)
	stranger, _ := trusted(t, newKeyring(t))
	stranger.nightly(t, "stranger's build")
	for _, tt := range []struct {
		name string
		// harm carries out the attack. Before that, the mirror has copied the snapshot "first" and
		// the publisher has published "second". first holds the files of the snapshot "first".
		harm func(t *testing.T, p *publisher, first map[string][]byte)
		opt  func(*mirror.Options)
		want string // part of the error
		is   error  // the error that the result must wrap, or nil
	}{
		{name: "arbitrary installation", want: "tuf/timestamp.json is not signed as the root of trust requires", is: trust.ErrUnsigned,
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
				p.put(altered("/tuf/timestamp.json", func(w http.ResponseWriter, r *http.Request) {
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
				p.put(altered("/manifest.json", shows(b)))
			}},
		{name: "fast-forward"},
		{name: "indefinite freeze", want: "has expired", is: mirror.ErrExpired,
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(altered("/tuf/timestamp.json", shows(first["timestamp.json"])))
			},
			opt: func(o *mirror.Options) { o.Now = func() time.Time { return time.Now().Add(15 * 24 * time.Hour) } }},
		{name: "malicious mirrors preventing updates", want: "503",
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				p.put(altered("/tuf/timestamp.json", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
			}},
		{name: "mix-and-match", want: "does not match the other metadata", is: trust.ErrMixed,
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(altered(".snapshot.json", shows(first["snapshot.json"])))
			}},
		{name: "rollback", want: "is older than the version seen before", is: mirror.ErrRollback,
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(altered("/tuf/timestamp.json", shows(first["before.json"])))
			}},
		{name: "slow retrieval", want: "the server has stalled",
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				p.put(altered("/tuf/timestamp.json", func(w http.ResponseWriter, r *http.Request) {
					w.Write([]byte("{"))
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				}))
			},
			opt: func(o *mirror.Options) { o.Stall, o.Retries = 20*time.Millisecond, 1 }},
		{name: "vulnerability to key compromises", want: "tuf/2.root.json is not signed as the root of trust requires", is: trust.ErrUnsigned,
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				// A thief of the nightly key makes a root with it.
				now, err := trust.Current(p.dir)
				must(t, err)
				forged, err := now.Next(keys.nightly, keys.nightly.Public(), time.Now().Add(time.Hour))
				must(t, err)
				if err := trust.Install(p.dir, forged); err == nil || !strings.Contains(err.Error(), "not signed by the root key of root 1") {
					t.Errorf("a root by the nightly key is installed: %v", err)
				}
				b, err := forged.Encode()
				must(t, err)
				p.put(altered("/tuf/2.root.json", shows(b)))
			}},
		{name: "wrong software installation", want: "manifest.json is the manifest of snapshot",
			harm: func(t *testing.T, p *publisher, first map[string][]byte) {
				p.put(altered("/manifest.json", shows(first["manifest.json"])))
			}},
		{name: "signed for something else", want: "tuf/timestamp.json is not signed as the root of trust requires", is: trust.ErrUnsigned,
			harm: func(t *testing.T, p *publisher, _ map[string][]byte) {
				at := pointer(t, p.dir)
				body := fmt.Appendf(nil, `{"_type":"timestamp","expires":"2999-01-01T00:00:00Z","meta":{%q:{"hashes":{"sha256":%q}}},"spec_version":"1.0.31","version":1}`,
					snapshot.FilePath(at.ID, snapshot.ManifestName), at.Digest)
				var own struct {
					Signatures []map[string]string `json:"signatures"`
				}
				must(t, json.Unmarshal(readFile(t, p.dir.Path(), "tuf", "timestamp.json"), &own))
				p.put(altered("/tuf/timestamp.json", shows(fmt.Appendf(nil, `{"signatures":[{"keyid":%q,"sig":"%x"}],"signed":%s}`,
					own.Signatures[0]["keyid"], keys.nightly.Sign(body), body))))
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, root := trusted(t, keys)
			past := keys.publisher(func() time.Time { return time.Now().Add(-time.Hour) })
			p.trust = past
			p.nightly(t, "first")
			first := map[string][]byte{"before.json": readFile(t, p.dir.Path(), "tuf", "timestamp.json")}
			must(t, past.Announce(p.dir, pointer(t, p.dir)))
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
			p.nightly(t, "second")
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

// fastForward plays a thief of the nightly key, who signs with far higher versions. The mirror then
// refuses what the publisher signs. A new root with another nightly key must repair this without new
// settings on the mirror.
func fastForward(t *testing.T, p *publisher, to snapshot.Dir, opt mirror.Options, keys keyring) {
	t.Helper()
	own := readFile(t, p.dir.Path(), "tuf", "timestamp.json")
	thief := keys.publisher(func() time.Time { return time.Now().Add(300 * 24 * time.Hour) })
	must(t, thief.Announce(p.dir, pointer(t, p.dir)))
	pull(t, p, to, opt)
	p.put(altered("/tuf/timestamp.json", shows(own)))
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); !errors.Is(err, mirror.ErrRollback) {
		t.Errorf("after the thief's timestamp, the publisher's older timestamp: %v, want ErrRollback", err)
	}
	p.put(nil)
	must(t, os.Remove(filepath.Join(p.dir.Path(), "tuf", "timestamp.json"))) // the publisher starts again at the first version
	change(t, p, keys)
	p.nightly(t, "after the theft")
	pull(t, p, to, opt)
	same(t, p, to)
}
