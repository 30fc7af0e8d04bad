package file

import (
	"encoding/json"
	"fmt"

	"bencao/names/internal/checklist"
)

// Data is the contents of a names file. Keys, Genera and Usages have one extra row at the end,
// because the data of a row end where the data of the next row start.
type Data struct {
	// Checklists lists the checklists by number, including the database.
	Checklists []checklist.Checklist
	// Shared holds texts that are rare or shared by many rows. The length of each text precedes it.
	Shared []byte
	// Words maps the number of a rank or family to the position of its text in Shared.
	Words []uint32
	keys
	Exact Slots // a key → its first usage, by the hash of the key
	usages
	// Members holds the members of some concepts, see members.go.
	Members []uint32
	Edges   []Edge // sorted by usage
	Records []Record
	Labels  []Label
	Tables  [NumTables]Table

	// unjoined[n] is true if some usage has a possible edge and the head of the usage's concept is
	// in list n. It is computed when the file is opened.
	unjoined [1 << 8]bool
}

// sections returns the parts of the file in order. The writer and the reader share this list.
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

// numSections is the number of sections in the file. The first section is the description.
const numSections = 1 + 13 + 2*int(NumTables)

// limits returns the number of rows that the values of each lookup table may refer to.
func (d *Data) limits() [NumTables]int {
	keys, genera := len(d.Keys)-1, len(d.Genera)-1
	return [NumTables]int{
		ByRestOrtho: keys,
		ByGenus:     genera, ByGenusOrtho: genera, ByGenusLess: genera,
		ByIdentifier: d.Len(), ByLabel: len(d.Labels), Epithets: 1,
	}
}

// Build lays out the lookup tables from their builders and then empties the builders. Call it when
// everything else is laid out.
func (d *Data) Build(tables *[NumTables]TableBuilder) {
	for i, limit := range d.limits() {
		d.Tables[i] = tables[i].build(limit)
		tables[i] = TableBuilder{}
	}
}

// list returns the number of the checklist with the given source, or -1.
func (d *Data) list(source string) int {
	n := -1
	for i, c := range d.Checklists {
		if c.Source == source {
			n = i
		}
	}
	return n
}

// description is the JSON of the first section.
type description struct {
	Checklists []checklist.Checklist `json:"checklists"`
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

// read makes d a view of file, which is the contents of a names file in memory. It does not copy
// them.
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
