package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"strings"
)

// openZip opens a zip file that is in another file system.
func openZip(src fs.FS, name string) (fs.FS, error) {
	data, err := fs.ReadFile(src, name)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return z, nil
}

// readTabs reads a file of tab-separated values whose name does not end in .tsv.
func readTabs(from fs.FS, name string) ([]row, error) {
	f, err := from.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRows(name, tabs(f))
}

// metaXML returns the meta.xml of a Darwin Core Archive with one tab-separated file. The first
// column of the file is the taxon's identifier.
func metaXML(file string, terms []string) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">
  <core encoding="UTF-8" linesTerminatedBy="\n" fieldsTerminatedBy="\t" fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="http://rs.tdwg.org/dwc/terms/Taxon">
`)
	fmt.Fprintf(&b, "    <files><location>%s</location></files>\n    <id index=\"0\"/>\n", file)
	for i, term := range terms {
		fmt.Fprintf(&b, "    <field index=\"%d\" term=\"http://rs.tdwg.org/dwc/terms/%s\"/>\n", i, term)
	}
	b.WriteString("  </core>\n</archive>\n")
	return []byte(b.String())
}

// emlXML returns the eml.xml of an archive, with its title, date and licence.
func emlXML(id, title, date, licence string) []byte {
	return fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8"?>
<eml:eml xmlns:eml="eml://ecoinformatics.org/eml-2.1.1" packageId="%s" system="http://gbif.org">
  <dataset>
    <title>%s</title>
    <pubDate>%s</pubDate>
    <intellectualRights><para>%s</para></intellectualRights>
  </dataset>
</eml:eml>
`, id, title, date, licence)
}
