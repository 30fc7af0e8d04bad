package file

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"unsafe"

	"bencao/names/internal/spelling"
	"bencao/names/pinyin"
)

// Len returns the number of usages: rows of all checklists, and names of the
// database.
func (d *Data) Len() int { return len(d.Usages) - 1 }

// Text returns one of the texts of a usage.
func (d *Data) Text(usage uint32, which TextName) string {
	return cutUsageText(d.Names[d.Usages[usage].Texts:], which)
}

// Name returns the name of a usage.
func (d *Data) Name(usage uint32) string { return d.Text(usage, Name) }

// SharedText returns the shared text that begins at n.
func (d *Data) SharedText(n uint32) string {
	b := d.Shared[n:]
	size, from := binary.Uvarint(b)
	return asString(b[from:][:size])
}

// Rest returns what follows the genus in a key.
func (d *Data) Rest(key uint32) []byte { return d.Rests[d.Keys[key].Rest:d.Keys[key+1].Rest] }

// Genus returns the folded name of a genus.
func (d *Data) Genus(n uint32) []byte {
	return d.GenusNames[d.Genera[n].Name:d.Genera[n+1].Name]
}

// AppendKey appends a whole key.
func (d *Data) AppendKey(dst []byte, key uint32) []byte {
	dst = append(dst, d.Genus(d.Keys[key].Genus)...)
	if rest := d.Rest(key); len(rest) > 0 {
		dst = append(append(dst, ' '), rest...)
	}
	return dst
}

// Namesakes returns the usages that have the key of a usage: those from from
// to to.
func (d *Data) Namesakes(usage uint32) (from, to uint32) {
	key := d.Usages[usage].Key
	for from = usage; from > 0 && d.Usages[from-1].Key == key; from-- {
	}
	for to = usage; d.Usages[to].Key == key && key != None; to++ {
	}
	return from, to
}

// AuthorsOf yields the authors of the usages that have the key of a usage.
func (d *Data) AuthorsOf(usage uint32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, to := d.Namesakes(usage); i < to; i++ {
			if !yield(d.Text(i, Author)) {
				return
			}
		}
	}
}

// MembersOf returns the names under which Catalogue of Life China and the
// database have the taxon of a concept, given by its head.
func (d *Data) MembersOf(concept uint32) []uint32 {
	if at := d.Usages[concept].Members; at != 0 {
		return d.membersAt(at)
	}
	return nil
}

// EdgeOf returns the edge that leads from a usage into another concept.
func (d *Data) EdgeOf(usage uint32) (Edge, bool) {
	if u := &d.Usages[usage]; !u.Bits.Has(Joined) && !d.unjoined[d.Usages[u.Concept].Checklist] {
		return Edge{}, false // almost all names
	}
	i, ok := slices.BinarySearchFunc(d.Edges, usage, func(e Edge, n uint32) int { return cmp.Compare(e.Usage, n) })
	if !ok {
		return Edge{}, false
	}
	return d.Edges[i], true
}

// membersAt returns the list that begins at at, with its length.
func (d *Data) membersAt(at uint32) []uint32 {
	return d.Members[at+1:][:d.Members[at]]
}

// FindKey returns the first usage of a key.
func (d *Data) FindKey(key []byte) (usage uint32, ok bool) { return d.FindName("", key) }

// FindName returns the first usage of the key that a name has. It compares
// them with the usage's own name, which an answer needs anyway.
func (d *Data) FindName(name string, key []byte) (usage uint32, ok bool) {
	h, t := Hash(key), &d.Exact
	for i := t.place(h); ; i++ {
		if i == len(t.slots) {
			i = 0
		}
		s := t.slots[i]
		if t.free(s) {
			return 0, false
		}
		if !t.has(s, h) {
			continue
		}
		usage, texts := t.cut(s)
		if d.Usages[usage].Texts != texts {
			continue
		}
		if own := cutUsageText(d.Names[texts:], Name); own == name || hasKey(own, key) {
			return usage, true
		}
	}
}

// hasKey says whether key is that of a name.
func hasKey(name string, key []byte) bool {
	var buf [96]byte
	own, _ := spelling.AppendKey(buf[:0], name)
	return string(own) == string(key)
}

// FindGenus returns the number of a folded genus.
func (d *Data) FindGenus(genus []byte) (uint32, bool) {
	for n := range d.Values(ByGenus, genus) {
		if string(d.Genus(n)) == string(genus) {
			return n, true
		}
	}
	return 0, false
}

// HasGenus says whether a folded word is a genus.
func (d *Data) HasGenus(w []byte) bool { _, ok := d.FindGenus(w); return ok }

// HasEpithet says whether a folded word is an epithet in some name.
func (d *Data) HasEpithet(w []byte) bool { return len(w) > 1 && d.Tables[Epithets].has(Hash(w)) }

// HasVariant says whether some key has the orthographic key of a key.
func (d *Data) HasVariant(key []byte) bool {
	for range d.Variants(key) {
		return true
	}
	return false
}

// LabelKey is what a label is looked up by: pinyin without its tones, so that
// both toned and plain readings find it; names of drugs apart from those of
// plants.
func LabelKey(kind uint32, text string) string {
	if kind >= LabelHerb {
		return "%" + text
	}
	if kind >= LabelPinyin {
		return "~" + pinyin.WithoutTones(text)
	}
	return text
}

func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
