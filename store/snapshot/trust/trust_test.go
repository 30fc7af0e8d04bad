package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

func newKey(t testing.TB) SigningKey {
	t.Helper()
	k, err := NewSigningKey()
	must(t, err)
	return k
}

// rooted returns a root that names k for all roles and is signed by k.
func rooted(t testing.TB, k SigningKey) *Root {
	t.Helper()
	r, err := NewRoot(k, k.Public(), time.Now().Add(time.Hour))
	must(t, err)
	return r
}

func encode(t testing.TB, r *Root) []byte {
	t.Helper()
	b, err := r.Encode()
	must(t, err)
	return b
}

// TestSignedNonsense serves timestamps that are signed with the right key but lack fields that
// go-tuf expects. Follow must return an error and must not panic.
func TestSignedNonsense(t *testing.T) {
	k := newKey(t)
	root := encode(t, rooted(t, k))
	for name, spoil := range map[string]func(*metadata.TimestampType){
		"no snapshot":  func(s *metadata.TimestampType) { clear(s.Meta) },
		"no meta":      func(s *metadata.TimestampType) { s.Meta = nil },
		"null":         func(s *metadata.TimestampType) { s.Meta["snapshot.json"] = nil },
		"version zero": func(s *metadata.TimestampType) { s.Version = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			m := metadata.Timestamp(time.Now().Add(time.Hour))
			spoil(&m.Signed)
			must(t, sign(m, k))
			b, err := m.ToBytes(false)
			must(t, err)
			fetch := func(path string, _ int64) ([]byte, error) {
				if path == "tuf/timestamp.json" {
					return b, nil
				}
				return nil, fs.ErrNotExist
			}
			if f, err := Follow(root, snapshot.At(t.TempDir()), fetch, time.Now(), false); err == nil {
				t.Errorf("the timestamp is accepted: %+v", f)
			}
		})
	}
}

// TestRoot checks that roots with wrong or missing signatures are not installed, and that a root is
// not current if mirrors cannot fetch it.
func TestRoot(t *testing.T) {
	a, b := newKey(t), newKey(t)
	d := snapshot.At(filepath.Join(t.TempDir(), "data"))
	first := rooted(t, a)
	next := func(root SigningKey) *Root {
		t.Helper()
		r, err := first.Next(root, b.Public(), time.Now().Add(time.Hour))
		must(t, err)
		return r
	}
	unsigned, err := ParseRoot(encode(t, first))
	must(t, err)
	unsigned.meta.ClearSignatures()
	for _, step := range []struct {
		name string
		root *Root
		want string
	}{
		{"a root without a signature", unsigned, "root 1 is not signed by the root key that it names"},
		{"root 2 without root 1", next(a), "needs root 1, but this is root 2"},
		{"root 1", first, ""},
		{"the same root again", first, ""},
		{"another root 1", rooted(t, b), "root 1 can't follow root 1"},
		{"root 2 by another key", next(b), "root 2 is not signed by the root key of root 1"},
		{"root 2", next(a), ""},
		{"root 1 after root 2", first, "root 1 can't follow root 2"},
	} {
		if err := Install(d, step.root); step.want == "" && err != nil || step.want != "" && (err == nil || !strings.Contains(err.Error(), step.want)) {
			t.Errorf("%s: %v; want %q", step.name, err, step.want)
		}
	}
	if r, err := Current(d); err != nil || r.Version() != 2 || !r.allows(b, metadata.TIMESTAMP) || r.allows(a, metadata.TARGETS) {
		t.Errorf("the current root: %+v, %v; want root 2, which names the second key for nightly builds", r, err)
	}
	r := first
	full := snapshot.At(t.TempDir())
	must(t, os.MkdirAll(filepath.Join(full.Path(), folder, "1.root.json", "in the way"), 0o755))
	if err := Install(full, r); err == nil {
		t.Error("a root whose numbered file can't be written is installed")
	}
	if _, err := Current(full); !errors.Is(err, ErrNoRoot) {
		t.Errorf("a root that mirrors cannot fetch is current: %v", err)
	}
	if _, err := Current(snapshot.At(t.TempDir())); !errors.Is(err, ErrNoRoot) {
		t.Errorf("a folder without a root: %v", err)
	}
}

// TestNamesOrder checks the order in which a mirror replaces the published files. A file must come
// after the files that it names, and the roots must come right before the files without a number.
func TestNamesOrder(t *testing.T) {
	d := snapshot.At(t.TempDir())
	want := []string{"1795140900.snapshot", "1795140900.targets", "1.root", "10.root", "9.root", "root", "timestamp"}
	for _, name := range want {
		must(t, published(d).put(name, []byte("{}")))
	}
	if got, err := published(d).names(); err != nil || !slices.Equal(got, want) {
		t.Errorf("the order is %q (%v), want %q", got, err, want)
	}
}

// FuzzParseRoot parses arbitrary bytes. A root that is accepted and complete must be the same after
// it is encoded and parsed again.
func FuzzParseRoot(f *testing.F) {
	f.Add(encode(f, rooted(f, newKey(f))))
	f.Add([]byte(`{"signed":{"_type":"root","roles":{}},"signatures":[]}`))
	for _, bomb := range bombs(3) {
		f.Add(bomb)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r *Root
		var err error
		testkit.LimitAlloc(t, testkit.MaxAlloc(len(b)), func() { r, err = ParseRoot(b) })
		if err != nil {
			return
		}
		if r.Complete() != nil {
			return
		}
		again, err := ParseRoot(encode(t, r))
		if err != nil || again.Complete() != nil || again.Version() != r.Version() {
			t.Errorf("a complete root cannot be parsed again: %v", err)
		}
	})
}

// bombs returns files of metadata. Each has n elements of some kind, such as keys or nested
// objects.
func bombs(n int) [][]byte {
	var keys, ids, signatures, roles strings.Builder
	for i := range n {
		fmt.Fprintf(&keys, `"%d":{"keytype":"ed25519","scheme":"ed25519","keyval":{"public":"%064d"}},`, i, i)
		fmt.Fprintf(&ids, `"%d",`, i)
		fmt.Fprintf(&signatures, `{"keyid":"%d","sig":"00"},`, i)
		fmt.Fprintf(&roles, `{"name":"%d","keyids":["0"],"threshold":1,"paths":["*"]},`, i)
	}
	const last = `"0":{"keytype":"ed25519","scheme":"ed25519","keyval":{"public":"00"}}`
	of := func(kind, more string) string {
		return `{"_type":"` + kind + `","spec_version":"1.0.31","version":2,"expires":"2999-01-01T00:00:00Z"` + more + `}`
	}
	role := `{"keyids":[` + ids.String() + `"0"],"threshold":1}`
	root := of("root", `,"consistent_snapshot":true,"keys":{`+keys.String()+last+`},"roles":{"root":`+role+`,"targets":`+role+`,"snapshot":`+role+`,"timestamp":`+role+`}`)
	signed := func(text string) []byte {
		return []byte(`{"signed":` + text + `,"signatures":[` + signatures.String() + `{"keyid":"x","sig":"00"}]}`)
	}
	return [][]byte{
		signed(root), signed(of("timestamp", `,"meta":{"snapshot.json":{"version":1}}`)),
		signed(of("targets", `,"targets":{},"delegations":{"keys":{`+keys.String()+last+`},"roles":[`+roles.String()+`{"name":"x","keyids":[],"threshold":1,"paths":[]}]}`)),
		signed(of("root", `,"x":`+strings.Repeat("[", n)+strings.Repeat("]", n))),
		signed(of("root", `,"keys":`+strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n))),
		signed(`{"_type":` + strings.Repeat(`"root","_type":`, n) + `"root"}`),
		[]byte(strings.Repeat("[", n)), []byte(`{"signatures":[` + strings.Repeat("{},", n) + `{}]}`), []byte(`{"signed":"` + strings.Repeat("\\u0000", n) + `"}`),
	}
}

// TestBombs checks that Follow and ParseRoot refuse very large metadata of a publisher in limited
// memory.
func TestBombs(t *testing.T) {
	given := encode(t, rooted(t, newKey(t)))
	for _, n := range []int{10, 600, 4000, 20_000, 1_000_000} {
		for _, bomb := range bombs(n) {
			holdsFollow(t, given, bomb, bomb)
			testkit.LimitAlloc(t, testkit.MaxAlloc(len(bomb)), func() {
				if r, err := ParseRoot(bomb); err == nil && r.Complete() == nil {
					t.Errorf("%.80q is accepted as a root", bomb)
				}
			})
		}
	}
}

// holdsFollow follows a publisher that sends root as the next root and other as every other file.
// Follow must return an error in limited memory.
func holdsFollow(t *testing.T, given, root, other []byte) {
	t.Helper()
	d := snapshot.At(t.TempDir())
	fetch := func(name string, limit int64) ([]byte, error) {
		b := other
		switch {
		case name == file(numbered("root", 2)):
			b = root
		case strings.HasSuffix(name, ".root.json"):
			return nil, fs.ErrNotExist
		}
		if int64(len(b)) > limit {
			return nil, ErrEndless
		}
		return b, nil
	}
	testkit.LimitAlloc(t, testkit.MaxAlloc(len(given)+len(root)+2*len(other)), func() {
		if _, err := Follow(given, d, fetch, time.Now(), false); err == nil {
			t.Errorf("%.80q is accepted", root)
		}
	})
}

func FuzzFollow(f *testing.F) {
	given := encode(f, rooted(f, newKey(f)))
	for _, bomb := range bombs(3) {
		f.Add(bomb, bomb)
	}
	f.Add(given, []byte("{}"))
	f.Fuzz(func(t *testing.T, root, other []byte) { holdsFollow(t, given, root, other) })
}
