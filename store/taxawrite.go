package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"
)

// blockSize is the size of a block of taxa in bytes before it is compressed: large enough that names of
// a genus share their words, small enough that one taxon is read quickly.
const blockSize = 8 << 10

// taxaPage is the size of a page of the file in bytes. A page has many blocks, so little of it is empty.
const taxaPage = 64 << 10

// blocksPerTx is the number of blocks in a transaction.
const blocksPerTx = 4096

// TaxaWriter writes the file of [Taxa], one checklist after the other: first its names, then its
// places, in any order, then EndList. It keeps about 100 bytes of a name and eight of a place in
// memory; the names wait in a file beside the one that is written.
type TaxaWriter struct {
	ctx   context.Context
	db    *bolt.DB
	spool *os.File
	out   *bufio.Writer
	zstd  *zstd.Encoder
	size  int64 // of the spool

	rows   []taxonRow
	sorted bool // rows are sorted by their ids
	areas  map[Place]uint32
	places []listedPlace
	last   int // the row of the place before, since places of a name come together
	code   []byte
}

// taxonRow is a name that waits in the spool.
type taxonRow struct {
	id, accepted string // accepted is "" if the name is its own accepted name
	at           int64
	size         int32
	root         int32 // index of the accepted name
}

// listedPlace is a place of a name. area has the number of the area and, in its lowest bits, the
// establishment and the status.
type listedPlace struct {
	row  int32
	area uint32
}

// markBits is the number of bits of the establishment and the status.
const markBits = 3

// NewTaxaWriter creates the file at path, which must not exist.
func NewTaxaWriter(ctx context.Context, path string) (w *TaxaWriter, err error) {
	w = &TaxaWriter{ctx: ctx, areas: map[Place]uint32{}}
	if w.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false)); err != nil {
		return nil, err
	}
	if w.db, err = createBolt(path, taxaPage); err != nil {
		return nil, fmt.Errorf("create taxa %s: %w", path, err)
	}
	if w.spool, err = os.Create(path + ".names"); err != nil {
		return nil, errors.Join(err, w.db.Close())
	}
	w.out = bufio.NewWriterSize(w.spool, 1<<20)
	return w, w.update(func(tx *bolt.Tx) error {
		for _, bucket := range [][]byte{taxaLists, taxaBlocks} {
			if _, err := tx.CreateBucketIfNotExists(bucket); err != nil {
				return err
			}
		}
		return nil
	})
}

// update runs f in a transaction, unless the build was cancelled.
func (w *TaxaWriter) update(f func(*bolt.Tx) error) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.db.Update(f)
}

// Close ends the file and removes the one beside it. It must also be called after an error.
func (w *TaxaWriter) Close() error {
	return errors.Join(w.db.Close(), w.spool.Close(), os.Remove(w.spool.Name()))
}

// Add adds a name. acceptedID is the id of its accepted name, or "".
func (w *TaxaWriter) Add(n TaxonName, acceptedID string) error {
	w.code = appendName(w.code[:0], &n)
	row := taxonRow{id: strings.Clone(n.ID), at: w.size, size: int32(len(w.code))}
	if acceptedID != n.ID {
		row.accepted = strings.Clone(acceptedID)
	}
	w.rows, w.sorted = append(w.rows, row), false
	w.size += int64(len(w.code))
	_, err := w.out.Write(w.code)
	return err
}

// Place adds a place where the plant of a name grows. All names of the checklist must have been added.
// known is false if the list lacks the id of the name; then the place is not added.
func (w *TaxaWriter) Place(id string, p Place) (known bool) {
	w.sort()
	if w.last >= len(w.rows) || w.rows[w.last].id != id {
		if w.last, known = w.find(id); !known {
			return false
		}
	}
	mark := uint32(p.Status) << 1
	if p.Introduced {
		mark |= 1
	}
	key := Place{Code: p.Code, Name: p.Name}
	area, known := w.areas[key]
	if !known {
		area = uint32(len(w.areas))
		w.areas[Place{Code: strings.Clone(p.Code), Name: strings.Clone(p.Name)}] = area
	}
	w.places = append(w.places, listedPlace{int32(w.last), area<<markBits | mark})
	return true
}

// sort sorts the rows by their ids.
func (w *TaxaWriter) sort() {
	if !w.sorted {
		slices.SortStableFunc(w.rows, func(a, b taxonRow) int { return strings.Compare(a.id, b.id) })
		w.sorted, w.last = true, len(w.rows)
	}
}

func (w *TaxaWriter) find(id string) (int, bool) {
	return slices.BinarySearchFunc(w.rows, id, func(r taxonRow, id string) int { return strings.Compare(r.id, id) })
}

// EndList writes the taxa of a checklist with the given number and names. Numbers must ascend.
func (w *TaxaWriter) EndList(list uint8, names TaxaList) error {
	w.sort()
	if err := w.out.Flush(); err != nil {
		return err
	}
	w.findRoots()
	members := w.members()
	areas := w.sortPlaces([]byte(names.Source + "\t" + names.Release + "\n"))
	if err := w.update(func(tx *bolt.Tx) error { return tx.Bucket(taxaLists).Put([]byte{list}, areas) }); err != nil {
		return err
	}
	b := blockWriter{w: w, list: list}
	for i := range w.rows {
		body, err := w.body(i, &members)
		if err == nil {
			err = b.add(w.rows[i].id, body)
		}
		if err != nil {
			return err
		}
	}
	if err := b.flush(); err != nil {
		return err
	}
	w.rows, w.places, w.size = nil, nil, 0
	clear(w.areas)
	_, err := w.spool.Seek(0, 0)
	return errors.Join(err, w.spool.Truncate(0))
}

// maxSteps is the maximum number of synonyms that lead to one accepted name, one after the other.
const maxSteps = 20

// findRoots finds the accepted name of every row. A name whose accepted name is not in the list, or is
// itself again, is its own.
func (w *TaxaWriter) findRoots() {
	to := func(i int) int {
		if accepted := w.rows[i].accepted; accepted != "" {
			if j, known := w.find(accepted); known {
				return j
			}
		}
		return i
	}
	for i := range w.rows {
		root := i
		for range maxSteps {
			next := to(root)
			if next == root {
				break
			}
			root = next
		}
		if to(root) != root {
			root = i
		}
		w.rows[i].root = int32(root)
	}
}

// members returns the synonyms, sorted by their accepted name and then in the order of the list.
func (w *TaxaWriter) members() (all []int32) {
	for i := range w.rows {
		if int(w.rows[i].root) != i {
			all = append(all, int32(i))
		}
	}
	slices.SortFunc(all, func(a, b int32) int {
		return cmp.Or(cmp.Compare(w.rows[a].root, w.rows[b].root), cmp.Compare(w.rows[a].at, w.rows[b].at))
	})
	return all
}

// sortPlaces numbers the areas by their codes and sorts the places by accepted name, mark and area. It
// appends the list of the areas to text.
func (w *TaxaWriter) sortPlaces(text []byte) []byte {
	areas := make([]Place, len(w.areas))
	for p, i := range w.areas {
		areas[i] = p
	}
	order := make([]int, len(areas))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(areas[a].Code, areas[b].Code), strings.Compare(areas[a].Name, areas[b].Name))
	})
	number := make([]uint32, len(areas))
	for n, i := range order {
		number[i] = uint32(n)
		text = append(append(append(text, areas[i].Code...), '\t'), areas[i].Name...)
		text = append(text, '\n')
	}
	const mask = 1<<markBits - 1
	for i := range w.places {
		p := &w.places[i]
		p.row, p.area = w.rows[p.row].root, number[p.area>>markBits]<<markBits|p.area&mask
	}
	slices.SortFunc(w.places, func(a, b listedPlace) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.area&mask, b.area&mask), cmp.Compare(a.area, b.area))
	})
	w.places = slices.Compact(w.places)
	return text
}

// body returns the body of the entry of row i. It takes the synonyms of the row from the start of
// members, and its places from the start of the places.
func (w *TaxaWriter) body(i int, members *[]int32) ([]byte, error) {
	if root := w.rows[i].root; int(root) != i {
		return append([]byte{entrySynonym}, w.rows[root].id...), nil
	}
	of := 0
	for of < len(*members) && int(w.rows[(*members)[of]].root) == i {
		of++
	}
	w.code = binary.AppendUvarint(append(w.code[:0], entryTaxon), uint64(1+of))
	for _, row := range append([]int32{int32(i)}, (*members)[:of]...) {
		n, err := w.read(int(row))
		if err != nil {
			return nil, err
		}
		if j, known := w.find(n.BasionymID); known && n.BasionymID != "" {
			b, err := w.read(j)
			if err != nil {
				return nil, err
			}
			n.Basionym = strings.TrimSpace(b.Name + " " + b.Author)
		}
		w.code = appendName(w.code, &n)
	}
	*members = (*members)[of:]
	return w.appendPlaces(i), nil
}

// appendPlaces appends the places of row i to w.code.
func (w *TaxaWriter) appendPlaces(i int) []byte {
	const mask = 1<<markBits - 1
	for len(w.places) > 0 && int(w.places[0].row) == i {
		mark, n := w.places[0].area&mask, 1
		for n < len(w.places) && int(w.places[n].row) == i && w.places[n].area&mask == mark {
			n++
		}
		w.code = binary.AppendUvarint(binary.AppendUvarint(w.code, uint64(mark)), uint64(n))
		before := uint32(0)
		for _, p := range w.places[:n] {
			area := p.area >> markBits
			w.code = binary.AppendUvarint(w.code, uint64(area-before))
			before = area
		}
		w.places = w.places[n:]
	}
	return w.code
}

// read reads the name of a row from the spool.
func (w *TaxaWriter) read(row int) (n TaxonName, err error) {
	r := &w.rows[row]
	buf := make([]byte, r.size)
	if _, err := w.spool.ReadAt(buf, r.at); err != nil {
		return n, err
	}
	d := decode(buf)
	d.name(&n)
	return n, nil
}

func appendName(b []byte, n *TaxonName) []byte {
	for _, text := range n.texts() {
		b = append(binary.AppendUvarint(b, uint64(len(*text))), *text...)
	}
	if n.Homotypic {
		return append(b, 1)
	}
	return append(b, 0)
}

// blockWriter collects entries into blocks and writes these.
type blockWriter struct {
	w     *TaxaWriter
	list  uint8
	first string // the first id of the block
	raw   []byte
	done  [][2][]byte // keys and values of complete blocks
}

// add adds an entry. Ids must ascend.
func (b *blockWriter) add(id string, body []byte) error {
	if len(b.raw) > 0 && len(b.raw)+len(body) > blockSize {
		if err := b.complete(); err != nil {
			return err
		}
	}
	if len(b.raw) == 0 {
		b.first = id
	}
	b.raw = append(binary.AppendUvarint(b.raw, uint64(len(id))), id...)
	b.raw = append(binary.AppendUvarint(b.raw, uint64(len(body))), body...)
	return nil
}

// complete compresses the block, and writes the complete blocks if there are many.
func (b *blockWriter) complete() error {
	if len(b.raw) == 0 {
		return nil
	}
	b.done = append(b.done, [2][]byte{append([]byte{b.list}, b.first...), b.w.zstd.EncodeAll(b.raw, nil)})
	b.raw = b.raw[:0]
	if len(b.done) < blocksPerTx {
		return nil
	}
	return b.write()
}

func (b *blockWriter) flush() error {
	if err := b.complete(); err != nil {
		return err
	}
	return b.write()
}

func (b *blockWriter) write() error {
	err := b.w.update(func(tx *bolt.Tx) error {
		bucket := tx.Bucket(taxaBlocks)
		bucket.FillPercent = 1 // keys are inserted in ascending order
		for _, block := range b.done {
			if err := bucket.Put(block[0], block[1]); err != nil {
				return err
			}
		}
		return nil
	})
	b.done = nil
	return err
}
