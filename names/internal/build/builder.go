package build

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bencao/names/han"
	"bencao/names/internal/author"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
)

// Builder collects checklists and records and writes the names file. It must not be used
// concurrently.
type Builder struct {
	lists   []checklist.Checklist
	text    textTable
	words   textTable // the names of ranks and families
	usages  []draft
	links   []pendingLink // by the number of a usage: hashes of its own id and of the id of its accepted name
	records []file.Record
	labels  []file.Label
	genera  map[string]string // folded Chinese name → folded genus
	// db is the number of the database's list, or -1.
	db int
	// byEntry maps the entry numbers of records to usages. It is built when the first herb is
	// added.
	byEntry map[int32]uint32
}

// draft is a usage before the names file is laid out. Its texts are numbers in Builder.text; 0
// means no text.
type draft struct {
	Name, Author, ID   uint32
	IPNI, WFO, Chinese uint32
	Accepted           uint32 // number of the accepted usage in the same checklist + 1, or 0
	Concept            uint32
	Key                uint32
	Record             uint32 // number of the record + 1, for names of the database; otherwise 0
	Rank, Family       uint16 // numbers in Builder.words
	Checklist          uint8
	Status             checklist.StatusNumber
	Group              uint8
	Bits               file.Bits
}

// pendingLink holds hashes of the id of a usage and of the id of its accepted name. They are
// resolved when all usages are known.
type pendingLink struct{ id, accepted uint64 }

// New returns an empty Builder.
func New() *Builder {
	b := &Builder{db: -1, genera: make(map[string]string)}
	b.text.add("")
	b.words.add("")
	return b
}

// setWords sets the rank and the family of a row.
func (b *Builder) setWords(row *draft, rank, family string) error {
	r, f := b.words.add(strings.ToLower(rank)), b.words.add(spelling.Tidy(family))
	if max(r, f) > math.MaxUint16 {
		return fmt.Errorf("more than %d different ranks and families; check that the columns of ranks and families are the right ones", math.MaxUint16)
	}
	row.Rank, row.Family = uint16(r), uint16(f)
	return nil
}

// ChecklistBuilder adds the rows of one checklist.
type ChecklistBuilder struct {
	b    *Builder
	list uint8
}

// Checklist starts a checklist. If checklists disagree, WCVP has precedence. Among the others, the
// one that was started first has precedence.
func (b *Builder) Checklist(c checklist.Checklist) *ChecklistBuilder {
	b.lists = append(b.lists, c)
	return &ChecklistBuilder{b, uint8(len(b.lists) - 1)}
}

// Add adds a row. The rows of a checklist may come in any order. If the row has no usable name, Add
// ignores it and returns an error.
func (c *ChecklistBuilder) Add(u checklist.Usage) error {
	if int(c.list) >= 255 {
		return errors.New("too many checklists: at most 254")
	}
	name, cited := splitName(tidyName(u.Name), spelling.Tidy(u.Author))
	if err := checkName(name); err != nil {
		return err
	}
	if err := file.CheckTextSizes(cited, u.ID, u.IPNIID, u.WFOID, u.ChineseName); err != nil {
		return err
	}
	b := c.b
	row := draft{
		Name: b.text.add(name), Author: b.text.add(cited), ID: b.text.addOnce(u.ID),
		IPNI: b.text.addOnce(strings.TrimPrefix(u.IPNIID, checklist.IPNIPrefix)), WFO: b.text.addOnce(u.WFOID),
		Chinese:   b.text.add(u.ChineseName),
		Checklist: c.list, Status: statusOf(u.Status, cited).Number(),
	}
	if err := b.setWords(&row, spelling.Tidy(u.Rank), u.Family); err != nil {
		return err
	}
	link := pendingLink{}
	if u.ID != "" {
		link.id = file.Hash(u.ID)
	}
	if u.AcceptedID != "" {
		link.accepted = file.Hash(u.AcceptedID)
	}
	n := b.addUsage(row, link)
	if u.ChineseName != "" {
		kind := uint32(file.LabelList)
		if han.Noted(u.ChineseName) {
			kind = file.LabelAutonym
		}
		b.addLabel(han.Fold(u.ChineseName), n, kind)
	}
	return nil
}

// Record adds a species of the database with its synonyms and Chinese names. If the species has no
// usable name, Record ignores it and returns an error.
func (b *Builder) Record(r checklist.Record) error {
	name := tidyName(r.ScientificName)
	if err := checkName(name); err != nil {
		return err
	}
	if err := file.CheckTextSizes(r.Author, r.ChineseName); err != nil {
		return err
	}
	if b.db < 0 {
		b.lists = append(b.lists, checklist.Checklist{Source: checklist.SourceDatabase})
		b.db = len(b.lists) - 1
	}
	rec := uint32(len(b.records) + 1)
	own := draft{
		Name: b.text.add(name), Author: b.text.add(spelling.Tidy(r.Author)), Chinese: b.text.add(r.ChineseName),
		Checklist: uint8(b.db), Status: checklist.Accepted.Number(), Record: rec, Accepted: uint32(len(b.usages) + 1),
	}
	if err := b.setWords(&own, r.Rank, r.Family); err != nil {
		return err
	}
	n := b.addUsage(own, pendingLink{})
	b.records = append(b.records, file.Record{EntryID: uint32(r.EntryID), GUID: b.text.addOnce(r.GUID), Usage: n})

	for _, s := range r.Synonyms {
		sname := tidyName(s.Name)
		if checkName(sname) != nil || file.CheckTextSizes(s.Author) != nil {
			continue // the indexer has reported the error
		}
		st, _ := checklist.ParseStatus(s.Status)
		if st == checklist.Accepted || st == checklist.Unplaced {
			st = checklist.Synonym
		}
		row := draft{
			Name: b.text.add(sname), Author: b.text.add(spelling.Tidy(s.Author)),
			Checklist: uint8(b.db), Status: statusOf(st, s.Author).Number(), Record: rec, Accepted: n + 1,
		}
		if err := b.setWords(&row, s.Rank, r.Family); err != nil {
			return err
		}
		if strings.EqualFold(strings.ReplaceAll(s.Status, " ", ""), "proparte") {
			row.Bits |= file.ProParte
		}
		b.addUsage(row, pendingLink{})
	}
	kind := uint32(file.LabelName)
	if han.Noted(r.ChineseName) {
		kind = file.LabelAutonym
	}
	b.addLabel(han.Fold(r.ChineseName), n, kind)
	b.addLabel(pinyin.Joined(r.Pinyin), n, file.LabelPinyin)
	if r.GenusChinese != "" {
		genus, _ := spelling.NextWord(name)
		b.genera[han.Fold(r.GenusChinese)] = string(spelling.AppendFolded(nil, genus))
	}
	for _, a := range r.Aliases {
		b.addLabel(han.Fold(a.Name), n, file.LabelAlias)
		b.addLabel(pinyin.Joined(a.Pinyin), n, file.LabelPinyin2)
	}
	return nil
}

// statusOf returns the status of a name. A synonym is a misapplied name if its author says so.
func statusOf(status checklist.Status, cited string) checklist.Status {
	if status == checklist.Synonym && author.IsMisapplied(cited) {
		return checklist.Misapplied
	}
	return status
}

// Herb adds the name of a herb. entryIDs are the records of the species that the herb comes from; a
// herb without species is not of plant origin. Herb returns how many of these records the builder
// already has.
func (b *Builder) Herb(name string, entryIDs []int32) int {
	if b.byEntry == nil {
		b.byEntry = make(map[int32]uint32, len(b.records))
		for _, r := range b.records {
			b.byEntry[int32(r.EntryID)] = r.Usage
		}
	}
	key, known := han.Fold(name), 0
	for _, id := range entryIDs {
		if usage, ok := b.byEntry[id]; ok {
			b.addLabel(key, usage, file.LabelHerb)
			known++
		}
	}
	if len(entryIDs) == 0 && len(b.usages) > 0 {
		b.addLabel(key, 0, file.LabelNoPlant)
	}
	return known
}

func (b *Builder) addUsage(row draft, link pendingLink) uint32 {
	b.usages = append(b.usages, row)
	b.links = append(b.links, link)
	return uint32(len(b.usages) - 1)
}

func (b *Builder) addLabel(text string, usage, kind uint32) {
	if text != "" {
		b.labels = append(b.labels, file.Label{Text: b.text.add(text), Usage: usage, Kind: kind})
	}
}

// labelGenera adds the Chinese names of the genera in checklists.
func (b *Builder) labelGenera(k *keyTable) {
	for _, chinese := range slices.Sorted(maps.Keys(b.genera)) {
		g, ok := slices.BinarySearchFunc(k.genera, []byte(b.genera[chinese]), bytes.Compare)
		if !ok {
			continue
		}
		if key := k.start[g]; len(k.keys[key]) == len(k.genera[g]) {
			b.addLabel(chinese, k.usages[key], file.LabelList)
		}
	}
}

// labelVernacular adds everyday names that checklists lack, as other Chinese names of a plant. The
// scientific name of the plant can have several usages. labelVernacular adds the everyday name to
// the usage of a species of the database, otherwise to the first accepted usage, otherwise to the
// first usage.
func (b *Builder) labelVernacular() {
	table := vernacular.Asian()
	type place struct {
		usage uint32
		rank  int
	}
	best := map[string]place{} // scientific name in lower case → its best usage
	for n := range b.usages {
		u := &b.usages[n]
		name := strings.ToLower(b.text.get(u.Name))
		if table.OfPlant(name) == nil || u.Status == checklist.Misapplied.Number() {
			continue
		}
		rank := 3
		switch {
		case u.Record != 0 && u.Accepted == uint32(n)+1:
			rank = 0
		case u.Record != 0:
			rank = 1
		case u.Status == checklist.Accepted.Number():
			rank = 2
		}
		if p, ok := best[name]; !ok || rank < p.rank {
			best[name] = place{uint32(n), rank}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(best)) {
		for _, text := range table.OfPlant(name) {
			b.addLabel(han.Fold(text), best[name].usage, file.LabelAlias)
		}
	}
}

// WriteFile links the checklists and writes the names file to path. It replaces an existing file.
// It must be called once, at the end.
func (b *Builder) WriteFile(path string) error {
	if len(b.text.data) > 1<<32-1 {
		return fmt.Errorf("%d bytes of names do not fit into a names file of 4 GiB", len(b.text.data))
	}
	b.labelVernacular()
	k := b.sortKeys()
	b.labelGenera(k)
	return file.Write(path, lay(b, k, link(b, k)))
}
