package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
)

const (
	usageFile           = "NameUsage.tsv"
	coldpVernacularFile = "VernacularName.tsv"
	metadataFile        = "metadata.yaml"
)

// colDP returns the files of a Catalogue of Life Data Package.
func colDP(p *datapackage.Package) []archive.Entry {
	return []archive.Entry{
		{Name: metadataFile, Write: func(w io.Writer) error { return writeMetadata(w, p) }},
		{Name: usageFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row("col:ID", "col:parentID", "col:status", "col:scientificName", "col:authorship", "col:rank", "col:family", "col:genus", "col:link", "col:remarks")
			for u := range usages(p) {
				status, remark := colDPStatus(u)
				t.row(u.id, u.accepted, status, u.name, u.author, u.rank, u.family, u.genus, u.address, remark)
			}
			return t.end()
		}},
		{Name: coldpVernacularFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row("col:taxonID", "col:name", "col:transliteration", "col:language", "col:preferred", "col:remarks")
			for v := range vernaculars(p) {
				language := ""
				if v.chinese {
					language = "zho"
				}
				t.row(v.taxon, v.name, v.pinyin, language, strconv.FormatBool(v.preferred), join("; ", v.kind, v.source))
			}
			return t.end()
		}},
	}
}

// colDPStatus returns the ColDP status of a name. The remark is the original status if ColDP's is
// less precise.
func colDPStatus(u usage) (status, remark string) {
	switch {
	case u.accepted == "":
		return "accepted", ""
	case u.status == "misapplied", u.status == "synonym":
		return u.status, ""
	case u.status == "pro parte":
		return "ambiguous synonym", u.status
	}
	return "synonym", u.status
}

// join joins the parts that are not empty.
func join(sep string, parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p != "" && b.Len() > 0 {
			b.WriteString(sep)
		}
		b.WriteString(p)
	}
	return b.String()
}

// writeMetadata writes the package's metadata as YAML. JSON strings are valid YAML strings.
func writeMetadata(w io.Writer, p *datapackage.Package) error {
	license := ""
	if len(p.Licenses) > 0 {
		license = cmp.Or(p.Licenses[0].Name, p.Licenses[0].Path, p.Licenses[0].Title)
	}
	for _, line := range []struct{ key, value string }{
		{"title", cmp.Or(p.Title, p.Name, "untitled")},
		{"alias", p.Name},
		{"version", p.Version},
		{"issued", day(p.Created)},
		{"license", license},
	} {
		if line.value == "" {
			continue
		}
		value, err := json.Marshal(line.value)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", line.key, value); err != nil {
			return err
		}
	}
	return nil
}
