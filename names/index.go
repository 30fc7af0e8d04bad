package names

import (
	"fmt"
	"os"
	"sync"
)

// Index answers from a names file. It is safe for use by many goroutines.
type Index struct {
	file []byte // mapped; nil after Close

	lists    []Checklist
	versions []Text // checklistVersion of each
	db       int    // the database's list, or -1

	texts     []byte
	names     []byte
	keys      []byte
	keyRows   []keyRow
	exact     slots
	genera    []byte
	genusRows []genusRow
	usages    []usageRow
	members   []uint32
	records   []recordRow
	labels    []labelRow
	tables    [tables]table

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
func (ix *Index) Len() int { return len(ix.usages) - 1 }

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

// namesakes returns the usages that have the key of a usage: those from from
// to to.
func (ix *Index) namesakes(usage uint32) (from, to uint32) {
	key := ix.usages[usage].Key
	for from = usage; from > 0 && ix.usages[from-1].Key == key; from-- {
	}
	for to = usage; ix.usages[to].Key == key && key != none; to++ {
	}
	return from, to
}

// membersOf returns the names under which Catalogue of Life China and the
// database have the taxon of a concept, given by its head.
func (ix *Index) membersOf(concept uint32) []uint32 {
	if at := ix.usages[concept].Members; at != 0 {
		return ix.membersAt(at)
	}
	return nil
}

// membersAt returns the list that begins at at, with its length.
func (ix *Index) membersAt(at uint32) []uint32 {
	return ix.members[at+1:][:ix.members[at]]
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
