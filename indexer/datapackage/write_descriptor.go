package datapackage

import (
	"encoding/json"
	"io"
	"slices"
)

// The types below define the datapackage.json that this program writes. This program and other
// tools for Frictionless Data Packages read it.
type (
	writtenPackage struct {
		Profile      string            `json:"profile"`
		Name         string            `json:"name,omitempty"`
		Title        string            `json:"title,omitempty"`
		Description  string            `json:"description,omitempty"`
		Homepage     string            `json:"homepage,omitempty"`
		Version      string            `json:"version,omitempty"`
		Created      string            `json:"created,omitempty"`
		Licenses     []writtenLicense  `json:"licenses,omitempty"`
		Contributors []Contributor     `json:"contributors,omitempty"`
		Resources    []writtenResource `json:"resources"`
	}
	writtenLicense struct {
		Name  string `json:"name,omitempty"`
		Title string `json:"title,omitempty"`
		Path  string `json:"path,omitempty"`
	}
	writtenResource struct {
		Profile   string         `json:"profile"`
		Name      string         `json:"name"`
		Computed  bool           `json:"computed,omitempty"`
		Path      string         `json:"path"`
		Format    string         `json:"format"`
		MediaType string         `json:"mediatype"`
		Encoding  string         `json:"encoding"`
		Dialect   writtenDialect `json:"dialect"`
		Schema    writtenSchema  `json:"schema"`
	}
	writtenDialect struct {
		Delimiter      string `json:"delimiter"`
		LineTerminator string `json:"lineTerminator"`
	}
	writtenSchema struct {
		Fields        []writtenField      `json:"fields"`
		MissingValues []string            `json:"missingValues"`
		PrimaryKey    []string            `json:"primaryKey,omitempty"`
		ForeignKeys   []writtenForeignKey `json:"foreignKeys,omitempty"`
	}
	writtenField struct {
		Name        string              `json:"name"`
		Type        string              `json:"type"`
		Constraints *writtenConstraints `json:"constraints,omitempty"`
	}
	writtenConstraints struct {
		Required bool `json:"required,omitempty"`
		Unique   bool `json:"unique,omitempty"`
	}
	writtenForeignKey struct {
		Fields    string           `json:"fields"`
		Reference writtenReference `json:"reference"`
	}
	writtenReference struct {
		Resource string `json:"resource"`
		Fields   string `json:"fields"`
	}
)

// describe writes datapackage.json. It leaves out the vocabularies, since unknown words only give a
// warning.
func (p *Package) describe(w io.Writer) error {
	out := writtenPackage{Profile: "tabular-data-package", Name: p.Name, Title: p.Title, Description: p.Description, Homepage: p.Homepage,
		Version: p.Version, Created: p.Created, Contributors: p.Contributors}
	for _, l := range p.Licenses {
		out.Licenses = append(out.Licenses, writtenLicense(l))
	}
	add := func(s TableSchema, delimiter rune, computed bool) {
		out.Resources = append(out.Resources, writtenResource{
			Profile: "tabular-data-resource", Name: s.Name, Path: fileOf(s.Name), Format: "csv", MediaType: "text/csv", Encoding: "utf-8",
			Computed: computed, Dialect: writtenDialect{Delimiter: string(delimiter), LineTerminator: "\n"}, Schema: s.written(),
		})
	}
	for _, t := range tables {
		if at := p.Table(t.name); at.Present {
			add(t.schema, t.delimiter(p), at.Computed)
		}
	}
	for _, t := range p.Computed {
		add(t.TableSchema, ',', true)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// written returns the schema in Frictionless' notation.
func (s TableSchema) written() writtenSchema {
	unique := map[string]bool{}
	for _, columns := range s.Unique {
		if len(columns) == 1 {
			unique[columns[0]] = true
		}
	}
	out := writtenSchema{MissingValues: []string{""}, PrimaryKey: s.PrimaryKey}
	for _, c := range s.Columns {
		if c.Present && slices.Contains(s.PrimaryKey, c.Name) {
			out.PrimaryKey = nil // in Frictionless, cells of a primary key must not be empty
		}
		f := writtenField{Name: c.Name, Type: c.Type}
		if c.Required || unique[c.Name] {
			f.Constraints = &writtenConstraints{Required: c.Required, Unique: unique[c.Name]}
		}
		out.Fields = append(out.Fields, f)
	}
	for _, r := range s.References {
		out.ForeignKeys = append(out.ForeignKeys, writtenForeignKey{r.Column, writtenReference{r.Table, r.To}})
	}
	return out
}
