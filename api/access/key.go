package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"strings"
)

// A key is bencao_, 26 random characters and 6 characters of checksum, all of the base32 alphabet
// A–Z 2–7. The prefix and the checksum let a scanner find leaked keys without false alarms, and let
// a client recognise a mistyped key without asking the server.
const (
	keyPrefix   = "bencao_"
	randomLen   = 26
	checksumLen = 6
	keyLen      = len(keyPrefix) + randomLen + checksumLen
	base32      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	hashPrefix  = "sha256:"
)

// Secret is a key in plain text. It prints, logs and encodes as a placeholder; only [Secret.Reveal]
// returns the key.
type Secret struct {
	// text is a pointer because of fmt: in a struct with an unexported field of type Secret, fmt
	// prints the field without calling the methods of Secret. It then prints the pointer and not
	// the key.
	text *string
}

// NewKey makes a key with 130 random bits. It returns the key and its hash for the access file.
func NewKey() (Secret, Hash) {
	body := keyPrefix + rand.Text()[:randomLen]
	check := checksum(body)
	text := body + string(check[:])
	return Secret{&text}, sum(text)
}

// Reveal returns the key itself, or "" for the zero Secret.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// String returns a placeholder.
func (s Secret) String() string { return keyPrefix + "(hidden)" }

// Format writes the placeholder, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText returns the placeholder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue returns the placeholder.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Hash is the SHA-256 of a key.
type Hash [sha256.Size]byte

// ParseHash reads "sha256:" and 64 hexadecimal digits.
func ParseHash(text string) (Hash, error) {
	var h Hash
	digits, ok := strings.CutPrefix(text, hashPrefix)
	if !ok || len(digits) != hex.EncodedLen(len(h)) || strings.ToLower(digits) != digits {
		return Hash{}, errors.New(`is not "sha256:" and 64 lower-case hexadecimal digits`)
	}
	if _, err := hex.Decode(h[:], []byte(digits)); err != nil {
		return Hash{}, errors.New(`has a character that is not a hexadecimal digit`)
	}
	return h, nil
}

// String returns the form that [ParseHash] reads.
func (h Hash) String() string { return hashPrefix + hex.EncodeToString(h[:]) }

func sum(text string) Hash {
	// A text of the length of a key is copied to the stack, so that hashing it needs no allocation.
	// Only other texts are copied to the heap.
	var buf [keyLen]byte
	if copy(buf[:], text) == len(text) {
		return sha256.Sum256(buf[:len(text)])
	}
	return sha256.Sum256([]byte(text))
}

// checksum returns the lower 30 bits of the CRC-32 of body in base32.
func checksum(body string) [checksumLen]byte {
	// crc32.ChecksumIEEE is not used, because it would copy body to the heap for each request.
	crc := ^uint32(0)
	for i := range len(body) {
		crc = crc32.IEEETable[byte(crc)^body[i]] ^ crc>>8
	}
	crc = ^crc
	var c [checksumLen]byte
	for i := range c {
		c[i] = base32[crc>>(5*i)&31]
	}
	return c
}

func wellFormed(text string) bool {
	if len(text) != keyLen || text[:len(keyPrefix)] != keyPrefix {
		return false
	}
	for _, c := range []byte(text[len(keyPrefix):]) {
		if (c < 'A' || c > 'Z') && (c < '2' || c > '7') {
			return false
		}
	}
	body := text[:keyLen-checksumLen]
	check := checksum(body)
	return text[len(body):] == string(check[:])
}

// holdsKey reports whether text contains an API key in plain text.
func holdsKey(text string) bool {
	for {
		i := strings.Index(text, keyPrefix)
		if i < 0 || len(text)-i < keyLen {
			return false
		}
		if wellFormed(text[i : i+keyLen]) {
			return true
		}
		text = text[i+len(keyPrefix):]
	}
}
