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
	propertyFile        = "TaxonProperty.tsv"
	metadataFile        = "metadata.yaml"
)

// colDP returns the files of a Catalogue of Life Data Package.
func colDP(p *Content) []archive.Entry {
	return append([]archive.Entry{
		{Name: metadataFile, Write: func(w io.Writer) error { return writeMetadata(w, p) }},
		{Name: usageFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row("col:ID", "col:parentID", "col:status", "col:scientificName", "col:authorship", "col:rank", "col:kingdom", "col:family", "col:genus", "col:code", "col:link", "col:alternativeID", "col:remarks")
			for u := range usages(p) {
				status, remark := colDPStatus(u)
				t.row(u.id, u.accepted, status, u.name, u.author, u.rank, u.kingdom, u.family, u.genus, code, u.address, strings.Join(u.identifiers, ","), remark)
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
		{Name: propertyFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row("col:taxonID", "col:property", "col:value", "col:remarks")
			for f := range facts(p) {
				score := ""
				if f.score != "" {
					score = "score " + f.score
				}
				t.row(f.taxon, f.kind, f.value, join("; ", f.id, f.source, score, f.remarks))
			}
			return t.end()
		}},
	}, beside(p)...)
}

// colDPStatus returns the ColDP status of a name. If ColDP has no equally precise status, remark is
// the name's original status.
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

// writeMetadata writes the package's metadata. The file is YAML, but written as JSON, which every
// YAML reader understands.
func writeMetadata(w io.Writer, p *Content) error {
	type agent struct {
		Organisation string `json:"organisation,omitempty"`
		Family       string `json:"family,omitempty"`
		Email        string `json:"email,omitempty"`
		URL          string `json:"url,omitempty"`
	}
	type source struct {
		Title   string `json:"title"`
		Version string `json:"version,omitempty"`
	}
	agentOf := func(c datapackage.Contributor) agent {
		if c.Organization == "" {
			return agent{Organisation: c.Title, Email: c.Email, URL: c.Path}
		}
		return agent{Organisation: c.Organization, Family: c.Title, Email: c.Email, URL: c.Path}
	}
	var creators []agent
	for _, c := range p.creators() {
		creators = append(creators, agentOf(c))
	}
	var sources []source
	for _, l := range p.Checklists {
		sources = append(sources, source{Title: l.Name, Version: l.Version})
	}
	license := ""
	if len(p.Licenses) > 0 {
		license = cmp.Or(p.Licenses[0].Name, p.Licenses[0].Path, p.Licenses[0].Title)
	}
	for _, line := range []struct {
		key   string
		value any
		empty bool
	}{
		{"title", cmp.Or(p.Title, p.Name, "untitled"), false},
		{"alias", p.Name, p.Name == ""},
		{"description", p.Abstract(), false},
		{"version", cmp.Or(p.Version, p.DataVersion), p.Version == "" && p.DataVersion == ""},
		{"issued", p.issued(), p.issued() == ""},
		{"contact", agentOf(p.Contact()), false},
		{"creator", creators, false},
		{"taxonomicScope", kingdom, false},
		{"url", p.Homepage, p.Homepage == ""},
		{"license", license, license == ""},
		{"source", sources, len(sources) == 0},
		{"notes", "Nomenclatural code: " + code + ". Data version: " + p.DataVersion, p.DataVersion == ""},
	} {
		if line.empty {
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
