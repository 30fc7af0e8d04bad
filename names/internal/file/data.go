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
	// Shared are texts that many rows share, such as ranks and families, each
	// behind its length.
	Shared []byte
	// Names are the texts of each usage, in the order of the usages.
	Names []byte
	// Rests are what follows the genus in each key.
	Rests []byte
	Keys  []Key // with a last row
	Exact Slots // a key → its first usage
	// GenusNames are the folded names of the genera.
	GenusNames []byte
	Genera     []Genus // with a last row
	Usages     []Usage // with a last row
	Members    []uint32
	Edges      []Edge // by usage
	Records    []Record
	Labels     []Label
	Tables     [NumTables]Table

	// unjoined are the lists that head a concept from which an edge leads that
	// joins nothing; it follows from the rest and is not in the file.
	unjoined [1 << 8]bool
}

// sections are the parts of the file in their order, each with what it is in
// Go: writing and reading go through this one list.
func (d *Data) sections() []section {
	all := []section{
		(*rows[byte])(&d.Shared),
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
const numSections = 1 + 12 + 2*int(NumTables)

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
	if err := d.check(); err != nil {
		return err
	}
	for _, e := range d.Edges {
		if u := &d.Usages[e.Usage]; !u.Bits.Has(Joined) {
			d.unjoined[d.Usages[u.Concept].Checklist] = true
		}
	}
	return nil
}
