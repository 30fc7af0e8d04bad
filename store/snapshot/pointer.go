package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	// stampForm is the first part of an id: the time in UTC, so that ids sort by time.
	stampForm = "20060102T150405Z"
	stampLen  = len(stampForm)
	// idLen is the length of an id: the time, a dash, and three bytes of the content's hash in
	// hexadecimal.
	idLen = stampLen + 1 + 6
	// digestLen is the length of a SHA-256 in hexadecimal.
	digestLen = 2 * sha256.Size
)

// Pointer is the content of CURRENT.
type Pointer struct {
	// ID names the snapshot.
	ID string
	// Digest is the SHA-256 of the snapshot's manifest, in lower-case hexadecimal.
	Digest string
}

// String returns the line in CURRENT without its line end.
func (p Pointer) String() string { return p.ID + " " + p.Digest }

// ParsePointer reads the content of CURRENT. It accepts only the result of [Pointer.String] with a
// line feed at the end.
func ParsePointer(b []byte) (Pointer, error) {
	line, whole := strings.CutSuffix(string(b), "\n")
	if !whole {
		return Pointer{}, errors.New("does not end with a line feed: the file is cut off or empty")
	}
	id, digest, _ := strings.Cut(line, " ")
	if !ValidID(id) {
		return Pointer{}, fmt.Errorf("does not start with a snapshot id such as %s-3f9a1c", stampForm)
	}
	if !isDigest(digest) {
		return Pointer{}, errors.New("has no SHA-256 in lower-case hexadecimal after the id, and then the line's end")
	}
	return Pointer{ID: id, Digest: digest}, nil
}

// ValidID reports whether id has the form of a snapshot's id: the UTC time of publication and six
// hexadecimal digits, such as 20261120T021500Z-3f9a1c.
func ValidID(id string) bool {
	if len(id) != idLen || id[stampLen] != '-' || !lowerHex(id[stampLen+1:]) {
		return false
	}
	_, err := stampTime(id)
	return err == nil
}

// stampTime returns the time in an id.
func stampTime(id string) (time.Time, error) {
	return time.Parse(stampForm, id[:stampLen])
}

// FromFuture reports whether the time in an id is more than ten minutes after now.
func FromFuture(id string, now time.Time) bool {
	t, err := stampTime(id)
	return err == nil && fromFuture(t, now)
}

// BuiltAt returns the time in a valid id.
func BuiltAt(id string) time.Time {
	t, err := stampTime(id)
	if err != nil {
		panic(fmt.Sprintf("%q is not the id of a snapshot", id))
	}
	return t
}

func fromFuture(t, now time.Time) bool { return t.After(now.Add(10 * time.Minute)) }

func lowerHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}

// isDigest reports whether text has the form of a SHA-256.
func isDigest(text string) bool { return len(text) == digestLen && lowerHex(text) }

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
