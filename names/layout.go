package names

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// layout lays out the sections of the names file.
type layout struct {
	b      *Builder
	k      *keyTable
	l      *linkTable
	data   [sections][]byte
	tables [tables]tableBuilder
	// texts is secTexts; textAt says where string n stands in it, 0 is nowhere
	// yet.
	texts  []byte
	textAt []uint32
}

// write lays the sections out and writes them.
func (b *Builder) write(path string, k *keyTable, l *linkTable) error {
	meta, err := json.Marshal(fileMeta{Checklists: b.lists})
	if err != nil {
		return err
	}
	w := &layout{b: b, k: k, l: l, texts: appendText(nil, ""), textAt: make([]uint32, len(b.text.starts))}
	w.data[secMeta] = meta
	w.keys()
	w.epithets()
	w.genera()
	w.usages()
	w.records()
	w.data[secTexts] = w.texts
	for i := range w.tables {
		t := w.tables[i].build()
		w.tables[i] = tableBuilder{}
		w.data[secTables+2*i], w.data[secTables+2*i+1] = bytesOf(t.buckets), bytesOf(t.entries)
	}
	if n := len(w.data[secNames]); n > 1<<32-1 {
		return fmt.Errorf("%d bytes of names do not fit into a names file; leave a checklist out", n)
	}
	return writeFile(path, w.data)
}

// rest returns what follows the genus in key n.
func (w *layout) rest(n int) []byte {
	key := w.k.keys[n]
	return key[min(len(w.k.genera[w.k.genusOf[n]])+1, len(key)):]
}

// keys lays out the keys and the tables that lead to them.
func (w *layout) keys() {
	k := w.k
	rows := make([]keyRow, 0, len(k.keys)+1)
	var rests, buf []byte
	for i, key := range k.keys {
		n := uint32(i)
		rest := w.rest(i)
		rows = append(rows, keyRow{uint32(len(rests)), k.genusOf[i], k.usages[i], letterMask(rest)})
		rests = append(rests, rest...)
		buf = appendOrtho(buf[:0], key)
		w.tables[tabOrtho].add(hash(buf), n)
		if len(rest) == 0 {
			continue
		}
		w.tables[tabRest].add(hash(rest), n)
		buf = appendOrthoRest(buf[:0], rest)
		w.tables[tabRestOrtho].add(hash(buf), n)
	}
	rows = append(rows, keyRow{Rest: uint32(len(rests)), Usage: uint32(len(w.b.usages))})
	w.data[secKeys], w.data[secKeyRows] = rests, bytesOf(rows)
}

// epithets fills the table of epithets.
func (w *layout) epithets() {
	genus := make(map[uint64]uint32) // of each epithet, or none for several
	for i := range w.k.keys {
		for e := range bytes.SplitSeq(w.rest(i), []byte(" ")) {
			if len(e) < 2 {
				continue
			}
			h := hash(e)
			if g, ok := genus[h]; !ok {
				genus[h] = w.k.genusOf[i]
			} else if g != w.k.genusOf[i] {
				genus[h] = none
			}
		}
	}
	for _, h := range slices.Sorted(maps.Keys(genus)) {
		value := uint32(1)
		if genus[h] == none {
			value = 2
		}
		w.tables[tabEpithet].add(h, value)
	}
}

// genera lays out the genera and the tables that lead to them.
func (w *layout) genera() {
	rows := make([]genusRow, 0, len(w.k.genera)+1)
	var genera, buf []byte
	for i, g := range w.k.genera {
		n := uint32(i)
		rows = append(rows, genusRow{uint32(len(genera)), w.k.start[i], letterMask(g)})
		genera = append(genera, g...)
		w.tables[tabGenus].add(hash(g), n)
		buf = appendOrthoWord(buf[:0], g, true)
		w.tables[tabGenusOrtho].add(hash(buf), n)
		deletions(g, func(less []byte) { w.tables[tabGenusLess].add(hash(less), n) })
	}
	rows = append(rows, genusRow{Name: uint32(len(genera)), Key: uint32(len(w.k.keys))})
	w.data[secGenera], w.data[secGenusRows] = genera, bytesOf(rows)
}

// usages lays out the usages with their texts, and the members of their
// concepts.
func (w *layout) usages() {
	rows := make([]usageRow, 0, len(w.b.usages)+1)
	members := []uint32{0} // of no concept
	names := make([]byte, 0, 64*len(w.b.usages))
	for i := range w.b.usages {
		u, n := &w.b.usages[i], uint32(i)
		row := usageRow{
			Texts: uint32(len(names)), Rank: w.text(u.Rank), Family: w.text(u.Family),
			Key: u.Key, Concept: w.l.heads[u.Concept], Record: u.Record,
			Checklist: u.Checklist, Status: u.Status, Group: u.Group, Bits: u.Bits,
		}
		if u.Accepted != 0 {
			row.Bits |= bitPlaced
		}
		if u.Accepted == n+1 {
			row.Bits |= bitOwn
		}
		if list := w.l.members[w.l.starts[u.Concept]:w.l.starts[u.Concept+1]]; len(list) > 0 && row.Concept == n {
			row.Members = uint32(len(members))
			members = append(append(members, uint32(len(list))), list...)
		}
		rows = append(rows, row)
		names = appendUsageTexts(names, w.textsOf(u))
		for _, id := range w.b.identifiers(u) {
			w.tables[tabID].add(hash([]byte(id)), n)
		}
	}
	rows = append(rows, usageRow{Texts: uint32(len(names)), Key: none})
	exact := makeSlots(len(w.k.keys))
	for i, key := range w.k.keys {
		first := w.k.usages[i]
		exact.add(hash(key), first, rows[first].Texts)
	}
	w.data[secExact] = bytesOf(exact)
	w.data[secNames], w.data[secUsages], w.data[secMembers] = names, bytesOf(rows), bytesOf(members)
}

// textsOf returns the texts of a usage in the order in which the file has them.
func (w *layout) textsOf(u *draft) (texts [usageTexts]string) {
	for i, n := range [usageTexts]uint32{
		textName: u.Name, textAuthor: u.Author, textID: u.ID, textIPNI: u.IPNI, textWFO: u.WFO,
		textChinese: u.Chinese,
	} {
		texts[i] = w.b.text.get(n)
	}
	return texts
}

// records lays out the species of the database, and Chinese names and pinyin.
func (w *layout) records() {
	records, labels := slices.Clone(w.b.records), slices.Clone(w.b.labels)
	for i := range records {
		records[i].GUID = w.text(records[i].GUID)
	}
	for i := range labels {
		l := &labels[i]
		w.tables[tabLabel].add(hash([]byte(labelKey(l.Kind, w.b.text.get(l.Text)))), uint32(i))
		l.Text = w.text(l.Text)
	}
	w.data[secRecords], w.data[secLabels] = bytesOf(records), bytesOf(labels)
}

// text returns where string n stands in secTexts.
func (w *layout) text(n uint32) uint32 {
	if n != 0 && w.textAt[n] == 0 {
		w.textAt[n] = uint32(len(w.texts))
		w.texts = appendText(w.texts, w.b.text.get(n))
	}
	return w.textAt[n]
}
