package names

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
)

// Builder gathers checklists and records and writes the names file. It is not
// safe for use by many goroutines.
type Builder struct {
	lists   []Checklist
	text    stringTable
	usages  []usageRow
	links   []pendingLink // accepted ids, by usage
	records []recordRow
	labels  []labelRow
	// db is the number of the database's own list, or -1.
	db int
}

// pendingLink is what a usage says about its accepted name, until all usages
// are known.
type pendingLink struct{ id, accepted uint64 }

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	b := &Builder{db: -1}
	b.text.add("")
	return b
}

// ChecklistBuilder adds the rows of one checklist.
type ChecklistBuilder struct {
	b    *Builder
	list uint8
}

// Checklist begins a checklist. Where checklists disagree WCVP wins, then the
// one that was begun first.
func (b *Builder) Checklist(c Checklist) *ChecklistBuilder {
	b.lists = append(b.lists, c)
	return &ChecklistBuilder{b, uint8(len(b.lists) - 1)}
}

// Add adds a row. It returns an error, and leaves the row out, if the row has
// no usable name; the order of the rows does not matter.
func (c *ChecklistBuilder) Add(u Usage) error {
	if int(c.list) >= 255 {
		return errors.New("too many checklists: at most 254")
	}
	name, author := splitName(tidyName(u.Name), tidy(u.Author))
	if err := checkName(name); err != nil {
		return err
	}
	b := c.b
	row := usageRow{
		Name: b.text.add(name), Author: b.text.add(author), ID: b.text.addOnce(u.ID),
		Rank: b.text.add(strings.ToLower(tidy(u.Rank))), Family: b.text.add(tidy(u.Family)),
		IPNI: b.text.addOnce(strings.TrimPrefix(u.IPNIID, ipniPrefix)), WFO: b.text.addOnce(u.WFOID),
		Chinese: b.text.add(u.ChineseName), HybridFormula: b.text.add(u.HybridFormula),
		Checklist: c.list, Status: u.Status.number(),
	}
	link := pendingLink{}
	if u.ID != "" {
		link.id = hash([]byte(u.ID))
	}
	if u.AcceptedID != "" {
		link.accepted = hash([]byte(u.AcceptedID))
	}
	n := b.addUsage(row, link)
	if u.ChineseName != "" {
		kind := uint32(labelList)
		if han.Noted(u.ChineseName) {
			kind = labelAutonym
		}
		b.addLabel(han.Fold(u.ChineseName), n, kind)
	}
	return nil
}

// Record adds a species of the database with its synonyms and Chinese names.
// It returns an error, and leaves the record out, if it has no usable name.
func (b *Builder) Record(r Record) error {
	name := tidyName(r.ScientificName)
	if err := checkName(name); err != nil {
		return err
	}
	if b.db < 0 {
		b.lists = append(b.lists, Checklist{Source: SourceDatabase})
		b.db = len(b.lists) - 1
	}
	rec := uint32(len(b.records) + 1)
	n := b.addUsage(usageRow{
		Name: b.text.add(name), Author: b.text.add(tidy(r.Author)), Rank: b.text.add(strings.ToLower(r.Rank)),
		Family: b.text.add(tidy(r.Family)), Chinese: b.text.add(r.ChineseName),
		Checklist: uint8(b.db), Status: Accepted.number(), Record: rec, Accepted: uint32(len(b.usages) + 1),
	}, pendingLink{})
	b.records = append(b.records, recordRow{uint32(r.EntryID), b.text.addOnce(r.GUID), b.text.add(r.ChineseName), n})

	for _, s := range r.Synonyms {
		sname := tidyName(s.Name)
		if checkName(sname) != nil {
			continue // the indexer reports it
		}
		st, _ := ParseStatus(s.Status)
		if st == Accepted || st == Unplaced {
			st = Synonym
		}
		row := usageRow{
			Name: b.text.add(sname), Author: b.text.add(tidy(s.Author)), Rank: b.text.add(strings.ToLower(s.Rank)),
			Family: b.text.add(tidy(r.Family)), Checklist: uint8(b.db), Status: st.number(), Record: rec, Accepted: n + 1,
		}
		if strings.HasPrefix(strings.ToLower(s.Author), "auct") {
			row.Status = Misapplied.number()
		}
		if strings.EqualFold(strings.ReplaceAll(s.Status, " ", ""), "proparte") {
			row.Bits |= bitProParte
		}
		b.addUsage(row, pendingLink{})
	}
	kind := uint32(labelName)
	if han.Noted(r.ChineseName) {
		kind = labelAutonym
	}
	b.addLabel(han.Fold(r.ChineseName), n, kind)
	b.addLabel(foldPinyin(r.Pinyin), n, labelPinyin)
	for _, a := range r.Aliases {
		b.addLabel(han.Fold(a.Name), n, labelAlias)
		b.addLabel(foldPinyin(a.Pinyin), n, labelPinyin2)
	}
	return nil
}

func (b *Builder) addUsage(row usageRow, link pendingLink) uint32 {
	b.usages = append(b.usages, row)
	b.links = append(b.links, link)
	return uint32(len(b.usages) - 1)
}

func (b *Builder) addLabel(text string, usage, kind uint32) {
	if text != "" {
		b.labels = append(b.labels, labelRow{b.text.add(text), usage, kind})
	}
}

// tidy makes one space of many and takes them off the ends.
func tidy(s string) string {
	if strings.Contains(s, "  ") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") || strings.ContainsAny(s, "\t\n\u00a0") {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

// tidyName is tidy for names, which end in no punctuation and in which the
// sign of a hybrid stands apart.
func tidyName(s string) string {
	if strings.ContainsRune(s, hybridSign) {
		s = tidy(strings.ReplaceAll(s, "×", " × "))
	}
	return strings.TrimRight(latinise(tidy(s)), " .,;")
}

// splitName takes an author off a name that has no other: lists put it into
// the wrong column now and then.
func splitName(name, author string) (string, string) {
	if author != "" || strings.Count(name, " ") < 2 || strings.ContainsAny(name, "'\"") {
		return name, author
	}
	for i, words := 0, 0; i+1 < len(name); i++ {
		if name[i] != ' ' {
			continue
		}
		if words++; words < 2 {
			continue
		}
		if c := name[i+1]; (c >= 'A' && c <= 'Z' || c == '(') && isCitation(name[i+1:]) && !strings.Contains(name[:i], ".") {
			return name[:i], name[i+1:]
		}
	}
	return name, author
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("name is empty")
	case !utf8.ValidString(name):
		return fmt.Errorf("name %q is not valid UTF-8", name)
	case utf8.RuneCountInString(name) > MaxNameLen:
		return fmt.Errorf("name %.40q… has more than %d characters", name, MaxNameLen)
	}
	if key, _ := appendKey(nil, name); len(key) == 0 {
		return fmt.Errorf("name %q has no letters", name)
	}
	return nil
}

// WriteFile links the checklists with each other and writes the names file,
// which replaces any file at path. Call it once, at the end.
func (b *Builder) WriteFile(path string) error {
	if err := checkByteOrder(); err != nil {
		return err
	}
	if len(b.text.data) > 1<<32-1 {
		return fmt.Errorf("%d bytes of names do not fit into a names file of 4 GiB", len(b.text.data))
	}
	k := b.sortKeys()
	l := link(b, k)
	return b.write(path, k, l)
}

// keyTable is every distinct key, sorted, with the usages that have it.
type keyTable struct {
	keys    [][]byte // whole keys
	genusOf []uint32
	genera  [][]byte
	start   []uint32 // genus → first key, and the end
	usages  []uint32 // key → first usage, and the end
}

// sortKeys computes the keys and puts the usages into their order, so that
// all usages of a key stand together.
func (b *Builder) sortKeys() *keyTable {
	var arena []byte
	type keyRef struct {
		off, end uint32
		genus    uint16
	}
	refs := make([]keyRef, len(b.usages))
	for i := range b.usages {
		u := &b.usages[i]
		name := b.text.get(u.Name)
		off := len(arena)
		var genus int
		arena, genus = appendKey(arena, name)
		refs[i] = keyRef{uint32(off), uint32(len(arena)), uint16(genus)}
		if strings.ContainsRune(name, hybridSign) {
			u.Bits |= bitHybrid
		}
		if rankOf(name) != "" {
			u.Bits |= bitRank
		}
	}
	key := func(i uint32) []byte { return arena[refs[i].off:refs[i].end] }
	prio := b.priorities()
	order := make([]uint32, len(b.usages))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		if c := bytes.Compare(key(x), key(y)); c != 0 {
			return c
		}
		u, v := &b.usages[x], &b.usages[y]
		return cmp.Or(cmp.Compare(prio[u.Checklist], prio[v.Checklist]), cmp.Compare(u.Status, v.Status), cmp.Compare(x, y))
	})

	k := &keyTable{}
	place := make([]uint32, len(order)) // old number → new number
	usages := make([]usageRow, len(order))
	links := make([]pendingLink, len(order))
	for n, i := range order {
		if n == 0 || !bytes.Equal(key(i), key(order[n-1])) {
			g := key(i)[:refs[i].genus]
			if len(k.genera) == 0 || !bytes.Equal(g, k.genera[len(k.genera)-1]) {
				k.genera = append(k.genera, g)
				k.start = append(k.start, uint32(len(k.keys)))
			}
			k.keys = append(k.keys, key(i))
			k.genusOf = append(k.genusOf, uint32(len(k.genera)-1))
			k.usages = append(k.usages, uint32(n))
		}
		place[i] = uint32(n)
		usages[n], links[n] = b.usages[i], b.links[i]
		usages[n].Key = uint32(len(k.keys) - 1)
	}
	k.start = append(k.start, uint32(len(k.keys)))
	k.usages = append(k.usages, uint32(len(order)))
	for i := range usages {
		if a := usages[i].Accepted; a > 0 {
			usages[i].Accepted = place[a-1] + 1
		}
	}
	for i := range b.records {
		b.records[i].Usage = place[b.records[i].Usage]
	}
	for i := range b.labels {
		b.labels[i].Usage = place[b.labels[i].Usage]
	}
	b.usages, b.links = usages, links
	return k
}

// priorities ranks the checklists: WCVP, the others as they came, the
// database.
func (b *Builder) priorities() []int {
	prio := make([]int, len(b.lists))
	for i, c := range b.lists {
		switch {
		case i == b.db:
			prio[i] = len(b.lists)
		case c.Source == SourceWCVP:
			prio[i] = -1
		default:
			prio[i] = i
		}
	}
	return prio
}

// stringTable keeps each text once and numbers it.
type stringTable struct {
	data   []byte
	starts []uint32
	seen   map[string]uint32
}

// add returns the number of s, which it may have already.
func (t *stringTable) add(s string) uint32 {
	if n, ok := t.seen[s]; ok {
		return n
	}
	if t.seen == nil {
		t.seen = make(map[string]uint32)
	}
	n := t.append(s)
	t.seen[strings.Clone(s)] = n
	return n
}

// addOnce is add for a text that does not come again, such as an identifier.
func (t *stringTable) addOnce(s string) uint32 {
	if s == "" {
		return 0
	}
	return t.append(s)
}

func (t *stringTable) append(s string) uint32 {
	t.starts = append(t.starts, uint32(len(t.data)))
	t.data = append(t.data, s...)
	return uint32(len(t.starts) - 1)
}

func (t *stringTable) get(n uint32) string {
	end := len(t.data)
	if int(n)+1 < len(t.starts) {
		end = int(t.starts[n+1])
	}
	return string(t.data[t.starts[n]:end])
}

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
