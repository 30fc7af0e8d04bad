package export

import (
	"cmp"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
)

const (
	taxonFile      = "taxon.txt"
	vernacularFile = "vernacularname.txt"
	factFile       = "fact.txt"
)

const (
	dwc  = "http://rs.tdwg.org/dwc/terms/"
	dc   = "http://purl.org/dc/terms/"
	gbif = "http://rs.gbif.org/terms/1.0/"
	obis = "http://rs.iobis.org/obis/terms/"
)

// These are the columns of the files. The first column is the id.
var (
	taxonTerms = []string{dwc + "taxonID", dwc + "acceptedNameUsageID", dwc + "scientificName", gbif + "canonicalName",
		dwc + "scientificNameAuthorship", dwc + "taxonRank", dwc + "taxonomicStatus", dwc + "nomenclaturalStatus",
		dwc + "kingdom", dwc + "family", dwc + "genus", dwc + "nomenclaturalCode", dc + "references", dc + "identifier"}
	vernacularTerms = []string{dwc + "taxonID", dwc + "vernacularName", dc + "language", gbif + "isPreferredName", dc + "source", dwc + "taxonRemarks"}
	factTerms       = []string{dwc + "taxonID", dwc + "measurementType", dwc + "measurementValue", obis + "measurementValueID",
		dwc + "measurementAccuracy", dwc + "measurementMethod", dwc + "measurementRemarks"}
)

// darwinCore returns the files of a Darwin Core Archive.
func darwinCore(p *Content) []archive.Entry {
	return append([]archive.Entry{
		{Name: "meta.xml", Write: writeMeta},
		{Name: "eml.xml", Write: func(w io.Writer) error { return writeEML(w, p) }},
		{Name: taxonFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row(labels(taxonTerms)...)
			for u := range usages(p) {
				status, nomenclatural := darwinCoreStatus(u)
				t.row(u.id, u.accepted, strings.TrimSpace(u.name+" "+u.author), u.name, u.author, u.rank, status, nomenclatural,
					u.kingdom, u.family, u.genus, code, u.address, strings.Join(u.identifiers, " | "))
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
		{Name: factFile, Write: func(w io.Writer) error {
			t := newTSV(w)
			t.row(labels(factTerms)...)
			for f := range facts(p) {
				t.row(f.taxon, f.kind, f.value, f.id, f.score, f.source, f.remarks)
			}
			return t.end()
		}},
	}, beside(p)...)
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

// labels returns the column headers: the last parts of the terms' URIs.
func labels(terms []string) []string {
	short := make([]string, len(terms))
	for i, t := range terms {
		short[i] = t[strings.LastIndexByte(t, '/')+1:]
	}
	return short
}

// fileMeta is the core or extension element of meta.xml.
type fileMeta struct {
	RowType string      `xml:"rowType,attr"`
	Coding  string      `xml:"encoding,attr"`
	Fields  string      `xml:"fieldsTerminatedBy,attr"`
	Lines   string      `xml:"linesTerminatedBy,attr"`
	Quote   string      `xml:"fieldsEnclosedBy,attr"`
	Headers int         `xml:"ignoreHeaderLines,attr"`
	File    string      `xml:"files>location"`
	ID      *fileColumn `xml:"id"`
	CoreID  *fileColumn `xml:"coreid"`
	Terms   []term      `xml:"field"`
}

type fileColumn struct {
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
		XMLName    xml.Name   `xml:"archive"`
		Namespace  string     `xml:"xmlns,attr"`
		Metadata   string     `xml:"metadata,attr"`
		Core       fileMeta   `xml:"core"`
		Extensions []fileMeta `xml:"extension"`
	}{
		Namespace: "http://rs.tdwg.org/dwc/text/", Metadata: "eml.xml",
		Core: newFileMeta(dwc+"Taxon", taxonFile, taxonTerms),
		Extensions: []fileMeta{
			newFileMeta(gbif+"VernacularName", vernacularFile, vernacularTerms),
			newFileMeta(obis+"ExtendedMeasurementOrFact", factFile, factTerms),
		},
	}
	doc.Core.ID = &fileColumn{0}
	for i := range doc.Extensions {
		e := &doc.Extensions[i]
		// The first column is the coreid; it has no term.
		e.CoreID, e.Terms = &fileColumn{0}, e.Terms[1:]
	}
	return writeXML(w, doc)
}

// creators returns the authors of the data. If there are none, it returns the contact.
func (c *Content) creators() []datapackage.Contributor {
	var found []datapackage.Contributor
	for _, k := range c.Contributors {
		if k.Role == "author" || k.Role == "" {
			found = append(found, k)
		}
	}
	if len(found) == 0 {
		found = append(found, c.Contact())
	}
	return found
}

// issued returns the date of the package, or else the date of the snapshot, or "" if neither is
// known.
func (c *Content) issued() string {
	if d := day(c.Created); d != "" {
		return d
	}
	if t, err := time.Parse("20060102", c.DataVersion[:min(8, len(c.DataVersion))]); err == nil {
		return t.Format(time.DateOnly)
	}
	return ""
}

// writeEML writes the package's metadata as EML. It writes the elements that the GBIF Metadata
// Profile 1.1 requires, in the order of its schema.
func writeEML(w io.Writer, p *Content) error {
	type person struct {
		Surname string `xml:"surName"`
	}
	type party struct {
		Person       *person `xml:"individualName"`
		Organization string  `xml:"organizationName,omitempty"`
		Email        string  `xml:"electronicMailAddress,omitempty"`
		URL          string  `xml:"onlineUrl,omitempty"`
	}
	type link struct {
		URL   string `xml:"url,attr"`
		Title string `xml:"citetitle"`
	}
	type paragraph struct {
		Text string `xml:",chardata"`
		Link *link  `xml:"ulink"`
	}
	type text struct {
		Paragraphs []paragraph `xml:"para"`
	}
	type rank struct {
		Name  string `xml:"taxonRankName"`
		Value string `xml:"taxonRankValue"`
	}
	type dataset struct {
		Identifier string  `xml:"alternateIdentifier,omitempty"`
		Title      string  `xml:"title"`
		Creators   []party `xml:"creator"`
		Provider   party   `xml:"metadataProvider"`
		PubDate    string  `xml:"pubDate,omitempty"`
		Language   string  `xml:"language"`
		Abstract   text    `xml:"abstract"`
		Rights     *text   `xml:"intellectualRights"`
		Coverage   rank    `xml:"coverage>taxonomicCoverage>taxonomicClassification"`
		Contact    party   `xml:"contact"`
	}
	partyOf := func(c datapackage.Contributor) party {
		if c.Organization == "" {
			return party{Organization: c.Title, Email: c.Email, URL: c.Path}
		}
		return party{Person: &person{c.Title}, Organization: c.Organization, Email: c.Email, URL: c.Path}
	}
	contact := partyOf(p.Contact())
	doc := struct {
		XMLName   xml.Name `xml:"eml:eml"`
		Namespace string   `xml:"xmlns:eml,attr"`
		Instance  string   `xml:"xmlns:xsi,attr"`
		Schema    string   `xml:"xsi:schemaLocation,attr"`
		PackageID string   `xml:"packageId,attr"`
		System    string   `xml:"system,attr"`
		Scope     string   `xml:"scope,attr"`
		Language  string   `xml:"xml:lang,attr"`
		Dataset   dataset  `xml:"dataset"`
	}{
		Namespace: "eml://ecoinformatics.org/eml-2.1.1", Instance: "http://www.w3.org/2001/XMLSchema-instance",
		Schema:    "eml://ecoinformatics.org/eml-2.1.1 http://rs.gbif.org/schema/eml-gbif-profile/1.1/eml.xsd",
		PackageID: cmp.Or(p.Name, "untitled"), System: "bencao", Scope: "system", Language: "en",
		Dataset: dataset{Identifier: p.DataVersion, Title: cmp.Or(p.Title, p.Name, "untitled"), Provider: contact, Contact: contact,
			PubDate: p.issued(), Language: "zho", Abstract: text{[]paragraph{{Text: p.Abstract()}}}, Coverage: rank{"kingdom", kingdom}},
	}
	for _, c := range p.creators() {
		doc.Dataset.Creators = append(doc.Dataset.Creators, partyOf(c))
	}
	if p.Version != "" {
		doc.PackageID += "/v" + strings.TrimPrefix(p.Version, "v")
	}
	if len(p.Licenses) > 0 {
		doc.Dataset.Rights = &text{}
	}
	for _, l := range p.Licenses {
		para := paragraph{Text: join(": ", l.Name, l.Title)}
		if l.Path != "" {
			para = paragraph{Text: "This work is licensed under ", Link: &link{l.Path, cmp.Or(join(": ", l.Name, l.Title), l.Path)}}
		}
		doc.Dataset.Rights.Paragraphs = append(doc.Dataset.Rights.Paragraphs, para)
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
