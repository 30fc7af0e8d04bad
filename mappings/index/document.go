package index

import (
	index "github.com/blevesearch/bleve_index_api"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
)

// document is a record as Bleve's segments take it. Its terms are made already, so
// that nothing is left of Bleve's analysis, which costs more than all the rest.
type document struct {
	id     string
	fields []index.Field
}

func (d *document) ID() string { return d.id }

// AddIDField adds the field that every document must have. It is empty: nobody asks
// for a document by its name, which says in what order they stand.
func (d *document) AddIDField() {
	d.fields = append(d.fields, &field{name: idField, options: index.IndexField | index.StoreField})
}

// idField is what Bleve calls the names of documents.
const idField = "_id"

func (d *document) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

func (d *document) VisitComposite(index.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                         { return false }
func (d *document) Indexed() bool                              { return true }
func (d *document) Size() int                                  { return 0 } // counted by indexes that are written to
func (d *document) NumPlainTextBytes() uint64                  { return 0 } // counted by those, too
func (d *document) StoredFieldsBytes() uint64                  { return 0 } // and this

// field is a row of a document: its terms.
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

// newDocument makes a document of the terms of a record.
func newDocument(id string, d *terms.Document, rows []mappings.Row) *document {
	out := &document{id: id, fields: make([]index.Field, 0, len(rows)+1)}
	for i, r := range rows {
		if len(d.Terms[i]) > 0 {
			out.fields = append(out.fields, &field{name: r.Name, terms: d.Terms[i], options: index.IndexField})
		}
	}
	return out
}
