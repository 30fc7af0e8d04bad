package file

import (
	"bytes"
	"iter"
	"sort"

	"bencao/names/internal/spelling"
)

// Values yields the rows of a table that may have a text. It compares only part of the text's hash,
// so the caller must compare the texts.
func (d *Data) Values(table TableName, text []byte) iter.Seq[uint32] {
	return func(yield func(uint32) bool) { d.Tables[table].values(Hash(text), 0, None, yield) }
}

// ValuesOf yields the rows of a table that may have one of several texts, given by their hashes. It
// finds the buckets of up to 32 hashes before it reads the entries, so that the processor can fetch
// several buckets at the same time.
func (d *Data) ValuesOf(table TableName, hashes []uint64) iter.Seq[uint32] {
	t := &d.Tables[table]
	return func(yield func(uint32) bool) {
		var places [32]struct{ from, to uint32 }
		for len(hashes) > 0 {
			some := hashes[:min(len(hashes), len(places))]
			hashes = hashes[len(some):]
			for i, h := range some {
				b := t.place(h)
				places[i].from, places[i].to = t.buckets[b], t.buckets[b+1]
			}
			for i, h := range some {
				for _, e := range t.entries[places[i].from:places[i].to] {
					if (e^uint32(h))&t.tags == 0 && !yield(e&^t.tags) {
						return
					}
				}
			}
		}
	}
}

// Variants yields the keys that have the same orthographic key as the given key. The given key is
// among them if the file has it.
func (d *Data) Variants(key []byte) iter.Seq[uint32] {
	return func(yield func(uint32) bool) { d.variants(key, yield) }
}

func (d *Data) variants(key []byte, yield func(uint32) bool) {
	var words [2][128]byte
	n := spelling.WordEnd(key)
	genus := spelling.AppendOrthoWord(words[0][:0], key[:n], true)
	rest := spelling.AppendOrthoRest(words[1][:0], key[min(n+1, len(key)):])
	h := Hash(rest)
	var buf [128]byte
	for g := range d.Values(ByGenusOrtho, genus) {
		if !bytes.Equal(spelling.AppendOrthoWord(buf[:0], d.Genus(g), true), genus) {
			continue
		}
		from, to := d.Genera[g].Key, d.Genera[g+1].Key
		if len(rest) == 0 { // the key of the genus alone is the first key of the genus
			for ; from < to && len(d.Rest(from)) == 0; from++ {
				if !yield(from) {
					return
				}
			}
			continue
		}
		more := d.Tables[ByRestOrtho].values(h, from, to, func(k uint32) bool {
			return !bytes.Equal(spelling.AppendOrthoRest(buf[:0], d.Rest(k)), rest) || yield(k)
		})
		if !more {
			return
		}
	}
}

// Expansions yields the keys that have the given rest and a genus that starts with the given
// letters.
func (d *Data) Expansions(letters, rest []byte) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		genera := len(d.Genera) - 1
		first := sort.Search(genera, func(g int) bool { return bytes.Compare(d.Genus(uint32(g)), letters) >= 0 })
		beyond := first + sort.Search(genera-first, func(n int) bool { return !bytes.HasPrefix(d.Genus(uint32(first+n)), letters) })
		h := Hash(spelling.AppendOrthoRest(nil, rest))
		d.Tables[ByRestOrtho].values(h, d.Genera[first].Key, d.Genera[beyond].Key, func(key uint32) bool {
			return !bytes.Equal(d.Rest(key), rest) || yield(key)
		})
	}
}
