package indexer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
)

// DatasetFile describes a snapshot for catalogues of data, in schema.org's vocabulary (JSON-LD).
// It does not contain the site's address, which the indexer does not know.
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

// linkedSource is a checklist that a snapshot was built with.
type linkedSource struct {
	Type    string `json:"@type"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// writeDataset writes [DatasetFile].
func (b *build) writeDataset() error {
	kept := func(table string) int { return b.pkg.Table(table).Kept }
	doc := linkedDataset{
		Context: "https://schema.org", Type: "Dataset",
		Name: cmp.Or(b.pkg.Title, b.pkg.Name, "Bencao"), Version: b.pkg.Version, Created: b.pkg.Created,
		Credit: b.pkg.Citation(), Languages: []string{"zh", "la", "en"},
		Description: fmt.Sprintf("Plant species, historical Chinese formulas, papers and plant uses: %d species with %d synonyms, %d formulas, %d papers and %d recorded uses.",
			kept("species"), kept("synonyms"), kept("formulas"), kept("papers"), kept("uses")),
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
