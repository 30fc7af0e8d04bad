// Package export writes a data package back, unchanged or in a format for exchanging checklists:
//
//	datapackage  every table and column; the indexer builds the same snapshot from it
//	dwca         Darwin Core Archive: accepted names, synonyms, Chinese names
//	coldp        Catalogue of Life Data Package: the same
//
// All formats but datapackage also contain the data that the indexer computed: accepted names,
// links, similar formulas and herbs (computed.go). [Formats.Entries] returns the files of an
// export. [Formats.Save] writes all files to a folder or a zip file. If an error occurs, Save
// leaves no files. The package does not know snapshots.
//
// To add a format, add a [Format] to [Builtin]. A format that needs a library has a package of its
// own, as package sqlite, and cmd/bencao adds it.
package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/store"
)

// Format is a format of exports.
type Format struct {
	Name string
	// Entries returns the files of an export.
	Entries func(*Content) []archive.Entry
	// Verbatim means that an export in this format, if it has no computed tables, has the same
	// files as the source.
	Verbatim bool
	// Files lists the names of all files that an export in this format may have.
	Files []string
	// Extensions lists file name extensions such as ".sqlite". If the name of the output has one of
	// them, the output is only the first file of the export.
	Extensions []string
}

// Source holds the data to export.
type Source struct {
	// Package is the data package of a snapshot. It must stay open until the files are written.
	Package *archive.Archive
	// Store has the computed records of the same snapshot. If it is nil, the computed tables are
	// empty.
	Store *store.Tx
	// Taxa has what the checklists say about the species. If it is nil, the table of distribution is
	// empty.
	Taxa *store.Taxa
	// DataVersion is the version of the snapshot, as the API returns it.
	DataVersion string
	Checklists  []Checklist
}

// Checklist is a checklist with which the names were compared.
type Checklist struct{ Name, Version string }

// Content is the content of an export: the package and the computed records.
type Content struct {
	*datapackage.Package
	DataVersion string
	Checklists  []Checklist
	// records are the computed records, by GUID.
	records *computed
}

// Abstract returns the package's description, or a text with the counts of its rows.
func (c *Content) Abstract() string {
	if c.Description != "" {
		return c.Description
	}
	text := c.Contents()
	if lists := c.checklists(); lists != "" {
		text += " Accepted names follow " + lists + "."
	}
	return text
}

// checklists returns the names and versions of the checklists, separated by semicolons.
func (c *Content) checklists() string {
	var all []string
	for _, l := range c.Checklists {
		all = append(all, strings.TrimSpace(l.Name+" "+l.Version))
	}
	return strings.Join(all, "; ")
}

// Metadata returns names and values that describe the data. It leaves out empty values.
func (c *Content) Metadata() [][2]string {
	license, address := c.License()
	contact := c.Contact()
	all := [][2]string{
		{"name", c.Name}, {"title", c.Title}, {"version", c.Version}, {"created", c.Created}, {"data_version", c.DataVersion},
		{"abstract", c.Abstract()}, {"checklists", c.checklists()},
		{"contact", join(", ", contact.Title, contact.Organization, contact.Email, contact.Path)},
		{"license", license}, {"license_url", address}, {"citation", c.Citation()},
		{"kingdom", kingdom}, {"nomenclatural_code", code},
	}
	return slices.DeleteFunc(all, func(kv [2]string) bool { return kv[1] == "" })
}

// These are the kingdom of all species except fungi, and the code that governs their names.
const (
	kingdom = "Plantae"
	code    = "ICN"
)

// Formats lists the formats of a program, the default first.
type Formats []Format

// Builtin returns the formats of this package.
func Builtin() Formats {
	packageFiles := []string{"datapackage.json"}
	for _, t := range datapackage.Schema() {
		packageFiles = append(packageFiles, t.Name+".csv")
	}
	for _, t := range computedTables {
		packageFiles = append(packageFiles, t.Name+".csv")
	}

	return Formats{
		{Name: "datapackage", Entries: func(c *Content) []archive.Entry { return c.Package.Entries() }, Verbatim: true, Files: packageFiles},
		{Name: "dwca", Entries: darwinCore, Files: append([]string{"meta.xml", "eml.xml", taxonFile, vernacularFile, factFile}, besideFiles...)},
		{Name: "coldp", Entries: colDP, Files: append([]string{metadataFile, usageFile, coldpVernacularFile, propertyFile}, besideFiles...)},
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

// Entries returns the files of an export in the named format.
func (f Formats) Entries(ctx context.Context, src Source, name string) ([]archive.Entry, error) {
	i := slices.IndexFunc(f, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("format %q: there is no such format; use %s", name, strings.Join(f.Names(), ", "))
	}
	if f[i].Verbatim && src.Store == nil {
		return slices.DeleteFunc(src.Package.Entries(), func(e archive.Entry) bool { return strings.HasPrefix(e.Name, datapackage.DerivedFolder) }), nil
	}
	// Drop the findings, which were reported when the package was indexed.
	p, err := datapackage.Read(ctx, src.Package, datapackage.Options{}, &finding.Log{})
	if err != nil {
		return nil, err
	}
	c := &Content{Package: p, DataVersion: src.DataVersion, Checklists: src.Checklists}
	if c.records, err = compute(ctx, src.Store, src.Taxa, p); err != nil {
		return nil, err
	}
	return f[i].Entries(c), nil
}

// isExported reports whether an export may contain a file of this name.
func (f Formats) isExported(file string) bool {
	return slices.ContainsFunc(f, func(f Format) bool { return slices.Contains(f.Files, file) })
}

// isSingle reports whether an output file with this extension contains only the first of the
// entries.
func (f Formats) isSingle(extension string, entries []archive.Entry) bool {
	return len(entries) > 0 && slices.ContainsFunc(f, func(f Format) bool {
		return slices.Contains(f.Extensions, extension) && f.Files[0] == entries[0].Name
	})
}
