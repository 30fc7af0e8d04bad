package names

import (
	"encoding/json"
	"fmt"
	"strings"
)

// load makes the views of the file and checks every number that a look-up
// follows, so that none can lead out of its section.
func (ix *Index) load() error {
	data, err := splitFile(ix.file)
	if err != nil {
		return err
	}
	var meta fileMeta
	if err := json.Unmarshal(data[secMeta], &meta); err != nil {
		return fmt.Errorf("%w: its description: %w", ErrDamaged, err)
	}
	ix.lists = meta.Checklists
	ix.db = -1
	for i, c := range ix.lists {
		ix.versions = append(ix.versions, Text(strings.TrimSpace(c.Name+" "+c.Version)))
		if c.Source == SourceDatabase {
			ix.db = i
		}
	}
	ix.texts, ix.names, ix.keys, ix.genera = data[secTexts], data[secNames], data[secKeys], data[secGenera]
	for _, load := range []func() error{
		func() (err error) { ix.keyRows, err = view[keyRow](data[secKeyRows]); return },
		func() (err error) { ix.genusRows, err = view[genusRow](data[secGenusRows]); return },
		func() (err error) { ix.members, err = view[uint32](data[secMembers]); return },
		func() (err error) { ix.usages, err = view[usageRow](data[secUsages]); return },
		func() (err error) { ix.records, err = view[recordRow](data[secRecords]); return },
		func() (err error) { ix.labels, err = view[labelRow](data[secLabels]); return },
	} {
		if err := load(); err != nil {
			return err
		}
	}
	if err := ix.check(); err != nil {
		return err
	}
	keys, genera := len(ix.keyRows)-1, len(ix.genusRows)-1
	limits := [tables]int{
		tabOrtho: keys, tabRest: keys, tabRestOrtho: keys,
		tabGenus: genera, tabGenusOrtho: genera, tabGenusLess: genera,
		tabID: ix.Len(), tabLabel: len(ix.labels), tabEpithet: 3,
	}
	if ix.exact, err = openSlots(data[secExact], ix.Len()); err != nil {
		return err
	}
	for i := range ix.tables {
		if ix.tables[i], err = openTable(data[secTables+2*i], data[secTables+2*i+1], limits[i]); err != nil {
			return err
		}
	}
	return nil
}

// check checks lengths, offsets and references of everything but the tables.
func (ix *Index) check() error {
	if len(ix.keyRows) == 0 || len(ix.genusRows) == 0 || len(ix.usages) == 0 {
		return fmt.Errorf("%w: a section is missing; build it again", ErrDamaged)
	}
	for _, o := range []struct {
		n   int
		at  func(i int) uint32
		end int
	}{
		{len(ix.keyRows), func(i int) uint32 { return ix.keyRows[i].Rest }, len(ix.keys)},
		{len(ix.keyRows), func(i int) uint32 { return ix.keyRows[i].Usage }, ix.Len()},
		{len(ix.genusRows), func(i int) uint32 { return ix.genusRows[i].Name }, len(ix.genera)},
		{len(ix.genusRows), func(i int) uint32 { return ix.genusRows[i].Key }, len(ix.keyRows) - 1},
		{len(ix.usages), func(i int) uint32 { return ix.usages[i].Texts }, len(ix.names)},
	} {
		if err := checkOffsets(o.n, o.at, o.end); err != nil {
			return err
		}
	}
	if !ix.checkRows() {
		return fmt.Errorf("%w: a row points to something that is not there; build it again", ErrDamaged)
	}
	return nil
}

// checkRows says whether all that rows refer to is there.
func (ix *Index) checkRows() bool {
	keys, genera, usages := len(ix.keyRows)-1, len(ix.genusRows)-1, ix.Len()
	ok := true
	below := func(n uint32, limit int) { ok = ok && int64(n) < int64(limit) }
	text := func(n uint32) { ok = ok && ix.checkText(n) }
	for _, k := range ix.keyRows[:keys] {
		below(k.Genus, genera)
	}
	for i := range ix.usages[:usages] {
		u := &ix.usages[i]
		text(u.Rank)
		text(u.Family)
		below(u.Key, keys)
		below(u.Concept, usages)
		below(u.Record, len(ix.records)+1)
		below(uint32(u.Checklist), len(ix.lists))
		below(uint32(u.Status), len(statuses))
		if !ok || !ix.checkMembers(u.Members) || !checkUsageTexts(ix.names[u.Texts:ix.usages[i+1].Texts]) {
			return false
		}
	}
	for i, r := range ix.records {
		text(r.GUID)
		below(r.Usage, usages)
		ok = ok && ix.usages[r.Usage].Record == uint32(i)+1
	}
	for _, l := range ix.labels {
		text(l.Text)
		below(l.Usage, usages)
		below(l.Kind, labelPinyin2+1)
	}
	return ok && ix.usages[usages].Key == none
}

// checkMembers checks a list of members.
func (ix *Index) checkMembers(at uint32) bool {
	if at == 0 {
		return true
	}
	if int64(at) >= int64(len(ix.members)) || int64(ix.members[at]) >= int64(len(ix.members))-int64(at) {
		return false
	}
	for _, n := range ix.membersAt(at) {
		if int64(n) >= int64(ix.Len()) {
			return false
		}
	}
	return true
}
