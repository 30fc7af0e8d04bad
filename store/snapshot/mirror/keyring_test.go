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
type keyring struct{ root, nightly trust.SigningKey }

func newKeyring(t *testing.T) keyring {
	t.Helper()
	return keyring{newKey(t), newKey(t)}
}

func newKey(t *testing.T) trust.SigningKey {
	t.Helper()
	k, err := trust.NewSigningKey()
	must(t, err)
	return k
}

func (k keyring) publisher(now func() time.Time) trust.Publisher {
	return trust.Publisher{Nightly: &k.nightly, Now: now}
}

// trusted returns a publisher with a root, and the path of a file with its first root.
func trusted(t *testing.T, k keyring) (p *publisher, rootFile string) {
	t.Helper()
	p = newPublisher(t)
	root, err := trust.NewRoot(k.root, k.nightly.Public(), time.Now().Add(365*24*time.Hour))
	must(t, err)
	must(t, trust.Install(p.dir, root))
	b, err := root.Encode()
	must(t, err)
	rootFile = filepath.Join(t.TempDir(), "root.json")
	must(t, os.WriteFile(rootFile, b, 0o644))
	p.trust = k.publisher(nil)
	return p, rootFile
}

// change publishes the publisher's next root, which names another nightly key, and returns the keys.
func change(t *testing.T, p *publisher, k keyring) keyring {
	t.Helper()
	now, err := trust.Current(p.dir)
	must(t, err)
	k.nightly = newKey(t)
	next, err := now.Next(k.root, k.nightly.Public(), time.Now().Add(365*24*time.Hour))
	must(t, err)
	must(t, trust.Install(p.dir, next))
	p.trust = k.publisher(nil)
	return k
}

// last returns the path of the latest numbered version of a role's metadata.
func last(t *testing.T, p *publisher, role string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(p.dir.Path(), "tuf", "*."+role+".json"))
	must(t, err)
	return slices.Max(all)
}
