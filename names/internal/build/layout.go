package build

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"bencao/names/editdistance"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// layout is the state of laying out the names file.
type layout struct {
	b      *Builder
	k      *keyTable
	l      *linkTable
	data   file.Data
	tables [file.NumTables]file.TableBuilder
	// textAt maps the number of a string to its position in data.Shared, or to 0 if the string is
	// not stored yet.
	textAt []uint32
}

// lay lays out the contents of the names file.
func lay(b *Builder, k *keyTable, l *linkTable) *file.Data {
	w := &layout{b: b, k: k, l: l, textAt: make([]uint32, len(b.text.starts))}
	w.data.Checklists = b.lists
	w.data.Shared = file.AppendShared(nil, "")
	w.keys()
	w.epithets()
	w.genera()
	w.usages()
	w.words()
	w.records()
	w.data.Build(&w.tables)
	return &w.data
}

// enter adds a row number to a lookup table under the text by which the row is found.
func (w *layout) enter(table file.TableName, text []byte, row uint32) {
	w.tables[table].Add(file.Hash(text), row)
}

// rest returns the part of key n after the genus.
func (w *layout) rest(n int) []byte {
	key := w.k.keys[n]
	return key[min(len(w.k.genera[w.k.genusOf[n]])+1, len(key)):]
}

// keys lays out the keys and their tables.
func (w *layout) keys() {
	k := w.k
	rows := make([]file.Key, 0, len(k.keys)+1)
	var rests, buf []byte
	for i := range k.keys {
		n := uint32(i)
		rest := w.rest(i)
		rows = append(rows, file.Key{Rest: uint32(len(rests)), Mask: editdistance.Mask(rest)})
		rests = append(rests, rest...)
		if len(rest) > 0 {
			buf = spelling.AppendOrthoRest(buf[:0], rest)
			w.enter(file.ByRestOrtho, buf, n)
		}
	}
	rows = append(rows, file.Key{Rest: uint32(len(rests))})
	w.data.Rests, w.data.Keys = rests, rows
}

// epithets fills the table of epithets.
func (w *layout) epithets() {
	known := make(map[uint64]bool)
	for i := range w.k.keys {
		for e := range bytes.SplitSeq(w.rest(i), []byte(" ")) {
			if len(e) > 1 {
				known[file.Hash(e)] = true
			}
		}
	}
	for _, h := range slices.Sorted(maps.Keys(known)) {
		w.tables[file.Epithets].Add(h, 0)
	}
}

// genera lays out the genera and their tables.
func (w *layout) genera() {
	rows := make([]file.Genus, 0, len(w.k.genera)+1)
	var genera, buf []byte
	for i, g := range w.k.genera {
		n := uint32(i)
		rows = append(rows, file.Genus{Name: uint32(len(genera)), Key: w.k.start[i], Mask: editdistance.Mask(g)})
		genera = append(genera, g...)
		w.enter(file.ByGenus, g, n)
		buf = spelling.AppendOrthoWord(buf[:0], g, true)
		w.enter(file.ByGenusOrtho, buf, n)
		editdistance.Deletions(g, func(less []byte) { w.enter(file.ByGenusLess, less, n) })
	}
	rows = append(rows, file.Genus{Name: uint32(len(genera)), Key: uint32(len(w.k.keys))})
	w.data.GenusNames, w.data.Genera = genera, rows
}

// usages lays out the usages with their texts, and the members of their concepts.
func (w *layout) usages() {
	rows := make([]file.Usage, 0, len(w.b.usages)+1)
	members := file.AppendMembers(nil, 0, nil) // start with the entry that most usages share: no record and no members
	names := make([]byte, 0, 40*len(w.b.usages))
	var before, texts file.Texts
	var idsBefore, ids []string
	for i := range w.b.usages {
		u, n := &w.b.usages[i], uint32(i)
		row := file.Usage{
			Texts: uint32(len(names)), Rank: u.Rank, Family: u.Family, Concept: w.l.heads[u.Concept],
			Checklist: u.Checklist, Status: u.Status, Group: u.Group, Bits: u.Bits,
		}
		before, texts = texts, w.textsOf(u)
		idsBefore, ids = ids, w.identifiers(u)
		if w.k.usages[u.Key] == n {
			row.Bits |= file.First
			names = file.AppendTexts(names, texts, nil)
			idsBefore = nil
		} else {
			names = file.AppendTexts(names, texts, &before)
		}
		if u.Accepted != 0 {
			row.Bits |= file.Placed
		}
		if u.Accepted == n+1 {
			row.Bits |= file.Own
		}
		var list []uint32
		if row.Concept == n {
			list = w.l.members[w.l.starts[u.Concept]:w.l.starts[u.Concept+1]]
		}
		if u.Record != 0 || len(list) > 0 {
			row.Bits |= file.Listed
			names = binary.LittleEndian.AppendUint32(names, uint32(len(members)))
			members = file.AppendMembers(members, u.Record, list)
		}
		rows = append(rows, row)
		for _, id := range ids {
			if !slices.Contains(idsBefore, id) { // if the previous usage of the key has the same id, the id finds that usage
				w.enter(file.ByIdentifier, []byte(id), n)
			}
		}
	}
	rows = append(rows, file.Usage{Texts: uint32(len(names)), Bits: file.First})
	for _, e := range w.l.edges {
		e.To = w.l.heads[e.To]
		w.data.Edges = append(w.data.Edges, e)
	}
	exact := file.MakeSlots(len(w.k.keys), len(w.b.usages), len(names))
	for i, key := range w.k.keys {
		first := w.k.usages[i]
		exact.Add(file.Hash(key), first, rows[first].Texts)
	}
	w.data.Exact = exact
	w.data.Names, w.data.Usages, w.data.Members = names, rows, members
}

// textsOf returns the texts of a usage that the names file stores.
func (w *layout) textsOf(u *draft) file.Texts {
	get := w.b.text.get
	return file.Texts{Name: get(u.Name), Author: get(u.Author), Chinese: get(u.Chinese), ID: get(u.ID), IPNI: get(u.IPNI), WFO: get(u.WFO)}
}

// words lays out the ranks and families.
func (w *layout) words() {
	words := &w.b.words
	for n := range min(len(words.starts), 1<<16) {
		w.data.Words = append(w.data.Words, uint32(len(w.data.Shared)))
		w.data.Shared = file.AppendShared(w.data.Shared, words.get(uint32(n)))
	}
}

// records lays out the species of the database, and Chinese names and pinyin.
func (w *layout) records() {
	records, labels := slices.Clone(w.b.records), slices.Clone(w.b.labels)
	for i := range records {
		records[i].GUID = w.text(records[i].GUID)
	}
	for i := range labels {
		l := &labels[i]
		w.enter(file.ByLabel, []byte(file.LabelKey(l.Kind, w.b.text.get(l.Text))), uint32(i))
		l.Text = w.text(l.Text)
	}
	w.data.Records, w.data.Labels = records, labels
}

// text returns the position of string n in data.Shared. It stores the string if necessary.
func (w *layout) text(n uint32) uint32 {
	if n != 0 && w.textAt[n] == 0 {
		w.textAt[n] = uint32(len(w.data.Shared))
		w.data.Shared = file.AppendShared(w.data.Shared, w.b.text.get(n))
	}
	return w.textAt[n]
}

// identifiers returns the texts under which a usage is found by its identifiers. Each text includes
// the source of the identifier.
func (w *layout) identifiers(u *draft) []string {
	source := strings.ToLower(w.b.lists[u.Checklist].Source)
	ids := make([]string, 0, 3)
	if u.ID != 0 && int(u.Checklist) != w.b.db {
		ids = append(ids, source+":"+w.b.text.get(u.ID))
	}
	if u.IPNI != 0 && source != "ipni" {
		ids = append(ids, "ipni:"+w.b.text.get(u.IPNI))
	}
	if u.WFO != 0 && source != "wfo" {
		ids = append(ids, "wfo:"+w.b.text.get(u.WFO))
	}
	return ids
}
