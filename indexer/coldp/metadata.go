package coldp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"

	"github.com/goccy/go-yaml"
)

// maxMetadata is the maximum size of the metadata in bytes.
const maxMetadata = 1 << 20

// metadata holds the fields of metadata.yaml that this program reads.
type metadata struct {
	Title, Alias, Version, Issued string
}

// readMeta returns the package's metadata. The name is the package's title or, without a title, its
// alias. The version is the package's version, or else its date of issue, or else the modification
// date of the file of names.
func readMeta(src *archive.Archive) (checklist.Meta, error) {
	m, err := readMetadata(src)
	if err != nil {
		return checklist.Meta{}, err
	}
	out := checklist.Meta{Name: m.Title, Version: m.Version, Format: "ColDP"}
	if out.Name == "" {
		out.Name = m.Alias
	}
	if out.Version == "" {
		out.Version = m.Issued
	}
	for _, name := range []string{"NameUsage", "Name"} {
		file, ok := entity(src, name)
		if t := src.Modified(file); ok && out.Version == "" && !t.IsZero() {
			out.Version = t.UTC().Format("2006-01-02")
		}
	}
	return out, nil
}

// readMetadata reads metadata.yaml or metadata.json. A package without either has no name.
func readMetadata(src *archive.Archive) (metadata, error) {
	file, ok := src.Find("metadata.yaml")
	if !ok {
		file, ok = src.Find("metadata.yml")
	}
	if !ok {
		file, ok = src.Find("metadata.json")
	}
	if !ok {
		return metadata{}, nil
	}
	f, err := src.Open(file)
	if err != nil {
		return metadata{}, err
	}
	defer f.Close()
	refuse := func(message string) (metadata, error) {
		return metadata{}, finding.Finding{Severity: finding.Fatal, Code: finding.Package, File: file, Message: message,
			Hint: "fix it, or remove it and give name and version in the configuration"}
	}
	b, err := io.ReadAll(io.LimitReader(f, maxMetadata+1))
	if err != nil {
		return metadata{}, fmt.Errorf("read %s: %w", file, err)
	}
	if len(b) > maxMetadata {
		return refuse(fmt.Sprintf("more than %d bytes", maxMetadata))
	}
	m, err := parseMetadata(b)
	if err != nil {
		return refuse("not readable as YAML: " + err.Error())
	}
	return m, nil
}

// maxField is the maximum size of a metadata field in bytes.
const maxField = 4 << 10

var (
	// fieldStart matches the start of a field that metadata needs, at the top level of a document.
	fieldStart = regexp.MustCompile(`^["']?(title|alias|version|issued)["']?[ \t]*:(?:[ \t]+|$)`)
	// notScalar matches a value that is a list, a mapping or a reference instead of a scalar.
	notScalar = regexp.MustCompile(`^[\[{&*!?]|^- |: |:$`)
)

// parseMetadata parses YAML or JSON. It passes only the lines of the needed fields to the YAML
// library, and accepts only scalars in these fields. Otherwise the time and memory of the library
// would grow with the square of the nesting depth, and exponentially with references.
func parseMetadata(b []byte) (m metadata, err error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		return parseJSON(b)
	}
	read := map[string]*string{"title": &m.Title, "alias": &m.Alias, "version": &m.Version, "issued": &m.Issued}
	lines := slices.Collect(bytes.Lines(b))
	for i := 0; i < len(lines); i++ {
		found := fieldStart.FindSubmatch(bytes.TrimRight(lines[i], "\r\n"))
		if found == nil {
			continue
		}
		name, text := string(found[1]), bytes.Clone(lines[i])
		for i+1 < len(lines) && (len(bytes.TrimSpace(lines[i+1])) == 0 || bytes.ContainsAny(lines[i+1][:1], " \t")) {
			i++
			text = append(text, lines[i]...)
			if len(text) > maxField {
				break
			}
		}
		to := read[name]
		if to == nil {
			continue // a repeated field or a later document
		}
		delete(read, name)
		if *to, err = parseField(text, len(found[0])); err != nil {
			return metadata{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return m, nil
}

// parseField parses a field. text has the lines of the field, and at is the offset of the value in
// text.
func parseField(text []byte, at int) (string, error) {
	if len(text) > maxField {
		return "", fmt.Errorf("more than %d bytes", maxField)
	}
	value, _, _ := bytes.Cut(text[at:], []byte("\n"))
	if len(bytes.TrimSpace(value)) == 0 {
		value, _, _ = bytes.Cut(bytes.TrimSpace(text[at:]), []byte("\n"))
	}
	value = bytes.TrimSpace(value)
	if quoted := bytes.ContainsAny(value[:min(1, len(value))], `"'`); !quoted && notScalar.Match(value) {
		return "", errors.New("no text; write it in quotation marks")
	}
	var one map[string]string
	if err := yaml.Unmarshal(text, &one); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	for _, v := range one {
		return strings.TrimSpace(v), nil
	}
	return "", nil
}

// parseJSON parses an object whose fields are strings or numbers.
func parseJSON(b []byte) (metadata, error) {
	var raw struct{ Title, Alias, Version, Issued json.RawMessage }
	if err := json.Unmarshal(b, &raw); err != nil {
		return metadata{}, fmt.Errorf("begins with { and is not JSON: %w", err)
	}
	text := func(v json.RawMessage) (s string) {
		if json.Unmarshal(v, &s) == nil || bytes.ContainsAny(v[:min(1, len(v))], "{[") {
			return s
		}
		return string(v) // a number
	}
	return metadata{text(raw.Title), text(raw.Alias), text(raw.Version), text(raw.Issued)}, nil
}
