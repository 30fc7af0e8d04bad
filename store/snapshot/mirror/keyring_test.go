package mirror_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bencao/store/snapshot/trust"
)

// keyring holds the keys of a publisher with a root of trust.
type keyring struct {
	root               []trust.SigningKey // two of these keys must sign
	nightly, timestamp trust.SigningKey
}

func newKeyring(t *testing.T) keyring {
	t.Helper()
	var k keyring
	for range 3 {
		k.root = append(k.root, newKey(t))
	}
	k.nightly, k.timestamp = newKey(t), newKey(t)
	return k
}

func newKey(t *testing.T) trust.SigningKey {
	t.Helper()
	k, err := trust.NewSigningKey()
	must(t, err)
	return k
}

func (k keyring) roles() trust.Roles {
	r := trust.Roles{Threshold: 2, Nightly: []trust.PublicKey{k.nightly.Public()}, Timestamp: []trust.PublicKey{k.timestamp.Public()}}
	for _, key := range k.root {
		r.Root = append(r.Root, key.Public())
	}
	return r
}

func (k keyring) publisher(now func() time.Time) trust.Publisher {
	return trust.Publisher{Nightly: &k.nightly, Timestamp: &k.timestamp, Now: now}
}

// trusted returns a publisher with a root, and the path of a file with its first root.
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

// install signs a root with the given keys and publishes it.
func install(t *testing.T, p *publisher, root *trust.Root, by ...trust.SigningKey) {
	t.Helper()
	for _, key := range by {
		must(t, root.Sign(key))
	}
	must(t, trust.Install(p.dir, root))
}

// change publishes the publisher's next root, which names the keys in to and is signed by the given
// keys.
func change(t *testing.T, p *publisher, to keyring, by ...trust.SigningKey) {
	t.Helper()
	now, err := trust.Current(p.dir)
	must(t, err)
	next, err := now.Next(to.roles(), time.Now().Add(365*24*time.Hour))
	must(t, err)
	install(t, p, next, by...)
	p.trust = to.publisher(nil)
}

// last returns the path of the latest numbered version of a role's metadata.
func last(t *testing.T, p *publisher, role string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(p.dir.Path(), "tuf", "*."+role+".json"))
	must(t, err)
	return slices.Max(all)
}
