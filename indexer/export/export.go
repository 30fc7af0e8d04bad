// Package export gives a data package back, as it is or in the formats in which
// checklists are exchanged:
//
//	datapackage  every table and column; the indexer makes the same snapshot of it
//	dwca         Darwin Core Archive: names and their synonyms, Chinese names
//	coldp        Catalogue of Life Data Package: the same
//	sqlite       every table and column in one file, for SQL and Datasette
//
// [Entries] says which files an export has, [Save] writes them into a folder or
// a zip, whole or not at all. The package knows nothing of snapshots.
package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
)

// format is a way to write a package.
type format struct {
	name string
	// entries makes files of a package; nil takes those of the source.
	entries func(*datapackage.Package) []archive.Entry
	files   []string
}

// formats lists all formats, the usual one first.
var formats = []format{
	{"datapackage", nil, packageFiles()},
	{"dwca", darwinCore, []string{"meta.xml", "eml.xml", taxonFile, vernacularFile}},
	{"coldp", colDP, []string{metadataFile, usageFile, coldpVernacularFile}},
	{"sqlite", sqlite, []string{databaseFile, datasetteFile}},
}

// Formats are the names of all formats, the usual one first.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Entries are the files of an export. The source is a data package that
// [datapackage.Write] wrote, and must stay open until they are written.
func Entries(ctx context.Context, src *archive.Archive, name string) ([]archive.Entry, error) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("format %q: there is no such format; use %s", name, strings.Join(Formats(), ", "))
	}
	if formats[i].entries == nil {
		return src.Entries(), nil
	}
	// What could be warned of has been, when the package was read first.
	p, err := datapackage.Read(ctx, src, datapackage.Options{}, &finding.Log{})
	if err != nil {
		return nil, err
	}
	return formats[i].entries(p), nil
}

// packageFiles are the files that a data package may have.
func packageFiles() []string {
	files := []string{"datapackage.json"}
	for _, t := range datapackage.Schema() {
		files = append(files, t.Name+".csv")
	}
	return files
}

// writes tells whether an export may have a file of this name.
func writes(file string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return slices.Contains(f.files, file) })
}
