// Package export writes a data package back, unchanged or in a format in which checklists are
// exchanged:
//
//	datapackage  every table and column; the indexer builds the same snapshot from it
//	dwca         Darwin Core Archive: accepted names, synonyms, Chinese names
//	coldp        Catalogue of Life Data Package: the same
//
// [Formats.Entries] returns the files of an export; [Formats.Save] writes all of them to a folder
// or a zip file, or none if an error occurs. The package knows nothing of snapshots. To add a
// format, add a [Format] to [Builtin], or, if it needs a library of its own, to the optional parts
// of cmd/bencao: package sqlite is one of these.
package export

import (
	"context"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/messages"
)

// Format is a format of exports.
type Format struct {
	Name string
	// Entries returns the files of a package. Nil stands for the files of the source.
	Entries func(*datapackage.Package) []archive.Entry
	// Files lists the names of all files that an export may have.
	Files []string
	// Extensions lists the endings of an output file, such as ".sqlite", that is to hold only the
	// first file of the export; empty if there are none.
	Extensions []string
}

// Formats lists the formats of a program, the default first.
type Formats []Format

// Builtin returns the formats of this package.
func Builtin() Formats {
	packageFiles := []string{"datapackage.json"}
	for _, t := range datapackage.Schema() {
		packageFiles = append(packageFiles, t.Name+".csv")
	}
	return Formats{
		{Name: "datapackage", Files: packageFiles},
		{Name: "dwca", Entries: darwinCore, Files: []string{"meta.xml", "eml.xml", taxonFile, vernacularFile}},
		{Name: "coldp", Entries: colDP, Files: []string{metadataFile, usageFile, coldpVernacularFile}},
	}
}

// Names returns the names of the formats.
func (f Formats) Names() []string {
	names := make([]string, len(f))
	for i := range f {
		names[i] = f[i].Name
	}
	return names
}

// Entries returns the files of an export in the named format. src is a data package that
// [datapackage.Write] wrote; it must stay open until the files are written.
func (f Formats) Entries(ctx context.Context, src *archive.Archive, name string) ([]archive.Entry, error) {
	i := slices.IndexFunc(f, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil, messages.Errorf("format %q: there is no such format; use %s", name, strings.Join(f.Names(), ", "))
	}
	if f[i].Entries == nil {
		return src.Entries(), nil
	}
	// The findings were reported when the package was indexed.
	p, err := datapackage.Read(ctx, src, datapackage.Options{}, &finding.Log{})
	if err != nil {
		return nil, err
	}
	return f[i].Entries(p), nil
}

// isExported reports whether an export may have a file of this name.
func (f Formats) isExported(file string) bool {
	return slices.ContainsFunc(f, func(f Format) bool { return slices.Contains(f.Files, file) })
}

// isSingle reports whether an output with this ending holds only the first of the entries.
func (f Formats) isSingle(extension string, entries []archive.Entry) bool {
	return len(entries) > 0 && slices.ContainsFunc(f, func(f Format) bool {
		return slices.Contains(f.Extensions, extension) && f.Files[0] == entries[0].Name
	})
}
