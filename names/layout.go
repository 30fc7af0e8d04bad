package names

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// repack puts the texts of each name side by side, so that answering touches
// few pages.
func (b *Builder) repack() {
	old := b.text
	packed := stringTable{data: make([]byte, 0, len(old.data)), starts: make([]uint32, 0, len(old.starts))}
	packed.append("")
	place := make([]uint32, len(old.starts))
	move := func(n *uint32) {
		if *n == 0 {
			return
		}
		if place[*n] == 0 {
			place[*n] = packed.append(old.get(*n))
		}
		*n = place[*n]
	}
	for i := range b.usages {
		u := &b.usages[i]
		for _, n := range []*uint32{&u.Name, &u.Author, &u.ID, &u.IPNI, &u.WFO, &u.Chinese, &u.Rank, &u.Family, &u.HybridFormula} {
			move(n)
		}
		if r := u.Record; r != 0 && b.records[r-1].Usage == uint32(i) {
			move(&b.records[r-1].GUID)
			move(&b.records[r-1].Chinese)
		}
	}
	for i := range b.labels {
		move(&b.labels[i].Text)
	}
	b.text = packed
}

// write lays the sections out and writes them.
func (b *Builder) write(path string, k *keyTable, l *linkTable) error {
	meta, err := json.Marshal(fileMeta{Checklists: b.lists})
	if err != nil {
		return err
	}
	b.repack()
	var data [sections][]byte
	data[secMeta] = meta
	data[secStringOffset] = bytesOf(append(b.text.starts, uint32(len(b.text.data))))
	data[secStrings] = b.text.data

	var tabs [tables]tableBuilder
	keyRows := make([]keyRow, 0, len(k.keys)+1)
	var rests, buf []byte
	epithets := make(map[uint64]uint32) // the genus of each, or none for several
	for i, key := range k.keys {
		n := uint32(i)
		g := k.genera[k.genusOf[i]]
		rest := bytes.TrimPrefix(key[len(g):], []byte(" "))
		keyRows = append(keyRows, keyRow{uint32(len(rests)), k.genusOf[i], k.usages[i], letterMask(rest)})
		rests = append(rests, rest...)
		tabs[tabExact].add(hash(key), n)
		buf = appendOrtho(buf[:0], key)
		tabs[tabOrtho].add(hash(buf), n)
		if len(rest) == 0 {
			continue
		}
		tabs[tabRest].add(hash(rest), n)
		buf = appendOrthoRest(buf[:0], rest)
		tabs[tabRestOrtho].add(hash(buf), n)
		for w := range bytes.SplitSeq(rest, []byte(" ")) {
			if len(w) < 2 {
				continue
			}
			h := hash(w)
			if g, ok := epithets[h]; !ok {
				epithets[h] = k.genusOf[i]
			} else if g != k.genusOf[i] {
				epithets[h] = none
			}
		}
	}
	keyRows = append(keyRows, keyRow{Rest: uint32(len(rests)), Usage: uint32(len(b.usages))})
	for _, h := range slices.Sorted(maps.Keys(epithets)) {
		value := uint32(1)
		if epithets[h] == none {
			value = 2
		}
		tabs[tabEpithet].add(h, value)
	}
	genusRows := make([]genusRow, 0, len(k.genera)+1)
	var genera []byte
	for i, g := range k.genera {
		n := uint32(i)
		genusRows = append(genusRows, genusRow{uint32(len(genera)), k.start[i], letterMask(g)})
		genera = append(genera, g...)
		tabs[tabGenus].add(hash(g), n)
		buf = appendOrthoWord(buf[:0], g, true)
		tabs[tabGenusOrtho].add(hash(buf), n)
		deletions(g, func(less []byte) { tabs[tabGenusLess].add(hash(less), n) })
	}
	genusRows = append(genusRows, genusRow{Name: uint32(len(genera)), Key: uint32(len(k.keys))})
	for i := range b.usages {
		for _, id := range b.identifiers(&b.usages[i]) {
			tabs[tabID].add(hash([]byte(id)), uint32(i))
		}
	}
	for i := range b.labels {
		tabs[tabLabel].add(hash([]byte(labelKey(b.labels[i].Kind, b.text.get(b.labels[i].Text)))), uint32(i))
	}

	concepts := make([]conceptRow, len(l.starts))
	for i := range concepts {
		concepts[i].Members = l.starts[i]
		if i < len(l.heads) {
			concepts[i].Head = l.heads[i]
		}
	}
	for i := range b.usages {
		u := &b.usages[i]
		if l.heads[u.Concept] == uint32(i) {
			u.Bits |= bitHead
		}
		if l.starts[u.Concept] == l.starts[u.Concept+1] {
			u.Bits |= bitAlone
		}
	}
	data[secKeys], data[secKeyRows] = rests, bytesOf(keyRows)
	data[secGenera], data[secGenusRows] = genera, bytesOf(genusRows)
	data[secUsages] = bytesOf(b.usages)
	data[secConcepts], data[secMembers] = bytesOf(concepts), bytesOf(l.members)
	data[secRecords], data[secLabels] = bytesOf(b.records), bytesOf(b.labels)
	for i := range tabs {
		t := tabs[i].build()
		tabs[i] = tableBuilder{}
		data[secTables+2*i], data[secTables+2*i+1] = bytesOf(t.buckets), bytesOf(t.entries)
	}
	return writeFile(path, data)
}
