package indexer

import (
	"cmp"
	"encoding/json"
	"os"

	"bencao/indexer/datapackage"
)

// DatasetFile describes a snapshot for data catalogues, in schema.org's vocabulary (JSON-LD). The
// description lacks the site's address, which the indexer does not know.
const DatasetFile = "dataset.jsonld"

// linkedDataset is a Dataset of schema.org.
type linkedDataset struct {
	Context     string         `json:"@context"`
	Type        string         `json:"@type"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Version     string         `json:"version,omitempty"`
	Created     string         `json:"dateCreated,omitempty"`
	Licenses    []string       `json:"license,omitempty"`
	Credit      string         `json:"creditText"`
	Languages   []string       `json:"inLanguage"`
	BasedOn     []linkedSource `json:"isBasedOn,omitempty"`
}

// linkedSource is a checklist from which a snapshot was built.
type linkedSource struct {
	Type    string `json:"@type"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// writeDataset writes [DatasetFile].
func (b *build) writeDataset() error {
	doc := linkedDataset{
		Context: "https://schema.org", Type: "Dataset",
		Name: cmp.Or(b.pkg.Title, b.pkg.Name, "Bencao"), Version: b.pkg.Version, Created: b.pkg.Created,
		Credit: b.pkg.Citation(), Languages: []string{"zh", "la", "en"}, Description: b.pkg.Contents(),
	}
	for _, l := range b.pkg.Licenses {
		doc.Licenses = append(doc.Licenses, cmp.Or(l.Path, l.Name))
	}
	for _, s := range b.sources.all[1:] { // all[0] is the package
		doc.BasedOn = append(doc.BasedOn, linkedSource{"Dataset", s.Name, s.Version})
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(b.path(DatasetFile), append(text, '\n'), 0o644)
}

// croissantFile describes the tables of a snapshot's package in the vocabulary of Croissant.
// Programs can load the data from this description.
const croissantFile = "croissant.json"

// croissantContext maps the terms of Croissant 1.0 that this program uses.
const croissantContext = `{"@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/", "cr": "http://mlcommons.org/croissant/",
  "dct": "http://purl.org/dc/terms/", "citeAs": "cr:citeAs", "column": "cr:column", "conformsTo": "dct:conformsTo",
  "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "extract": "cr:extract", "field": "cr:field", "fileObject": "cr:fileObject",
  "key": "cr:key", "recordSet": "cr:recordSet", "references": "cr:references", "source": "cr:source"}`

type object = map[string]any

// croissantTypes maps types of the Table Schema to types of Croissant.
var croissantTypes = map[string]string{"string": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}

// writeCroissant writes [croissantFile]. sum is the SHA-256 of the package.
func (b *build) writeCroissant(sum string) error {
	text, err := os.ReadFile(b.path(DatasetFile))
	if err != nil {
		return err
	}
	var doc object // schema.org fields and the package's own fields in one object
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	doc["@context"], doc["@type"] = json.RawMessage(croissantContext), "sc:Dataset"
	doc["conformsTo"] = "http://mlcommons.org/croissant/1.0"
	doc["citeAs"] = doc["creditText"]
	if b.pkg.Created != "" {
		doc["datePublished"] = b.pkg.Created
	}
	if b.pkg.Homepage != "" {
		doc["url"] = b.pkg.Homepage
	}
	id := func(s string) object { return object{"@id": s} }
	files := []object{{"@type": "cr:FileObject", "@id": PackageFile, "name": PackageFile, "contentUrl": PackageFile, "encodingFormat": "application/zip", "sha256": sum}}
	var tables []object
	for _, t := range datapackage.Schema() {
		if !b.pkg.Table(t.Name).Present {
			continue
		}
		file := t.Name + ".csv"
		files = append(files, object{"@type": "cr:FileObject", "@id": file, "name": file, "contentUrl": file, "containedIn": id(PackageFile), "encodingFormat": "text/csv"})
		var fields, key []object
		for _, c := range t.Columns {
			f := object{"@type": "cr:Field", "@id": t.Name + "/" + c.Name, "name": c.Name, "dataType": croissantTypes[c.Type],
				"source": object{"fileObject": id(file), "extract": object{"column": c.Name}}}
			for _, r := range t.References {
				if r.Column == c.Name && b.pkg.Table(r.Table).Present {
					f["references"] = object{"field": id(r.Table + "/" + r.To)}
				}
			}
			fields = append(fields, f)
		}
		for _, c := range t.PrimaryKey {
			key = append(key, id(t.Name+"/"+c))
		}
		set := object{"@type": "cr:RecordSet", "@id": t.Name, "name": t.Name, "field": fields}
		if key != nil {
			set["key"] = key
		}
		tables = append(tables, set)
	}
	doc["distribution"], doc["recordSet"] = files, tables
	if text, err = json.MarshalIndent(doc, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(b.path(croissantFile), append(text, '\n'), 0o644)
}
