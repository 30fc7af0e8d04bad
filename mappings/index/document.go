package index

import (
	index "github.com/blevesearch/bleve_index_api"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
)

// document is a record in the form that Bleve's builder takes. It already has its terms, because
// Bleve's analysis would take longer than the rest of the build.
type document struct {
	id     string
	fields []index.Field
}

func (d *document) ID() string { return d.id }

// AddIDField adds the field that Bleve requires of every document. The field has no terms, because
// documents are never looked up by ID. IDs only determine the order of documents.
func (d *document) AddIDField() {
	d.fields = append(d.fields, &field{name: idField, options: index.IndexField | index.StoreField})
}

// idField is Bleve's name for the field of document IDs.
const idField = "_id"

func (d *document) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

func (d *document) VisitComposite(index.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                         { return false }
func (d *document) Indexed() bool                              { return true }
func (d *document) Size() int                                  { return 0 } // only for writable indexes
func (d *document) NumPlainTextBytes() uint64                  { return 0 } // only for writable indexes
func (d *document) StoredFieldsBytes() uint64                  { return 0 } // only for writable indexes

// field holds the terms of one row of a document.
type field struct {
	name    string
	terms   index.TokenFrequencies
	options index.FieldIndexingOptions
}

func (f *field) Name() string                                     { return f.name }
func (f *field) Value() []byte                                    { return nil }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Analyze()                                         {}
func (f *field) Options() index.FieldIndexingOptions              { return f.options }
func (f *field) AnalyzedLength() int                              { return 1 }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.terms }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }

// newDocument returns the document of a record with its terms.
func newDocument(id string, d *terms.Document, rows []mappings.Row) *document {
	out := &document{id: id, fields: make([]index.Field, 0, len(rows)+1)}
	for i, r := range rows {
		if len(d.Terms[i]) > 0 {
			out.fields = append(out.fields, &field{name: r.Name, terms: d.Terms[i], options: index.IndexField})
		}
	}
	return out
}
