package mirror_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bencao/store/snapshot"
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

// last is the file of the last version of a role.
func last(t *testing.T, p *publisher, role string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(p.dir.Path(), "tuf", "*."+role+".json"))
	must(t, err)
	return slices.Max(all)
}
