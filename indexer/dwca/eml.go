package dwca

import (
	"encoding/xml"
	"io"
	"path"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
)

// eml holds the fields of an archive's metadata that this program reads, in the Ecological Metadata
// Language.
type eml struct {
	PackageID string `xml:"packageId,attr"`
	Title     string `xml:"dataset>title"`
	PubDate   string `xml:"dataset>pubDate"`
}

// checklistMeta returns the archive's metadata. The version is taken from the end of the package
// id, as in ".../v37.15". If the package id has none, the version is the publication date, or else
// the modification date of the core file.
func checklistMeta(src *archive.Archive, m *meta, core string) checklist.Meta {
	e := readEML(src, m)
	out := checklist.Meta{Name: strings.Join(strings.Fields(e.Title), " "), Format: "Darwin Core Archive"}
	if i := strings.LastIndex(e.PackageID, "/v"); i >= 0 {
		out.Version = e.PackageID[i+1:]
	}
	if out.Version == "" {
		out.Version = strings.TrimSpace(e.PubDate)
	}
	if t := src.Modified(core); out.Version == "" && !t.IsZero() {
		out.Version = t.UTC().Format("2006-01-02")
	}
	return out
}

// readEML reads the metadata. If the metadata is missing or unreadable, readEML returns the zero
// value: the list has no name but can still be used.
func readEML(src *archive.Archive, m *meta) eml {
	name := path.Join(m.dir, m.Metadata)
	if m.Metadata == "" || !src.Has(name) {
		var ok bool
		if name, ok = src.Find("eml.xml"); !ok {
			return eml{}
		}
	}
	f, err := src.Open(name)
	if err != nil {
		return eml{}
	}
	defer f.Close()
	var e eml
	if xml.NewDecoder(io.LimitReader(f, maxXML)).Decode(&e) != nil {
		return eml{}
	}
	return e
}
