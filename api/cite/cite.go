// Package cite writes references to papers and records in the formats of reference managers:
// BibTeX, RIS and CSL-JSON. It does not know the web pages or their languages. Begin with
// [Reference] and [Forms].
package cite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"bencao/internal/invisible"
	"bencao/names/han"
	"bencao/store"
)

// Form is a format of references.
type Form struct {
	// Name is the format's name for people. Word is its name in addresses of the API. End is the
	// extension of its files.
	Name, Word, End string
	// Media is the media type. Charset is the parameter that follows the media type in
	// Content-Type.
	Media, Charset string
}

// Forms lists all formats.
var Forms = []Form{
	{"BibTeX", "bibtex", "bib", "application/x-bibtex", "; charset=utf-8"},
	{"RIS", "ris", "ris", "application/x-research-info-systems", "; charset=utf-8"},
	{"CSL-JSON", "csl", "json", "application/vnd.citationstyles.csl+json", ""},
}

// FormOf returns the format that has word as its Word or End, and whether there is one.
func FormOf(word string) (Form, bool) {
	i := slices.IndexFunc(Forms, func(f Form) bool { return f.Word == word || f.End == word })
	if i < 0 {
		return Form{}, false
	}
	return Forms[i], true
}

// Write writes references to w in the format f.
func (f Form) Write(w io.Writer, all []Reference) error {
	var err error
	all = slices.Clone(all)
	for i, r := range all {
		all[i] = r.visible()
	}
	switch f.Word {
	case "bibtex":
		for _, r := range all {
			if _, err = io.WriteString(w, r.bibTeX()); err != nil {
				return err
			}
		}
	case "ris":
		for _, r := range all {
			if _, err = io.WriteString(w, r.ris()); err != nil {
				return err
			}
		}
	default:
		items := make([]item, len(all))
		for i, r := range all {
			items[i] = r.csl()
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(items)
	}
	return err
}

// Reference is a paper or record that is cited. Empty fields are not written.
type Reference struct {
	// ID identifies the reference within a file.
	ID string
	// Dataset marks a record of a data set, not a paper.
	Dataset bool
	Title   string
	Authors []string
	Source  string // journal, book or data set
	Year    string
	DOI     string
	PubMed  string
	URL     string
	// Version is the version of a data set.
	Version string
}

// Paper returns the reference of a paper.
func Paper(p *store.PaperSummary) Reference {
	return Reference{ID: p.ID, Title: string(p.Title), Authors: Authors(string(p.Authors)), Source: string(p.Source),
		Year: string(p.Year), DOI: DOI(string(p.DOI)), PubMed: string(p.PubMedID), URL: p.URL}
}

// DOI returns the DOI in text, without a prefix such as https://doi.org/, which some sources write
// before a DOI.
func DOI(text string) string {
	if i := strings.Index(text, "10."); i >= 0 {
		return text[i:]
	}
	return text
}

// Authors splits a list of authors at semicolons, or at commas if the list has no semicolon. A list
// with a single comma after a single Latin word is one author, with the family name before the
// comma: Tu, Youyou.
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
	if mark == "," && len(names) == 2 && !strings.Contains(names[0], " ") && !han.Has(list) {
		return []string{names[0] + ", " + names[1]}
	}
	return names
}

// visible returns r with invisible characters removed from its texts.
func (r Reference) visible() Reference {
	for _, text := range []*string{&r.ID, &r.Title, &r.Source, &r.Year, &r.DOI, &r.PubMed, &r.URL, &r.Version} {
		*text = invisible.Drop(*text)
	}
	r.Authors = slices.Clone(r.Authors)
	for i, name := range r.Authors {
		r.Authors[i] = invisible.Drop(name)
	}
	return r
}

// Words returns the reference as one line of a bibliography: authors, title, source and year,
// without those that are unknown. The line has no address.
func (r Reference) Words() string {
	source := []string{r.Source, r.Year}
	var parts []string
	for _, part := range []string{strings.Join(r.Authors, "; "), cmp.Or(r.Title, "[Title missing]"), strings.Join(slices.DeleteFunc(source, empty), ", ")} {
		if part != "" {
			parts = append(parts, strings.TrimSuffix(part, ".")+".")
		}
	}
	return strings.Join(parts, " ")
}

func empty(s string) bool { return s == "" }

// note returns a remark about the reference, or "".
func (r Reference) note() string {
	if r.Title == "" {
		return "The data give no title."
	}
	return ""
}

// field is a field of a reference: its name and its value.
type field struct{ name, value string }

// bibTeX returns the reference for BibTeX.
func (r Reference) bibTeX() string {
	kind, source := "article", "journal"
	if r.Dataset || r.Title == "" { // an article without a title is invalid
		kind, source = "misc", "howpublished"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@%s{%s", kind, key(r.ID))
	authors := make([]string, len(r.Authors))
	for i, a := range r.Authors {
		authors[i] = texEscape.Replace(a)
		if strings.Contains(a, " and ") {
			authors[i] = "{" + authors[i] + "}" // braces keep BibTeX from splitting a name without a comma
		}
	}
	title := texEscape.Replace(r.Title)
	if title != "" {
		title = "{" + title + "}" // braces keep the capitals of scientific names
	}
	for _, f := range []field{
		{"title", title}, {"author", strings.Join(authors, " and ")}, {source, texEscape.Replace(r.Source)}, {"year", texEscape.Replace(r.Year)},
		{"doi", verbatim.Replace(r.DOI)}, {"pmid", texEscape.Replace(r.PubMed)}, {"version", texEscape.Replace(r.Version)}, {"url", verbatim.Replace(r.URL)}, {"note", r.note()},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, ",\n  %s = {%s}", f.name, f.value)
		}
	}
	b.WriteString("\n}\n")
	return b.String()
}

// texEscape escapes the characters that are special in TeX.
var texEscape = strings.NewReplacer(`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `%`, `\%`, `&`, `\&`, `#`, `\#`, `$`, `\$`, `_`, `\_`,
	`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, "\r", " ", "\n", " ")

// verbatim escapes the characters that may not be in BibTeX fields such as doi and url. In these
// fields, programs do not interpret TeX.
var verbatim = strings.NewReplacer(`\`, "%5C", `{`, "%7B", `}`, "%7D", " ", "%20", "\r", "", "\n", "")

// key returns the BibTeX key of the reference with an id.
func key(id string) string {
	k := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, id)
	return "bencao-" + strings.Trim(k, "-")
}

// ris returns the reference in RIS.
func (r Reference) ris() string {
	kind := "JOUR"
	if r.Dataset {
		kind = "DATA"
	}
	lines := []field{{"TY", kind}, {"TI", r.Title}}
	for _, a := range r.Authors {
		lines = append(lines, field{"AU", a})
	}
	lines = append(lines, field{"T2", r.Source}, field{"PY", r.Year}, field{"DO", r.DOI}, field{"AN", r.PubMed}, field{"ET", r.Version}, field{"UR", r.URL}, field{"N1", r.note()})
	var b strings.Builder
	for _, f := range lines {
		if f.value != "" {
			b.WriteString(f.name + "  - " + strings.NewReplacer("\r", " ", "\n", " ").Replace(f.value) + "\r\n")
		}
	}
	b.WriteString("ER  - \r\n")
	return b.String()
}

// item is a reference in CSL-JSON.
type item struct {
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
	Note    string `json:"note,omitempty"`
}

type name struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

// nameOf splits an author at the comma into family and given name, if there is a comma.
func nameOf(author string) name {
	if family, given, ok := strings.Cut(author, ", "); ok {
		return name{Family: family, Given: given}
	}
	return name{Literal: author}
}

// date is the date of a reference. Parts is set if the date is a year, and Raw if it is any other
// text.
type date struct {
	Parts [][]int `json:"date-parts,omitempty"`
	Raw   string  `json:"raw,omitempty"`
}

func (r Reference) csl() item {
	c := item{ID: r.ID, Type: "article-journal", Title: r.Title, Source: r.Source, DOI: r.DOI, PMID: r.PubMed, URL: r.URL, Version: r.Version, Note: r.note()}
	if r.Dataset {
		c.Type = "dataset"
	}
	for _, a := range r.Authors {
		c.Authors = append(c.Authors, nameOf(a))
	}
	if r.Year != "" {
		if year, err := strconv.Atoi(r.Year); err == nil {
			c.Issued = &date{Parts: [][]int{{year}}}
		} else {
			c.Issued = &date{Raw: r.Year}
		}
	}
	return c
}
