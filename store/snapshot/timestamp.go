package snapshot

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"
)

// Timestamp says which snapshot is a publisher's current one, so that nobody
// can show a mirror an older one, well signed as it is, in its place. It is
// timestamp.json in the data directory: a file in the form of the timestamp
// role of The Update Framework, https://theupdateframework.io/, whose other
// roles there are not yet, and with a checksum, since not everybody signs:
//
//	{"crc32c":"…","signatures":[{"keyid":"…","sig":"…"}],"signed":{"_type":"timestamp","expires":"2026-12-04T02:15:00Z",
//	 "meta":{"snapshots/20261120T021500Z-3f9a1c/manifest.json":{"hashes":{"sha256":"…"}}},"spec_version":"1.0.31","version":1795140900}}
//
// What is signed are the bytes of "signed". Names in there that are not known
// are left to later programs.
type Timestamp struct {
	// Pointer names the snapshot.
	Pointer
	// Version rises from each timestamp of a publisher to the next. It is at
	// least 1.
	Version int64
	// Expires is until when the publisher means it, in UTC and whole seconds.
	Expires time.Time

	raw, signed []byte
	signatures  []timestampSignature
}

type (
	timestampFile struct {
		CRC32C     string               `json:"crc32c"`
		Signatures []timestampSignature `json:"signatures"`
		Signed     json.RawMessage      `json:"signed"`
	}
	timestampSignature struct {
		KeyID string `json:"keyid"`
		Sig   string `json:"sig"` // hexadecimal
	}
	// timestampBody is "signed". Its fields are in the order of their names, as
	// canonical JSON has them.
	timestampBody struct {
		Type        string                   `json:"_type"`
		Expires     string                   `json:"expires"`
		Meta        map[string]timestampMeta `json:"meta"`
		SpecVersion string                   `json:"spec_version"`
		Version     int64                    `json:"version"`
	}
	timestampMeta struct {
		Hashes map[string]string `json:"hashes"`
	}
)

const (
	timestampName = "timestamp.json"
	timestampRole = "timestamp"
	specVersion   = "1.0.31" // of The Update Framework
	maxTimestamp  = 16 << 10
	// maxVersion is the largest whole number that every reader of JSON knows.
	maxVersion = 1<<53 - 1
	// defaultExpires is how long a timestamp holds: time enough to notice and
	// mend nights that fail.
	defaultExpires = 14 * 24 * time.Hour
)

// newTimestamp makes a timestamp, signed unless key is nil.
func newTimestamp(p Pointer, version int64, expires time.Time, key *SigningKey) (Timestamp, error) {
	signed, err := json.Marshal(timestampBody{
		Type:        timestampRole,
		Expires:     expires.UTC().Format(time.RFC3339),
		Meta:        map[string]timestampMeta{manifestPath(p.ID): {Hashes: map[string]string{"sha256": p.Digest}}},
		SpecVersion: specVersion,
		Version:     version,
	})
	if err != nil {
		return Timestamp{}, fmt.Errorf("%s: %w", timestampName, err)
	}
	file := timestampFile{CRC32C: sumOf(signed), Signatures: []timestampSignature{}, Signed: signed}
	if key != nil {
		file.Signatures = append(file.Signatures, timestampSignature{key.Public().ID(), hex.EncodeToString(ed25519.Sign(key.secret, signed))})
	}
	raw, err := json.Marshal(file)
	if err != nil {
		return Timestamp{}, fmt.Errorf("%s: %w", timestampName, err)
	}
	return ParseTimestamp(append(raw, '\n'))
}

// ParseTimestamp reads the content of timestamp.json. Whether it is signed,
// by whom, and whether it has expired is for the caller to ask.
func ParseTimestamp(b []byte) (Timestamp, error) {
	if len(b) > maxTimestamp {
		return Timestamp{}, fmt.Errorf("is longer than %d bytes", maxTimestamp)
	}
	var file timestampFile
	if err := json.Unmarshal(b, &file); err != nil {
		return Timestamp{}, fmt.Errorf("is no timestamp: %s", oneLine(err.Error()))
	}
	if file.CRC32C != sumOf(file.Signed) {
		return Timestamp{}, errors.New("is altered: its checksum is that of another content")
	}
	var body timestampBody
	if err := json.Unmarshal(file.Signed, &body); err != nil {
		return Timestamp{}, fmt.Errorf("is no timestamp: %s", oneLine(err.Error()))
	}
	t := Timestamp{Version: body.Version, raw: bytes.Clone(b), signed: bytes.Clone(file.Signed), signatures: file.Signatures}
	if body.Type != timestampRole {
		return Timestamp{}, fmt.Errorf("is no timestamp: its _type is %q", body.Type)
	}
	if body.Version < 1 || body.Version > maxVersion {
		return Timestamp{}, fmt.Errorf("has the version %d, which no publisher gives", body.Version)
	}
	expires, err := time.Parse(time.RFC3339, body.Expires)
	if err != nil {
		return Timestamp{}, fmt.Errorf("expires at %q, which is no time", body.Expires)
	}
	t.Expires = expires.UTC()
	for name, meta := range body.Meta {
		id := strings.TrimSuffix(strings.TrimPrefix(name, snapshotsDir+"/"), "/"+manifestName)
		if !ValidID(id) || name != manifestPath(id) {
			continue // of a role that this program does not know
		}
		if t.ID != "" {
			return Timestamp{}, fmt.Errorf("names two snapshots, %s and %s", min(t.ID, id), max(t.ID, id))
		}
		t.Pointer = Pointer{ID: id, Digest: meta.Hashes["sha256"]}
	}
	if t.ID == "" {
		return Timestamp{}, fmt.Errorf("names no snapshot that this program understands: %w", ErrNewer)
	}
	if len(t.Digest) != digestLen || !lowerHex(t.Digest) {
		return Timestamp{}, fmt.Errorf("has no SHA-256 of the manifest of %s", t.ID)
	}
	return t, nil
}

// Encode is the content of the file, to the byte as it was read.
func (t Timestamp) Encode() []byte { return t.raw }

// Signed tells whether anybody has signed it.
func (t Timestamp) Signed() bool { return len(t.signatures) > 0 }

// CheckSignature checks that one of the keys has signed it. What is wrong
// wraps [ErrSignature].
func (t Timestamp) CheckSignature(keys []PublicKey) error {
	var by []string
	for _, s := range t.signatures {
		sum, err := hex.DecodeString(s.Sig)
		for _, k := range keys {
			if err == nil && k.ID() == s.KeyID && len(sum) == ed25519.SignatureSize && ed25519.Verify(k.key, t.signed, sum) {
				return nil
			}
		}
		by = append(by, oneLine(s.KeyID))
	}
	if len(by) == 0 {
		return fmt.Errorf("%s %w: it has no signature", timestampName, ErrSignature)
	}
	return fmt.Errorf("%s %w: it names key %s", timestampName, ErrSignature, strings.Join(by, ", "))
}

func sumOf(b []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(b, castagnoli)) }

// Seen is the latest that a mirror has taken of its publisher. It is the
// content of SEEN: one line with the version, the snapshot's id and a checksum.
// It outlives the snapshots, so that none that is older is taken when they are
// gone.
type Seen struct {
	// Version is that of the timestamp.
	Version int64
	// ID names the snapshot.
	ID string
}

const maxSeen = 256

func (s Seen) encode() []byte {
	line := fmt.Sprint(s.Version, " ", s.ID)
	return fmt.Appendf(nil, "%s %s\n", line, sumOf([]byte(line)))
}

// ParseSeen reads the content of SEEN.
func ParseSeen(b []byte) (Seen, error) {
	var s Seen
	var sum string
	if n, err := fmt.Sscanf(string(b), "%d %s %s\n", &s.Version, &s.ID, &sum); n != 3 || err != nil || !ValidID(s.ID) || string(s.encode()) != string(b) {
		return Seen{}, errors.New("is damaged: it is no line with a version, a snapshot's id and their checksum")
	}
	return s, nil
}
