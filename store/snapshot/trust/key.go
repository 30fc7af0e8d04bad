package trust

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

const (
	secretForm = "bencao-signing-key"
	// maxKeyFile is the largest size of a key file in bytes.
	maxKeyFile = 64 << 10
	keyIDLen   = 16
)

// SigningKey is a private key (ed25519). Only [SigningKey.WriteFile] reveals the secret; when
// printed, a key shows only its id.
type SigningKey struct{ secret ed25519.PrivateKey }

// PublicKey is the public half of a key.
type PublicKey struct{ key ed25519.PublicKey }

// NewSigningKey makes a key pair.
func NewSigningKey() (SigningKey, error) {
	_, secret, err := ed25519.GenerateKey(rand.Reader)
	return SigningKey{secret}, err
}

// ReadSigningKey reads a file that [SigningKey.WriteFile] wrote. On systems with file modes it
// refuses a file that other users may read.
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

// readKeyFile reads a file that the operator names, and returns its mode. The file may be a
// symbolic link, since secrets that are mounted into a container are links.
func readKeyFile(path string) (b []byte, mode fs.FileMode, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|system.NoWait, 0) // do not wait for a writer if it is a named pipe
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
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

// WriteFile writes the key to a new file that only its owner can read. It returns an error if the
// file exists.
func (k SigningKey) WriteFile(path string) error {
	line := secretForm + " " + base64.StdEncoding.EncodeToString(k.secret.Seed()) + "\n"
	err := durable.Create(path, []byte(line), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; a key is never replaced, choose another file", err)
	}
	return err
}

// Public returns the public key.
func (k SigningKey) Public() PublicKey {
	return PublicKey{ed25519.PublicKey(bytes.Clone(k.secret[ed25519.SeedSize:]))}
}

// String returns a name for the key without revealing the secret.
func (k SigningKey) String() string { return "signing key " + k.Public().id() }

// Format prints the result of String for every verb. Otherwise %d would print the secret.
func (k SigningKey) Format(s fmt.State, _ rune) { fmt.Fprint(s, k.String()) }

// LogValue implements [slog.LogValuer].
func (k SigningKey) LogValue() slog.Value { return slog.StringValue(k.String()) }

// Sign returns the signature of the key over a message.
func (k SigningKey) Sign(message []byte) []byte { return ed25519.Sign(k.secret, message) }

// raw returns the bytes of the key.
func (k PublicKey) raw() ed25519.PublicKey { return bytes.Clone(k.key) }

// id returns a short name of the key: the first digits of its SHA-256.
func (k PublicKey) id() string {
	sum := sha256.Sum256(k.key)
	return hex.EncodeToString(sum[:])[:keyIDLen]
}

// keyBytes returns the bytes in a line of a key file. form is the first word of the line, and size
// is the number of bytes.
func keyBytes(form, line string, size int) ([]byte, error) {
	text, found := strings.CutPrefix(line, form+" ")
	b, err := base64.StdEncoding.DecodeString(text)
	if !found || err != nil || len(b) != size {
		// The error does not quote the line, which may be a secret.
		return nil, fmt.Errorf("is not a key: a line is %q and %d bytes in base64", form, size)
	}
	return b, nil
}
