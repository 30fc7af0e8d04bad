package export

import (
	"cmp"
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
)

const (
	taxonFile      = "taxon.txt"
	vernacularFile = "vernacularname.txt"
)

const (
	dwc  = "http://rs.tdwg.org/dwc/terms/"
	dc   = "http://purl.org/dc/terms/"
	gbif = "http://rs.gbif.org/terms/1.0/"
)

// The columns of the two files; the first is the id.
var (
	taxonTerms = []string{dwc + "taxonID", dwc + "acceptedNameUsageID", dwc + "scientificName", gbif + "canonicalName",
		dwc + "scientificNameAuthorship", dwc + "taxonRank", dwc + "taxonomicStatus", dwc + "nomenclaturalStatus",
		dwc + "family", dwc + "genus", dc + "references"}
	vernacularTerms = []string{dwc + "taxonID", dwc + "vernacularName", dc + "language", gbif + "isPreferredName", dc + "source", dwc + "taxonRemarks"}
)

// darwinCore returns the files of a Darwin Core Archive.
func darwinCore(p *datapackage.Package) []archive.Entry {
	return []archive.Entry{
		{Name: "meta.xml", Write: writeMeta},
		{Name: "eml.xml", Write: func(w io.Writer) error { return writeEML(w, p) }},
		{Name: taxonFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row(labels(taxonTerms)...)
			for u := range usages(p) {
				status, nomenclatural := darwinCoreStatus(u)
				t.row(u.id, u.accepted, strings.TrimSpace(u.name+" "+u.author), u.name, u.author, u.rank, status, nomenclatural, u.family, u.genus, u.address)
			}
			return t.end()
		}},
		{Name: vernacularFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row(labels(vernacularTerms)...)
			for v := range vernaculars(p) {
				language := ""
				if v.chinese {
					language = "zh"
				}
				t.row(v.taxon, v.name, language, strconv.FormatBool(v.preferred), v.source, v.kind)
			}
			return t.end()
		}},
	}
}

// darwinCoreStatus returns the taxonomic and the nomenclatural status of a name.
func darwinCoreStatus(u usage) (taxonomic, nomenclatural string) {
	switch {
	case u.accepted == "":
		return "accepted", ""
	case u.status == "orthographic":
		return "synonym", "orthographic"
	case u.status == "misapplied":
		return "misapplied", ""
	case u.status == "homotypic", u.status == "heterotypic", u.status == "pro parte":
		return u.status + " synonym", ""
	}
	return "synonym", ""
}

// labels returns the column headers: the last parts of the terms' addresses.
func labels(terms []string) []string {
	short := make([]string, len(terms))
	for i, t := range terms {
		short[i] = t[strings.LastIndexByte(t, '/')+1:]
	}
	return short
}

// fileMeta is the core or extension element of meta.xml.
type fileMeta struct {
	RowType string  `xml:"rowType,attr"`
	Coding  string  `xml:"encoding,attr"`
	Fields  string  `xml:"fieldsTerminatedBy,attr"`
	Lines   string  `xml:"linesTerminatedBy,attr"`
	Quote   string  `xml:"fieldsEnclosedBy,attr"`
	Headers int     `xml:"ignoreHeaderLines,attr"`
	File    string  `xml:"files>location"`
	ID      *column `xml:"id"`
	CoreID  *column `xml:"coreid"`
	Terms   []term  `xml:"field"`
}

type column struct {
	Index int `xml:"index,attr"`
}

type term struct {
	Index int    `xml:"index,attr"`
	Term  string `xml:"term,attr"`
}

func newFileMeta(rowType, file string, terms []string) fileMeta {
	m := fileMeta{RowType: rowType, Coding: "UTF-8", Fields: `\t`, Lines: `\n`, Headers: 1, File: file}
	for i, t := range terms {
		m.Terms = append(m.Terms, term{i, t})
	}
	return m
}

// writeMeta writes meta.xml, which defines the columns.
func writeMeta(w io.Writer) error {
	doc := struct {
		XMLName   xml.Name `xml:"archive"`
		Namespace string   `xml:"xmlns,attr"`
		Metadata  string   `xml:"metadata,attr"`
		Core      fileMeta `xml:"core"`
		Extension fileMeta `xml:"extension"`
	}{
		Namespace: "http://rs.tdwg.org/dwc/text/", Metadata: "eml.xml",
		Core:      newFileMeta(dwc+"Taxon", taxonFile, taxonTerms),
		Extension: newFileMeta(gbif+"VernacularName", vernacularFile, vernacularTerms),
	}
	doc.Core.ID, doc.Extension.CoreID = &column{0}, &column{0}
	// The extension's first column is the coreid; it has no term.
	doc.Extension.Terms = doc.Extension.Terms[1:]
	return writeXML(w, doc)
}

// writeEML writes the package's metadata as EML. EML requires a creator, which a data package does
// not have; its title is used instead.
func writeEML(w io.Writer, p *datapackage.Package) error {
	type party struct {
		Organization string `xml:"organizationName"`
	}
	type rights struct {
		Paragraphs []string `xml:"para"`
	}
	type dataset struct {
		Title    string  `xml:"title"`
		Creator  party   `xml:"creator"`
		Provider party   `xml:"metadataProvider"`
		PubDate  string  `xml:"pubDate,omitempty"`
		Rights   *rights `xml:"intellectualRights"`
		Contact  party   `xml:"contact"`
	}
	title := cmp.Or(p.Title, p.Name, "untitled")
	doc := struct {
		XMLName   xml.Name `xml:"eml:eml"`
		Namespace string   `xml:"xmlns:eml,attr"`
		PackageID string   `xml:"packageId,attr"`
		System    string   `xml:"system,attr"`
		Dataset   dataset  `xml:"dataset"`
	}{
		Namespace: "eml://ecoinformatics.org/eml-2.1.1", PackageID: cmp.Or(p.Name, "untitled"), System: "bencao",
		Dataset: dataset{Title: title, Creator: party{title}, Provider: party{title}, Contact: party{title}, PubDate: day(p.Created)},
	}
	if p.Version != "" {
		doc.PackageID += "/v" + strings.TrimPrefix(p.Version, "v")
	}
	if len(p.Licenses) > 0 {
		doc.Dataset.Rights = &rights{}
	}
	for _, l := range p.Licenses {
		doc.Dataset.Rights.Paragraphs = append(doc.Dataset.Rights.Paragraphs, strings.Join(strings.Fields(l.Name+" "+l.Title+" "+l.Path), " "))
	}
	return writeXML(w, doc)
}

func writeXML(w io.Writer, doc any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
