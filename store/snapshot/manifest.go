package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Format is the version of the layout and of the manifest that this program writes and reads.
const Format = 1

// maxPath is the largest length of a path in a manifest in bytes.
const maxPath = 512

// ErrNewer is the error for a snapshot whose format only a later program can read.
var ErrNewer = errors.New("needs a newer bencao")

// Manifest describes a snapshot. It is the snapshot's manifest.json.
type Manifest struct {
	// Format is the version of the layout, see the constant [Format].
	Format int `json:"format"`
	// ID is the snapshot's name. Its last six digits are the start of a hash of the manifest
	// without these digits, so that a manifest can be checked against its ID.
	ID string `json:"id"`
	// Created is when the snapshot was published, in UTC and whole seconds.
	Created time.Time `json:"created"`
	Content
	// Files are all files but the manifest itself, sorted by path.
	Files []File `json:"files"`
}

// Content is the part of a manifest that the builder provides.
type Content struct {
	// Program is the name and version of the program that built the snapshot.
	Program string `json:"program"`
	// Schema is a hash of the field mappings with which the indexes were built.
	Schema string `json:"schema"`
	// Settings are the settings that affect the build, such as the site's address.
	Settings map[string]string `json:"settings"`
	// Tables maps each table to its number of records.
	Tables map[string]int `json:"tables"`
	// Sources are the inputs of the build, in the operator's order.
	Sources []Source `json:"sources"`
}

// Source is one input of a build.
type Source struct {
	// Kind is the input's format, such as datapackage or wcvp.
	Kind string `json:"kind"`
	// Name is the name that the input states, such as WCVP.
	Name string `json:"name"`
	// Version is the version that the input states, or empty.
	Version string `json:"version"`
	// File is the base name of the input's path.
	File string `json:"file"`
	// SHA256 is the SHA-256 of the input, in lower-case hexadecimal.
	SHA256 string `json:"sha256"`
	// Bytes is the size of the file.
	Bytes int64 `json:"bytes"`
}

// File is one file of a snapshot.
type File struct {
	// Path is relative to the snapshot, with slashes.
	Path string `json:"path"`
	// Bytes is the size of the file.
	Bytes int64 `json:"bytes"`
	// CRC32C is the CRC-32 (Castagnoli) of the file as eight hexadecimal digits. It is fast enough
	// to be checked whenever the snapshot is opened.
	CRC32C string `json:"crc32c"`
	// SHA256 is the SHA-256 of the file, in lower-case hexadecimal.
	SHA256 string `json:"sha256"`
}

// BuiltFrom reports whether a build from c would produce the same records. It compares sources,
// settings, schema and program. It does not compare tables, which are known only after a build.
func (m Manifest) BuiltFrom(c Content) bool {
	return m.Program == c.Program && m.Schema == c.Schema &&
		maps.Equal(m.Settings, c.Settings) && slices.Equal(m.Sources, c.Sources)
}

// Bytes returns the total size of all files except the manifest.
func (m Manifest) Bytes() int64 {
	var sum int64
	for _, f := range m.Files {
		sum += f.Bytes
	}
	return sum
}

// Is reports whether p names this manifest, by id and digest.
func (m Manifest) Is(p Pointer) bool {
	d, err := digest(m)
	return err == nil && p == Pointer{ID: m.ID, Digest: d}
}

// Encode returns the content of manifest.json. Equal manifests give equal bytes.
func (m Manifest) Encode() ([]byte, error) {
	if m.Settings == nil {
		m.Settings = map[string]string{}
	}
	if m.Tables == nil {
		m.Tables = map[string]int{}
	}
	if m.Sources == nil {
		m.Sources = []Source{}
	}
	if m.Files == nil {
		m.Files = []File{}
	}
	m.Created = m.Created.UTC()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("manifest of %s: %w", m.ID, err)
	}
	return b.Bytes(), nil
}

// digest returns the SHA-256 of the manifest's file.
func digest(m Manifest) (string, error) {
	b, err := m.Encode()
	return digestOf(b), err
}

// sealed returns m with the id that follows from its content, and the encoding of this manifest.
func (m Manifest) sealed() (Manifest, []byte, error) {
	m.ID = m.Created.UTC().Format(stampForm)
	body, err := m.Encode()
	if err != nil {
		return Manifest{}, nil, err
	}
	m.ID += "-" + digestOf(body)[:idLen-stampLen-1]
	b, err := m.Encode()
	return m, b, err
}

// ParseManifest reads a manifest.json. It accepts only the exact output of [Manifest.Encode], with
// an id that matches the content. For a later format it returns [ErrNewer]. Every path in the
// result is safe to join to a directory.
func ParseManifest(b []byte) (Manifest, error) {
	if len(b) > MaxManifest {
		return Manifest{}, fmt.Errorf("is longer than %d bytes", MaxManifest)
	}
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return Manifest{}, fmt.Errorf("is not a manifest: %s", oneLine(err.Error()))
	}
	if head.Format > Format {
		return Manifest{}, fmt.Errorf("has format %d, this program reads %d: %w", head.Format, Format, ErrNewer)
	}
	if head.Format != Format {
		return Manifest{}, fmt.Errorf("has format %d, this program reads %d", head.Format, Format)
	}
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return Manifest{}, fmt.Errorf("is not a manifest: %s", oneLine(err.Error()))
	}
	if err := m.check(); err != nil {
		return Manifest{}, err
	}
	sealed, again, err := m.sealed()
	if err != nil {
		return Manifest{}, err
	}
	if sealed.ID != m.ID {
		return Manifest{}, fmt.Errorf("is altered: its content gives id %s, but it says %q", sealed.ID, m.ID)
	}
	if !bytes.Equal(again, b) {
		return Manifest{}, errors.New("is altered: not in the form that bencao writes")
	}
	return m, nil
}

// check returns an error if a value is impossible for a snapshot.
func (m Manifest) check() error {
	if !ValidID(m.ID) {
		return fmt.Errorf("has the impossible id %q", m.ID)
	}
	if len(m.Files) == 0 {
		return errors.New("lists no file")
	}
	for table, n := range m.Tables {
		if n < 0 {
			return fmt.Errorf("counts %d records in table %q", n, table)
		}
	}
	for i, f := range m.Files {
		if err := checkPath(f.Path); err != nil {
			return err
		}
		if f.Bytes < 0 || len(f.CRC32C) != 8 || !lowerHex(f.CRC32C) || len(f.SHA256) != digestLen || !lowerHex(f.SHA256) {
			return fmt.Errorf("has a bad size or checksum for %s", f.Path)
		}
		if i == 0 {
			continue
		}
		switch prev := m.Files[i-1].Path; {
		case prev == f.Path:
			return fmt.Errorf("lists %s twice", f.Path)
		case prev > f.Path:
			return fmt.Errorf("lists %s out of order", f.Path)
		}
	}
	return nil
}

// checkPath returns an error for a path that leaves the snapshot, contains characters that no
// message should contain, or names the manifest.
func checkPath(p string) error {
	bad := !fs.ValidPath(p) || p == "." || !filepath.IsLocal(p) || path.Clean(p) != p ||
		len(p) > maxPath || strings.Contains(p, `\`) || !plain(p)
	if bad {
		return fmt.Errorf("names the file %q, which is not a plain path inside the snapshot", p)
	}
	if p == ManifestName {
		return fmt.Errorf("lists itself, %s", ManifestName)
	}
	return nil
}

// plain reports whether a message can contain the name unchanged.
func plain(p string) bool {
	return utf8.ValidString(p) && !strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsPrint(r) })
}
