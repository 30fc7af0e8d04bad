package trust

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"bencao/store/snapshot"

	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Root is a version of the root role, which names two keys: one signs roots, the other signs all
// other roles. Mirrors accept a root if its own root key and that of the previous root have signed
// it.
type Root struct {
	meta *metadata.Metadata[metadata.RootType]
}

// NewRoot makes the first root, which names the public halves of the two keys and is signed by root.
func NewRoot(root SigningKey, nightly PublicKey, expires time.Time) (*Root, error) {
	return newRoot(1, root, nightly, expires)
}

// Next makes the root after r. The nightly key may be another one than before.
func (r *Root) Next(root SigningKey, nightly PublicKey, expires time.Time) (*Root, error) {
	return newRoot(r.Version()+1, root, nightly, expires)
}

func newRoot(version int64, root SigningKey, nightly PublicKey, expires time.Time) (*Root, error) {
	r := &Root{metadata.Root(expires.UTC().Truncate(time.Second))}
	r.meta.Signed.Version = version
	for _, of := range []struct {
		role string
		key  PublicKey
	}{{metadata.ROOT, root.Public()}, {metadata.TARGETS, nightly}, {metadata.SNAPSHOT, nightly}, {metadata.TIMESTAMP, nightly}} {
		key, err := metadata.KeyFromPublicKey(of.key.raw())
		if err == nil {
			err = r.meta.Signed.AddKey(key, of.role)
		}
		if err != nil {
			return nil, fmt.Errorf("key %s for %s: %w", of.key.id(), of.role, err)
		}
	}
	return r, sign(r.meta, root)
}

// ParseRoot reads a root, signed or not.
func ParseRoot(b []byte) (*Root, error) {
	if len(b) > maxRoot {
		return nil, fmt.Errorf("is no root: it has more than %d bytes", maxRoot)
	}
	meta, err := metadata.Root().FromBytes(b)
	if err != nil {
		return nil, fmt.Errorf("is no root: %s", oneLine(err.Error()))
	}
	for _, role := range metadata.TOP_LEVEL_ROLE_NAMES {
		if meta.Signed.Roles[role] == nil {
			return nil, fmt.Errorf("is no root: it has no keys for %s", role)
		}
	}
	if why := bounds(meta); why != "" {
		return nil, fmt.Errorf("is no root: %s", why)
	}
	return &Root{meta}, nil
}

const (
	// maxKeys is the maximum number of keys and of signatures in a root. It is limited because
	// go-tuf encodes the root once for each key of a role.
	maxKeys = 100
	// longestKey is the maximum size of an encoded key in bytes.
	longestKey = 4 << 10
)

// bounds returns "" if go-tuf can process a root. Otherwise it returns the reason why go-tuf would
// need too much time or memory or would panic.
func bounds(root *metadata.Metadata[metadata.RootType]) (why string) {
	if len(root.Signed.Keys) > maxKeys || len(root.Signatures) > maxKeys {
		return fmt.Sprintf("it has more than %d keys or signatures", maxKeys)
	}
	for name, role := range root.Signed.Roles {
		if role == nil || len(role.KeyIDs) > maxKeys {
			return fmt.Sprintf("%.80q has no keys, or more than %d", name, maxKeys)
		}
	}
	for id, key := range root.Signed.Keys {
		if key == nil || len(key.Value.PublicKey) > longestKey {
			return fmt.Sprintf("its key %.80q is empty, or has more than %d bytes", id, longestKey)
		}
		public, err := key.ToPublicKey()
		if raw, ours := public.(ed25519.PublicKey); err == nil && ours && len(raw) != ed25519.PublicKeySize {
			return fmt.Sprintf("its key %.80q has %d bytes of %d", id, len(raw), ed25519.PublicKeySize)
		}
	}
	return ""
}

// Encode returns the content of the root's file.
func (r *Root) Encode() ([]byte, error) {
	b, err := r.meta.ToBytes(false)
	return append(b, '\n'), err
}

// Version returns the number of the root, from 1.
func (r *Root) Version() int64 { return r.meta.Signed.Version }

// Expires returns the time when the root expires.
func (r *Root) Expires() time.Time { return r.meta.Signed.Expires.UTC() }

// Complete returns an error if the root is not signed by as many of its own keys as it requires.
func (r *Root) Complete() error {
	if err := r.meta.VerifyDelegate(metadata.ROOT, r.meta); err != nil {
		return fmt.Errorf("root %d is not signed by the root key that it names", r.Version())
	}
	return nil
}

// follows returns an error if r cannot succeed an older root. before is the older root. r must have
// the next version, and the root key of the older root must have signed it.
func (r *Root) follows(before *Root) error {
	if r.Version() != before.Version()+1 {
		return fmt.Errorf("root %d can't follow root %d: mirrors follow every number in turn", r.Version(), before.Version())
	}
	if err := before.meta.VerifyDelegate(metadata.ROOT, r.meta); err != nil {
		return fmt.Errorf("root %d is not signed by the root key of root %d, so mirrors with that root cannot follow; put the root.key of the first root into the folder --trust-keys", r.Version(), before.Version())
	}
	return nil
}

// allows reports whether a key may sign for a role.
func (r *Root) allows(k SigningKey, role string) bool {
	key, err := metadata.KeyFromPublicKey(k.Public().raw())
	if err != nil {
		return false
	}
	id, err := key.ID()
	return err == nil && slices.Contains(r.meta.Signed.Roles[role].KeyIDs, id)
}

// Install publishes a root in a data directory. The root must be complete. It must be the successor
// of the root in the directory, or the same root, so that an interrupted Install can be repeated.
func Install(d snapshot.Dir, r *Root) error {
	if err := r.Complete(); err != nil {
		return err
	}
	b, err := r.Encode()
	if err != nil {
		return err
	}
	before, err := Current(d)
	switch {
	case errors.Is(err, ErrNoRoot) && r.Version() != 1:
		return fmt.Errorf("%s has no root yet, so it needs root 1, but this is root %d", d.Path(), r.Version())
	case errors.Is(err, ErrNoRoot):
	case err != nil:
		return err
	case before.Version() == r.Version():
		if is, err := before.Encode(); err != nil || !bytes.Equal(is, b) {
			return errors.Join(r.follows(before), err)
		}
	default:
		if err := r.follows(before); err != nil {
			return err
		}
	}
	// Nightly builds use root.json, and mirrors the numbered roots. Write root.json last, so that
	// no build signs under a root that mirrors cannot fetch.
	s := published(d)
	if err := s.put(numbered(metadata.ROOT, r.Version()), b); err != nil {
		return err
	}
	return s.put(metadata.ROOT, b)
}

// CopyRoots publishes all roots of a data directory in another one that has none, so that mirrors
// follow both from the same first root.
func CopyRoots(from, to snapshot.Dir) error {
	root, err := Current(from)
	if err != nil {
		return err
	}
	for version := range root.Version() {
		name := numbered(metadata.ROOT, version+1)
		b, err := published(from).read(name)
		if err != nil {
			return err
		}
		if err := published(to).put(name, b); err != nil {
			return err
		}
	}
	b, err := root.Encode()
	if err != nil {
		return err
	}
	return published(to).put(metadata.ROOT, b)
}

// sign adds the signature of a key to metadata. It replaces an older signature of the same key.
func sign[T metadata.Roles](m *metadata.Metadata[T], k SigningKey) error {
	key, err := metadata.KeyFromPublicKey(k.Public().raw())
	if err != nil {
		return err
	}
	id, err := key.ID()
	if err != nil {
		return err
	}
	m.Signatures = slices.DeleteFunc(m.Signatures, func(s metadata.Signature) bool { return s.KeyID == id })
	_, err = m.Sign(signer{k})
	return err
}

// signer lets go-tuf sign with a key without giving it the secret.
type signer struct{ key SigningKey }

func (s signer) PublicKey(...signature.PublicKeyOption) (crypto.PublicKey, error) {
	return s.key.Public().raw(), nil
}

func (s signer) SignMessage(message io.Reader, _ ...signature.SignOption) ([]byte, error) {
	var b bytes.Buffer
	if _, err := b.ReadFrom(message); err != nil {
		return nil, err
	}
	return s.key.Sign(b.Bytes()), nil
}
