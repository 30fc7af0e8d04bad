package file

import (
	"encoding/json"
	"fmt"

	"bencao/names/internal/vocabulary"
)

// Data is what a names file holds. An array of rows ends with one that ends
// the last: what begins in a row ends where the next row's begins.
type Data struct {
	// Checklists are the lists by their number; that of the database is among
	// them.
	Checklists []vocabulary.Checklist
	// Shared are texts of rows of which there are few, or that many share, each
	// behind its length.
	Shared []byte
	// Words are the ranks and families of the usages: the start of each in
	// Shared.
	Words []uint32
	keys
	Exact Slots // a key → its first usage
	usages
	// Members tell of some usages, see members.go.
	Members []uint32
	Edges   []Edge // by usage
	Records []Record
	Labels  []Label
	Tables  [NumTables]Table

	// unjoined are the lists that head a concept from which an edge leads that
	// joins nothing; it follows from the rest and is not in the file.
	unjoined [1 << 8]bool
}

// sections are the parts of the file in their order, each with what it is in
// Go: writing and reading go through this one list.
func (d *Data) sections() []section {
	all := []section{
		(*rows[byte])(&d.Shared),
		(*rows[uint32])(&d.Words),
		(*rows[byte])(&d.Names),
		(*rows[byte])(&d.Rests),
		(*rows[Key])(&d.Keys),
		(*rows[uint64])(&d.Exact.slots),
		(*rows[byte])(&d.GenusNames),
		(*rows[Genus])(&d.Genera),
		(*rows[Usage])(&d.Usages),
		(*rows[uint32])(&d.Members),
		(*rows[Edge])(&d.Edges),
		(*rows[Record])(&d.Records),
		(*rows[Label])(&d.Labels),
	}
	for i := range d.Tables {
		all = append(all, (*rows[uint32])(&d.Tables[i].buckets), (*rows[uint32])(&d.Tables[i].entries))
	}
	return all
}

// numSections counts the description too, which is the first section.
const numSections = 1 + 13 + 2*int(NumTables)

// limits are how many rows there are of what each table leads to.
func (d *Data) limits() [NumTables]int {
	keys, genera := len(d.Keys)-1, len(d.Genera)-1
	return [NumTables]int{
		ByRestOrtho: keys,
		ByGenus:     genera, ByGenusOrtho: genera, ByGenusLess: genera,
		ByIdentifier: d.Len(), ByLabel: len(d.Labels), Epithets: 1,
	}
}

// Build lays out the tables, once all else is laid out, and empties their
// builders.
func (d *Data) Build(tables *[NumTables]TableBuilder) {
	for i, limit := range d.limits() {
		d.Tables[i] = tables[i].build(limit)
		tables[i] = TableBuilder{}
	}
}

// database is the number of the database's own list, or -1.
func (d *Data) database() int {
	n := -1
	for i, c := range d.Checklists {
		if c.Source == vocabulary.SourceDatabase {
			n = i
		}
	}
	return n
}

// description is the part of the file that is no array: JSON.
type description struct {
	Checklists []vocabulary.Checklist `json:"checklists"`
}

// Write writes d to a new file at path.
func Write(path string, d *Data) error {
	if err := checkByteOrder(); err != nil {
		return err
	}
	if n := len(d.Names); n > 1<<32-1 {
		return fmt.Errorf("%d bytes of names do not fit into a names file; leave a checklist out", n)
	}
	about, err := json.Marshal(description{d.Checklists})
	if err != nil {
		return err
	}
	parts := [][]byte{about}
	for _, s := range d.sections() {
		parts = append(parts, s.bytes())
	}
	return writeFile(path, parts)
}

// read makes d the views of a file in memory.
func (d *Data) read(file []byte) error {
	parts, err := splitFile(file)
	if err != nil {
		return err
	}
	var about description
	if err := json.Unmarshal(parts[0], &about); err != nil {
		return fmt.Errorf("%w: its description: %w", ErrDamaged, err)
	}
	d.Checklists = about.Checklists
	for i, s := range d.sections() {
		if err := s.view(parts[1+i]); err != nil {
			return err
		}
	}
	d.Exact.widths = widthsFor(d.Len(), len(d.Names))
	for i, limit := range d.limits() {
		d.Tables[i].tags = tagsFor(limit)
	}
	if err := (checker{d}).check(); err != nil {
		return err
	}
	d.sampleGenera()
	d.sampleStarts()
	for _, e := range d.Edges {
		if u := &d.Usages[e.Usage]; !u.Bits.Has(Joined) {
			d.unjoined[d.Usages[u.Concept].Checklist] = true
		}
	}
	return nil
}
