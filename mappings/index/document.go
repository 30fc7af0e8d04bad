package index

import (
	"encoding/binary"

	index "github.com/blevesearch/bleve_index_api"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
)

// valuesField is the one field that is stored: the values of all rows that keep
// theirs.
const valuesField = "values"

// document is a record as Bleve's segments take it. Its terms are made already, so
// that nothing is left of Bleve's analysis, which costs more than all the rest.
type document struct {
	id     string
	fields []index.Field
}

func (d *document) ID() string { return d.id }

// AddIDField adds the field that a segment finds its documents' names by.
func (d *document) AddIDField() {
	only := index.TokenFrequencies{d.id: inOne}
	d.fields = append(d.fields, &field{name: "_id", value: []byte(d.id), terms: only, options: index.IndexField | index.StoreField})
}

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

// field is a row of a document: its terms, or the values that are stored.
type field struct {
	name    string
	value   []byte
	terms   index.TokenFrequencies
	options index.FieldIndexingOptions
}

func (f *field) Name() string                                     { return f.name }
func (f *field) Value() []byte                                    { return f.value }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Analyze()                                         {}
func (f *field) Options() index.FieldIndexingOptions              { return f.options }
func (f *field) AnalyzedLength() int                              { return 1 }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.terms }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }

// A segment writes for each document of a term how often it has the term, which
// nobody asks for. It must be 1 where a term stands in one document alone: that one
// is written into the dictionary itself. Of all others it is left out, by saying 0.
var inOne, inSeveral = frequency(1), frequency(0)

func frequency(n int) *index.TokenFreq {
	f := &index.TokenFreq{}
	f.SetFrequency(n)
	return f
}

// newDocument makes a document of what is known of a record. It takes the terms.
func newDocument(id string, d *terms.Document, rows []mappings.Row, met met) *document {
	out := &document{id: id, fields: make([]index.Field, 0, len(rows)+2)}
	var kept []byte
	for i, r := range rows {
		if terms.Keeps(r.Analyzer) {
			kept = append(binary.AppendUvarint(kept, uint64(len(d.Values[i]))), d.Values[i]...)
		}
		if len(d.Terms[i]) == 0 {
			continue
		}
		met.frequencies(i, d.Terms[i])
		out.fields = append(out.fields, &field{name: r.Name, terms: d.Terms[i], options: index.IndexField})
	}
	if len(kept) > 0 {
		out.fields = append(out.fields, &field{name: valuesField, value: kept, options: index.StoreField})
	}
	return out
}

// met remembers terms by a bit each (a Bloom filter with one hash). That it may be
// wrong of a new one costs some bytes in the index, and nothing else.
type met []uint64

// newMet has room for the terms of so many records.
func newMet(records int) met {
	words := 1 << 10
	for words < 32*records && words < 1<<21 {
		words *= 2
	}
	return make(met, words)
}

// frequencies sets how frequent the terms of a row of a record are, and remembers
// them. All are looked up before any is remembered: they come in no order.
func (m met) frequencies(row int, terms index.TokenFrequencies) {
	for term := range terms {
		terms[term] = inOne
		if word, bit := m.place(row, term); *word&bit != 0 {
			terms[term] = inSeveral
		}
	}
	for term := range terms {
		word, bit := m.place(row, term)
		*word |= bit
	}
}

// place is where the bit of a term is.
func (m met) place(row int, term string) (word *uint64, bit uint64) {
	h := uint64(14695981039346656037) // FNV-1a
	h = (h ^ uint64(row)) * 1099511628211
	for i := range len(term) {
		h = (h ^ uint64(term[i])) * 1099511628211
	}
	h ^= h >> 29
	return &m[h%uint64(len(m))], 1 << (h >> 58)
}
