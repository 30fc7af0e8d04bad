package snapshot

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"bencao/internal/durable"
	"bencao/internal/system"
)

// ErrSignature is returned when a text bears no signature that one of the
// expected keys made.
var ErrSignature = errors.New("is not signed by an expected key")

const (
	secretForm = "bencao-signing-key"
	publicForm = "bencao-public-key"
	signForm   = "ed25519"
	// maxKeyFile bounds what is read of a key file, and maxSignature of a
	// signature.
	maxKeyFile   = 64 << 10
	maxSignature = 256
	keyIDLen     = 16
)

// What a signature is made for stands before the text, so that none can be
// used for anything else.
const (
	forPointer = "bencao snapshot\n"
	forChecked = "bencao checked\n"
)

// SigningKey is the secret half of a publisher's key pair. It prints as its
// id: the secret leaves it only by [SigningKey.WriteFile].
type SigningKey struct{ secret ed25519.PrivateKey }

// PublicKey is the half that mirrors have.
type PublicKey struct{ key ed25519.PublicKey }

// NewSigningKey makes a key pair.
func NewSigningKey() (SigningKey, error) {
	_, secret, err := ed25519.GenerateKey(rand.Reader)
	return SigningKey{secret}, err
}

// ReadSigningKey reads what [SigningKey.WriteFile] wrote. It refuses a file
// that others than its owner may read, where its mode tells.
func ReadSigningKey(path string) (SigningKey, error) {
	b, mode, err := readKeyFile(path)
	if err != nil {
		return SigningKey{}, err
	}
	if system.Modes && mode.Perm()&0o077 != 0 {
		return SigningKey{}, fmt.Errorf("%s may be read by others (mode %04o); run \"chmod 600 %s\", and make a new key if somebody has read it", path, mode.Perm(), path)
	}
	seed, err := keyBytes(secretForm, strings.TrimSpace(string(b)), ed25519.SeedSize)
	if err != nil {
		return SigningKey{}, fmt.Errorf("%s: %w", path, err)
	}
	return SigningKey{ed25519.NewKeyFromSeed(seed)}, nil
}

// readKeyFile reads a file that the operator names, and says its mode. Unlike
// what stands in a data folder it may be a symbolic link, as mounted secrets
// are.
func readKeyFile(path string) (b []byte, mode fs.FileMode, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|system.NoWait, 0) // a pipe must not hold us up
	if err != nil {
		return nil, 0, err
	}
	defer closing(f, &err)
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	}
	b, err = io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err == nil && len(b) > maxKeyFile {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxKeyFile)
	}
	return b, info.Mode(), err
}

// WriteFile makes a file for the key, which only its owner may read. It never
// replaces one.
func (k SigningKey) WriteFile(path string) error {
	line := secretForm + " " + base64.StdEncoding.EncodeToString(k.secret.Seed()) + "\n"
	err := durable.Create(path, []byte(line), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; a key is never replaced, choose another file", err)
	}
	return err
}

// Public is the half for mirrors.
func (k SigningKey) Public() PublicKey {
	return PublicKey{ed25519.PublicKey(bytes.Clone(k.secret[ed25519.SeedSize:]))}
}

// String names the key without giving it away.
func (k SigningKey) String() string { return "signing key " + k.Public().ID() }

// Format prints the name under every verb, since %d would show the secret.
func (k SigningKey) Format(s fmt.State, _ rune) { fmt.Fprint(s, k.String()) }

// LogValue is for logs.
func (k SigningKey) LogValue() slog.Value { return slog.StringValue(k.String()) }

// Sign is the signature of the key over bytes of another form than ours, such
// as metadata of The Update Framework.
func (k SigningKey) Sign(message []byte) []byte { return ed25519.Sign(k.secret, message) }

// sign returns the line that [checkSignature] takes.
func (k SigningKey) sign(purpose, text string) string {
	return signForm + " " + k.Public().ID() + " " + base64.StdEncoding.EncodeToString(ed25519.Sign(k.secret, []byte(purpose+text)))
}

// ReadPublicKeys reads a file with a public key in each line; lines that are
// empty or begin with # don't count. Two keys make it possible to change from
// one to the other.
func ReadPublicKeys(path string) ([]PublicKey, error) {
	b, _, err := readKeyFile(path)
	if err != nil {
		return nil, err
	}
	var keys []PublicKey
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if strings.HasPrefix(line, secretForm) {
			return nil, fmt.Errorf("%s:%d: is a signing key, which is secret; give the line that \"bencao sign-key show\" prints", path, n)
		}
		key, err := keyBytes(publicForm, line, ed25519.PublicKeySize)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		keys = append(keys, PublicKey{key})
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s: has no key; put in the line that \"bencao sign-key show\" prints", path)
	}
	return keys, nil
}

// String is the key's line in a file.
func (k PublicKey) String() string {
	return publicForm + " " + base64.StdEncoding.EncodeToString(k.key)
}

// PublicKeyOf is a key of its bytes.
func PublicKeyOf(raw ed25519.PublicKey) PublicKey { return PublicKey{bytes.Clone(raw)} }

// Raw is the key itself.
func (k PublicKey) Raw() ed25519.PublicKey { return bytes.Clone(k.key) }

// ID is a short name of the key: the first digits of its SHA-256.
func (k PublicKey) ID() string {
	sum := sha256.Sum256(k.key)
	return hex.EncodeToString(sum[:])[:keyIDLen]
}

func keyBytes(form, line string, size int) ([]byte, error) {
	text, found := strings.CutPrefix(line, form+" ")
	b, err := base64.StdEncoding.DecodeString(text)
	if !found || err != nil || len(b) != size {
		// The line is not quoted: it may be a secret.
		return nil, fmt.Errorf("is not a key: a line is %q and %d bytes in base64", form, size)
	}
	return b, nil
}

// checkSignature checks a line of [SigningKey.sign]. What is wrong with it
// wraps [ErrSignature].
func checkSignature(keys []PublicKey, purpose, text, line string) error {
	form, rest, _ := strings.Cut(line, " ")
	id, code, _ := strings.Cut(rest, " ")
	sum, err := base64.StdEncoding.DecodeString(code)
	// The library reads base64 with line ends in it, or with bits that nobody
	// needs; a signature has one form.
	oneForm := base64.StdEncoding.EncodeToString(sum) == code
	if form != signForm || len(id) != keyIDLen || !lowerHex(id) || err != nil || len(sum) != ed25519.SignatureSize || !oneForm {
		return fmt.Errorf("is no signature and so %w", ErrSignature)
	}
	for _, k := range keys {
		if k.ID() != id {
			continue
		}
		if ed25519.Verify(k.key, []byte(purpose+text), sum) {
			return nil
		}
		return fmt.Errorf("has a signature that does not fit the content, and so %w", ErrSignature)
	}
	return fmt.Errorf("%w: it is signed by key %s", ErrSignature, id)
}
