package store

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"bencao/internal/varint"

	"github.com/klauspost/compress/zstd"
)

// TaxaName is the name of the file of [Taxa] in a snapshot.
const TaxaName = "taxa.bolt"

// taxaLayout is the version of the form of the values in the file.
const taxaLayout = 1

// Taxa has what the checklists say about every taxon: its names with their publication, and where it
// grows. It is safe for concurrent use.
//
// The file has the taxa of each checklist in the order of their ids, in blocks of about blockSize
// bytes that are compressed on their own. The key of a block is the number of the checklist and the
// first id in it:
//
//	block  entries: id, length, body
//	body   0, id of the accepted name             for a synonym
//	       1, names, places                       for an accepted name, or a name that belongs to no other
//	names  their number; of each, its texts and marks, in the order of [TaxonName.texts]
//	places groups: establishment and status, number, areas in ascending order as differences
//
// An area is the place of its code in a list of all codes of the checklist.
type Taxa struct {
	*boltFile
	lists map[uint8]*TaxaList
	zstd  *zstd.Decoder
}

// TaxaList is a checklist of the file.
type TaxaList struct {
	// Source and Release are the name of the checklist in answers, and its full name with the version.
	Source, Release string
	areas           []Place // the codes and names of its areas
}

// ListTaxon is an accepted name with its synonyms in one checklist, or a name that the list leaves without
// an accepted one.
type ListTaxon struct {
	// Names has the accepted name, and then its synonyms in the order of the list.
	Names []TaxonName
	// Places are in the order of [Place.compare].
	Places []Place
	// Synonym is true if the name that was asked for is a synonym.
	Synonym bool
}

// TaxonName is a name in a checklist. A text is "" if the checklist does not give it.
type TaxonName struct {
	ID, Name, Author, Rank, Status string
	IPNI, WFO                      string
	Publication, Published         string
	LifeForm, Climate              string
	Basionym, BasionymID           string // Basionym has the author; it is "" if the list lacks the id
	HybridFormula, Remarks, Area   string
	Reviewed                       string // Y, N or ""
	// Homotypic means that the list says that the name has the type of the accepted name.
	Homotypic bool
}

// texts returns the texts of a name in the order of the file.
func (n *TaxonName) texts() [17]*string {
	return [...]*string{
		&n.ID, &n.Name, &n.Author, &n.Rank, &n.Status, &n.IPNI, &n.WFO, &n.Publication, &n.Published, &n.LifeForm, &n.Climate,
		&n.Basionym, &n.BasionymID, &n.HybridFormula, &n.Remarks, &n.Area, &n.Reviewed,
	}
}

// Place is a place where a taxon grows, as its checklist lists it.
type Place struct {
	Code string // "" if the list gives only a name
	// Name is the name in the list. It is "" if the geography has the code.
	Name       string
	Introduced bool
	Status     Presence
}

// Presence says whether a plant still grows in a place, and how sure that is.
type Presence uint8

// The kinds of presence.
const (
	Present Presence = iota
	Extinct
	Doubtful
)

// presenceWords are the words for [Presence] in answers.
var presenceWords = [...]string{"present", "extinct", "doubtful"}

// String returns the word for the presence: present, extinct or doubtful.
func (p Presence) String() string { return presenceWords[p] }

var (
	taxaBlocks = []byte("taxa")
	taxaLists  = []byte("lists")
)

// The kinds of entries.
const (
	entrySynonym = iota
	entryTaxon
)

// OpenTaxa opens the file at path for reading.
func OpenTaxa(path string) (*Taxa, error) {
	t := &Taxa{lists: map[uint8]*TaxaList{}}
	var err error
	if t.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30)); err != nil {
		return nil, err
	}
	if t.boltFile, err = openBolt(path); err == nil {
		err = t.readLists()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open taxa %s: %w", path, err), t.Close())
	}
	return t, nil
}

// Close closes the file.
func (t *Taxa) Close() error {
	t.zstd.Close()
	return t.boltFile.close()
}

// readLists reads the checklists and their areas.
func (t *Taxa) readLists() error {
	r, err := t.begin()
	if err != nil {
		return err
	}
	c := r.cursor(taxaLists)
	if c == nil {
		return errors.Join(ErrDamaged, r.file.end(r))
	}
	for k, v := c.First(); k != nil; k, v = c.Next() {
		list := &TaxaList{}
		for line := range strings.Lines(string(v)) {
			code, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			list.areas = append(list.areas, Place{Code: code, Name: name})
		}
		if len(list.areas) == 0 { // the first line has the names of the list
			return errors.Join(ErrDamaged, r.file.end(r))
		}
		list.Source, list.Release, list.areas = list.areas[0].Code, list.areas[0].Name, list.areas[1:]
		t.lists[k[0]] = list
	}
	return r.file.end(r)
}

// Find returns the taxon to which a checklist, given by its number, assigns the name with an id. It has
// no names if the list does not have the id.
func (t *Taxa) Find(list uint8, id string) (ListTaxon, error) {
	r, err := t.begin()
	if err != nil {
		return ListTaxon{}, err
	}
	taxon, err := t.find(r, list, id)
	return taxon, errors.Join(err, r.file.end(r))
}

func (t *Taxa) find(r *readTx, list uint8, id string) (taxon ListTaxon, err error) {
	if t.lists[list] == nil {
		return taxon, nil
	}
	body, err := t.entry(r, list, id)
	if len(body) > 0 && body[0] == entrySynonym {
		taxon.Synonym = true
		body, err = t.entry(r, list, string(body[1:]))
	}
	if err != nil || body == nil {
		return taxon, err
	}
	d := decode(body[1:])
	taxon.Names = d.names()
	taxon.Places = d.places(t.lists[list].areas)
	if d.Failed || body[0] != entryTaxon {
		return ListTaxon{}, fmt.Errorf("taxon %s: %w", id, ErrDamaged)
	}
	return taxon, nil
}

// entry returns the body of the entry of an id, or nil if there is none.
func (t *Taxa) entry(r *readTx, list uint8, id string) ([]byte, error) {
	c := r.cursor(taxaBlocks)
	if c == nil {
		return nil, ErrDamaged
	}
	key := append([]byte{list}, id...)
	k, v := c.Seek(key)
	if k == nil {
		k, v = c.Last()
	} else if !bytes.Equal(k, key) {
		k, v = c.Prev() // the block that begins before the id
	}
	if len(k) == 0 || k[0] != list {
		return nil, nil
	}
	block, err := t.zstd.DecodeAll(v, nil)
	if err != nil {
		return nil, fmt.Errorf("a block of taxa: %w: %w", ErrDamaged, err)
	}
	for d := decode(block); len(d.Rest) > 0 && !d.Failed; {
		at, body := d.text(), d.bytes()
		switch {
		case at == id:
			return body, nil
		case at > id:
			return nil, nil
		}
	}
	return nil, nil
}

// decoder reads the values of a block.
type decoder struct{ varint.Reader }

func decode(b []byte) decoder { return decoder{varint.Reader{Rest: b}} }

func (d *decoder) bytes() []byte { return d.Take(d.Number()) }

func (d *decoder) text() string { return string(d.bytes()) }

func (d *decoder) names() []TaxonName {
	all := make([]TaxonName, d.Count())
	for i := range all {
		d.name(&all[i])
	}
	return all
}

func (d *decoder) name(n *TaxonName) {
	for _, text := range n.texts() {
		*text = d.text()
	}
	n.Homotypic = d.Number() == 1
}

func (d *decoder) places(areas []Place) (all []Place) {
	for len(d.Rest) > 0 && !d.Failed {
		mark, n, at := d.Number(), d.Number(), uint64(0)
		for ; n > 0 && !d.Failed; n-- {
			if at += d.Number(); at >= uint64(len(areas)) || mark>>1 > uint64(Doubtful) {
				d.Failed = true
				return nil
			}
			p := areas[at]
			p.Introduced, p.Status = mark&1 == 1, Presence(mark>>1)
			all = append(all, p)
		}
	}
	return all
}
