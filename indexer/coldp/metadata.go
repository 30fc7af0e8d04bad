package coldp

import (
	"errors"
	"fmt"
	"io"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"

	"github.com/goccy/go-yaml"
)

// maxMetadata is how many bytes of metadata are read.
const maxMetadata = 1 << 20

// metadata is what we read of a metadata.yaml.
type metadata struct {
	Title   string `yaml:"title"`
	Alias   string `yaml:"alias"`
	Version string `yaml:"version"`
	Issued  string `yaml:"issued"`
}

// about is what the package says of itself: title or alias, and version, day
// of issue or the day on which its names were written.
func about(src *archive.Archive) (checklist.Meta, error) {
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

// readMetadata reads metadata.yaml or metadata.json, which is YAML too. A
// package without one has no name of its own.
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
			Hint: "mend it, or take it out and give name and version in the configuration"}
	}
	b, err := io.ReadAll(io.LimitReader(f, maxMetadata+1))
	if err != nil {
		return metadata{}, fmt.Errorf("read %s: %w", file, err)
	}
	if len(b) > maxMetadata {
		return refuse(fmt.Sprintf("more than %d bytes", maxMetadata))
	}
	var m metadata
	if err := yaml.Unmarshal(b, &m); err != nil && !errors.Is(err, io.EOF) {
		return refuse("not readable as YAML: " + err.Error())
	}
	return m, nil
}
