package file

import (
	"cmp"
	"slices"
	"unsafe"

	"bencao/names/internal/spelling"
	"bencao/names/pinyin"
)

// EdgeOf returns the edge of a usage to another concept.
func (d *Data) EdgeOf(usage uint32) (Edge, bool) {
	if u := &d.Usages[usage]; !u.Bits.Has(Joined) && !d.unjoined[d.Usages[u.Concept].Checklist] {
		return Edge{}, false // almost all names have no edge
	}
	i, ok := slices.BinarySearchFunc(d.Edges, usage, func(e Edge, n uint32) int { return cmp.Compare(e.Usage, n) })
	if !ok {
		return Edge{}, false
	}
	return d.Edges[i], true
}

// FindKey returns the first usage of a key.
func (d *Data) FindKey(key []byte) (usage uint32, ok bool) { return d.FindName("", key) }

// FindName returns the first usage whose name is name or has the given key. It checks the key
// against the text of the usage's name, because answers need this text anyway.
func (d *Data) FindName(name string, key []byte) (usage uint32, ok bool) {
	h, t := Hash(key), &d.Exact
	tag, above := t.tag(h)
	for i := t.place(h); ; i++ {
		if i == len(t.slots) {
			i = 0
		}
		s := t.slots[i]
		if s == 0 {
			return 0, false
		}
		if (s^tag)>>(above&63) != 0 {
			continue
		}
		usage, texts := t.cut(s)
		if d.Usages[usage].Texts != texts {
			continue
		}
		if own := d.firstName(texts); own == name || hasKey(own, key) {
			return usage, true
		}
	}
}

// hasKey reports whether the key of name is key.
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

// HasGenus reports whether a folded word is a genus.
func (d *Data) HasGenus(w []byte) bool { _, ok := d.FindGenus(w); return ok }

// HasEpithet reports whether a folded word is probably the epithet of some name. It compares only
// part of the word's hash, so it sometimes returns true for a word that is not an epithet.
func (d *Data) HasEpithet(w []byte) bool { return len(w) > 1 && d.Tables[Epithets].has(Hash(w)) }

// HasVariant reports whether the file has a key that differs from the given key at most in
// orthography.
func (d *Data) HasVariant(key []byte) bool {
	for range d.Variants(key) {
		return true
	}
	return false
}

// LabelKey returns the key under which a label is stored. It removes the tones of pinyin, so that a
// label is found with and without tones. Names of herbs have other keys than names of plants.
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
