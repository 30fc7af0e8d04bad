package names

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"
)

// Index answers from a names file. It is safe for use by many goroutines.
type Index struct {
	file []byte // mapped; nil after Close

	lists    []Checklist
	versions []Text // checklistVersion of each
	db       int    // the database's list, or -1

	stringOffset []uint32
	strings      []byte
	keys         []byte
	keyRows      []keyRow
	genera       []byte
	genusRows    []genusRow
	usages       []usageRow
	concepts     []conceptRow
	members      []uint32
	records      []recordRow
	labels       []labelRow
	tables       [tables]table

	matchers sync.Pool // of *matcher
}

// Open maps the names file at path. A file that is not whole gives an error
// that wraps [ErrDamaged]; so does a file that was changed. The file must not
// be changed while the index is open.
func Open(path string) (*Index, error) {
	ix, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("open names %s: %w", path, err)
	}
	return ix, nil
}

func open(path string) (*Index, error) {
	if err := checkByteOrder(); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unwrapPath(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, unwrapPath(err)
	}
	// The checksum is read, not mapped: a file cut short is found before a
	// page of it can be missing.
	if err := checkFile(f, st.Size()); err != nil {
		return nil, unwrapPath(err)
	}
	data, err := mapFile(f, st.Size())
	if err != nil {
		return nil, fmt.Errorf("map into memory: %w", err)
	}
	ix := &Index{file: data}
	if err := ix.load(); err != nil {
		return nil, closeAfter(ix, err)
	}
	if err := forget(data); err != nil {
		return nil, closeAfter(ix, err)
	}
	ix.matchers.New = func() any { return newMatcher(ix) }
	return ix, nil
}

// unwrapPath drops the path from an error of package os: Open says it.
func unwrapPath(err error) error {
	if pe, ok := err.(*os.PathError); ok {
		return pe.Err
	}
	return err
}

func closeAfter(ix *Index, err error) error {
	if cerr := ix.Close(); cerr != nil {
		return fmt.Errorf("%w (and %w)", err, cerr)
	}
	return err
}

// Close releases the file. No method may be running or be called afterwards.
func (ix *Index) Close() error {
	data := ix.file
	if data == nil {
		return nil
	}
	*ix = Index{}
	return unmapFile(data)
}

// Len returns the number of usages: rows of all checklists, and names of the
// database.
func (ix *Index) Len() int { return len(ix.usages) }

// Checklists returns the checklists that the index holds, the database's own
// names not among them.
func (ix *Index) Checklists() []Checklist {
	var lists []Checklist
	for i, c := range ix.lists {
		if i != ix.db {
			lists = append(lists, c)
		}
	}
	return lists
}

// load makes the views of the file and checks every number that a look-up
// follows, so that none can lead out of its section.
func (ix *Index) load() error {
	data, err := splitFile(ix.file)
	if err != nil {
		return err
	}
	var meta fileMeta
	if err := json.Unmarshal(data[secMeta], &meta); err != nil {
		return fmt.Errorf("%w: its description: %w", ErrDamaged, err)
	}
	ix.lists = meta.Checklists
	ix.db = -1
	for i, c := range ix.lists {
		ix.versions = append(ix.versions, Text(strings.TrimSpace(c.Name+" "+c.Version)))
		if c.Source == SourceDatabase {
			ix.db = i
		}
	}
	ix.strings, ix.keys, ix.genera = data[secStrings], data[secKeys], data[secGenera]
	for _, load := range []func() error{
		func() (err error) { ix.stringOffset, err = view[uint32](data[secStringOffset]); return },
		func() (err error) { ix.keyRows, err = view[keyRow](data[secKeyRows]); return },
		func() (err error) { ix.genusRows, err = view[genusRow](data[secGenusRows]); return },
		func() (err error) { ix.concepts, err = view[conceptRow](data[secConcepts]); return },
		func() (err error) { ix.members, err = view[uint32](data[secMembers]); return },
		func() (err error) { ix.usages, err = view[usageRow](data[secUsages]); return },
		func() (err error) { ix.records, err = view[recordRow](data[secRecords]); return },
		func() (err error) { ix.labels, err = view[labelRow](data[secLabels]); return },
	} {
		if err := load(); err != nil {
			return err
		}
	}
	if err := ix.check(); err != nil {
		return err
	}
	keys, genera := len(ix.keyRows)-1, len(ix.genusRows)-1
	limits := [tables]int{
		tabExact: keys, tabOrtho: keys, tabRest: keys, tabRestOrtho: keys,
		tabGenus: genera, tabGenusOrtho: genera, tabGenusLess: genera,
		tabID: len(ix.usages), tabLabel: len(ix.labels), tabEpithet: 3,
	}
	for i := range ix.tables {
		if ix.tables[i], err = openTable(data[secTables+2*i], data[secTables+2*i+1], limits[i]); err != nil {
			return err
		}
	}
	return nil
}

// check checks lengths, offsets and references of everything but the tables.
func (ix *Index) check() error {
	if len(ix.keyRows) == 0 || len(ix.genusRows) == 0 || len(ix.concepts) == 0 || len(ix.stringOffset) < 2 {
		return fmt.Errorf("%w: a section is missing; build it again", ErrDamaged)
	}
	keys, genera := len(ix.keyRows)-1, len(ix.genusRows)-1
	for _, o := range []struct {
		n   int
		at  func(i int) uint32
		end int
	}{
		{len(ix.stringOffset), func(i int) uint32 { return ix.stringOffset[i] }, len(ix.strings)},
		{len(ix.keyRows), func(i int) uint32 { return ix.keyRows[i].Rest }, len(ix.keys)},
		{len(ix.keyRows), func(i int) uint32 { return ix.keyRows[i].Usage }, len(ix.usages)},
		{len(ix.genusRows), func(i int) uint32 { return ix.genusRows[i].Name }, len(ix.genera)},
		{len(ix.genusRows), func(i int) uint32 { return ix.genusRows[i].Key }, keys},
		{len(ix.concepts), func(i int) uint32 { return ix.concepts[i].Members }, len(ix.members)},
	} {
		if err := checkOffsets(o.n, o.at, o.end); err != nil {
			return err
		}
	}
	ok := true
	below := func(n uint32, limit int) { ok = ok && int64(n) < int64(limit) }
	texts, usages := len(ix.stringOffset)-1, len(ix.usages)
	for _, k := range ix.keyRows[:keys] {
		below(k.Genus, genera)
	}
	for _, c := range ix.concepts[:len(ix.concepts)-1] {
		below(c.Head, usages)
	}
	for _, n := range ix.members {
		below(n, usages)
	}
	for i := range ix.usages {
		u := &ix.usages[i]
		for _, n := range []uint32{u.Name, u.Author, u.ID, u.Rank, u.Family, u.IPNI, u.WFO, u.Chinese, u.HybridFormula} {
			below(n, texts)
		}
		below(u.Accepted, usages+1)
		below(u.Concept, len(ix.concepts)-1)
		below(u.Key, keys)
		below(u.Record, len(ix.records)+1)
		below(uint32(u.Checklist), len(ix.lists))
		below(uint32(u.Status), len(statuses))
	}
	for i, r := range ix.records {
		below(r.GUID, texts)
		below(r.Chinese, texts)
		below(r.Usage, usages)
		ok = ok && ix.usages[r.Usage].Record == uint32(i)+1
	}
	for _, l := range ix.labels {
		below(l.Text, texts)
		below(l.Usage, usages)
		below(l.Kind, labelPinyin2+1)
	}
	if !ok {
		return fmt.Errorf("%w: a row points to one that is not there; build it again", ErrDamaged)
	}
	return nil
}

// text returns string n. It lies in the mapped file: what outlives a match
// must be cloned.
func (ix *Index) text(n uint32) string {
	b := ix.strings[ix.stringOffset[n]:ix.stringOffset[n+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// rest returns what follows the genus in key n.
func (ix *Index) rest(n uint32) []byte { return ix.keys[ix.keyRows[n].Rest:ix.keyRows[n+1].Rest] }

// genus returns the folded name of genus n.
func (ix *Index) genus(n uint32) []byte {
	return ix.genera[ix.genusRows[n].Name:ix.genusRows[n+1].Name]
}

// appendKeyOf appends the whole key n.
func (ix *Index) appendKeyOf(dst []byte, n uint32) []byte {
	dst = append(dst, ix.genus(ix.keyRows[n].Genus)...)
	if rest := ix.rest(n); len(rest) > 0 {
		dst = append(append(dst, ' '), rest...)
	}
	return dst
}

// findKey returns the number of a key, whose genus has the given length.
func (ix *Index) findKey(key []byte, genus int) (uint32, bool) {
	h := hash(key)
	rest := key[min(genus+1, len(key)):]
	for _, e := range ix.tables[tabExact].bucket(h) {
		if e.Tag == uint32(h>>32) && string(ix.rest(e.Value)) == string(rest) && string(ix.genus(ix.keyRows[e.Value].Genus)) == string(key[:genus]) {
			return e.Value, true
		}
	}
	return 0, false
}

// findGenus returns the number of a folded genus.
func (ix *Index) findGenus(genus []byte) (uint32, bool) {
	h := hash(genus)
	for _, e := range ix.tables[tabGenus].bucket(h) {
		if e.Tag == uint32(h>>32) && string(ix.genus(e.Value)) == string(genus) {
			return e.Value, true
		}
	}
	return 0, false
}

// isEpithet says whether w, folded, is an epithet in some name.
func (ix *Index) isEpithet(w []byte) bool { return len(w) > 1 && ix.tables[tabEpithet].has(hash(w)) }
