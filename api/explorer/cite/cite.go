// Package cite writes references to papers and records in the forms that
// reference managers read.
package cite

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Reference is what is cited. Empty fields are left out.
type Reference struct {
	// ID is what names it among others.
	ID string
	// Dataset says that it is a record of a data set and no paper.
	Dataset bool
	Title   string
	Authors []string
	Source  string // journal, book or data set
	Year    string
	DOI     string
	PubMed  string
	URL     string
	// Version is that of a data set.
	Version string
}

// Authors takes a list of authors apart: between semicolons, or else between
// commas.
func Authors(list string) []string {
	mark := ";"
	if !strings.ContainsAny(list, ";；") {
		mark = ","
	}
	var names []string
	for _, name := range strings.Split(strings.NewReplacer("；", ";", "，", ",", "、", ",").Replace(list), mark) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// field is a name and a value.
type field struct{ name, value string }

// BibTeX writes the reference for BibTeX.
func (r Reference) BibTeX() string {
	kind, source := "article", "journal"
	if r.Dataset {
		kind, source = "misc", "howpublished"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@%s{%s", kind, key(r.ID))
	for _, f := range []field{
		{"title", r.Title}, {"author", strings.Join(r.Authors, " and ")}, {source, r.Source}, {"year", r.Year},
		{"doi", r.DOI}, {"pmid", r.PubMed}, {"version", r.Version}, {"url", r.URL},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, ",\n  %s = {%s}", f.name, texEscape.Replace(f.value))
		}
	}
	b.WriteString("\n}\n")
	return b.String()
}

// texEscape keeps what TeX reads otherwise from being read so.
var texEscape = strings.NewReplacer(`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `%`, `\%`, `&`, `\&`, `#`, `\#`, `$`, `\$`, `_`, `\_`, "\r", " ", "\n", " ")

// key makes a key of BibTeX of an id.
func key(id string) string {
	k := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, id)
	return "bencao-" + strings.Trim(k, "-")
}

// RIS writes the reference for reference managers.
func (r Reference) RIS() string {
	kind := "JOUR"
	if r.Dataset {
		kind = "DATA"
	}
	lines := []field{{"TY", kind}, {"TI", r.Title}}
	for _, a := range r.Authors {
		lines = append(lines, field{"AU", a})
	}
	lines = append(lines, field{"T2", r.Source}, field{"PY", r.Year}, field{"DO", r.DOI}, field{"AN", r.PubMed}, field{"ET", r.Version}, field{"UR", r.URL})
	var b strings.Builder
	for _, f := range lines {
		if f.value != "" {
			b.WriteString(f.name + "  - " + strings.NewReplacer("\r", " ", "\n", " ").Replace(f.value) + "\r\n")
		}
	}
	b.WriteString("ER  - \r\n")
	return b.String()
}

// CSL writes the reference as an item of CSL-JSON.
func (r Reference) CSL() ([]byte, error) {
	type name struct {
		Literal string `json:"literal"`
	}
	type date struct {
		Raw string `json:"raw"`
	}
	item := struct {
		ID      string `json:"id"`
		Type    string `json:"type"`
		Title   string `json:"title,omitempty"`
		Authors []name `json:"author,omitempty"`
		Source  string `json:"container-title,omitempty"`
		Issued  *date  `json:"issued,omitempty"`
		DOI     string `json:"DOI,omitempty"`
		PMID    string `json:"PMID,omitempty"`
		URL     string `json:"URL,omitempty"`
		Version string `json:"version,omitempty"`
	}{ID: r.ID, Type: "article-journal", Title: r.Title, Source: r.Source, DOI: r.DOI, PMID: r.PubMed, URL: r.URL, Version: r.Version}
	if r.Dataset {
		item.Type = "dataset"
	}
	for _, a := range r.Authors {
		item.Authors = append(item.Authors, name{a})
	}
	if r.Year != "" {
		item.Issued = &date{r.Year}
	}
	return json.Marshal(item)
}
