package names

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/pinyin"
)

// Builder gathers checklists and records and writes the names file. It is not
// safe for use by many goroutines.
type Builder struct {
	lists   []Checklist
	text    stringTable
	usages  []draft
	links   []pendingLink // accepted ids, by usage
	records []recordRow
	labels  []labelRow
	// db is the number of the database's own list, or -1.
	db int
}

// draft is a usage on its way into the file. Texts are numbers of strings, 0
// is none.
type draft struct {
	Name, Author, ID, Rank, Family uint32
	IPNI, WFO, Chinese             uint32
	Accepted                       uint32 // number of the accepted usage in its own list + 1, or 0
	Concept                        uint32
	Key                            uint32
	Record                         uint32 // number of the record + 1, for names of the database
	Checklist, Status, Group, Bits uint8
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
	if err := checkTextSizes(author, u.ID, u.IPNIID, u.WFOID, u.ChineseName); err != nil {
		return err
	}
	b := c.b
	row := draft{
		Name: b.text.add(name), Author: b.text.add(author), ID: b.text.addOnce(u.ID),
		Rank: b.text.add(strings.ToLower(tidy(u.Rank))), Family: b.text.add(tidy(u.Family)),
		IPNI: b.text.addOnce(strings.TrimPrefix(u.IPNIID, ipniPrefix)), WFO: b.text.addOnce(u.WFOID),
		Chinese:   b.text.add(u.ChineseName),
		Checklist: c.list, Status: u.Status.Number(),
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
	if err := checkTextSizes(r.Author, r.ChineseName); err != nil {
		return err
	}
	if b.db < 0 {
		b.lists = append(b.lists, Checklist{Source: SourceDatabase})
		b.db = len(b.lists) - 1
	}
	rec := uint32(len(b.records) + 1)
	n := b.addUsage(draft{
		Name: b.text.add(name), Author: b.text.add(tidy(r.Author)), Rank: b.text.add(strings.ToLower(r.Rank)),
		Family: b.text.add(tidy(r.Family)), Chinese: b.text.add(r.ChineseName),
		Checklist: uint8(b.db), Status: Accepted.Number(), Record: rec, Accepted: uint32(len(b.usages) + 1),
	}, pendingLink{})
	b.records = append(b.records, recordRow{uint32(r.EntryID), b.text.addOnce(r.GUID), n})

	for _, s := range r.Synonyms {
		sname := tidyName(s.Name)
		if checkName(sname) != nil || checkTextSizes(s.Author) != nil {
			continue // the indexer reports it
		}
		st, _ := ParseStatus(s.Status)
		if st == Accepted || st == Unplaced {
			st = Synonym
		}
		row := draft{
			Name: b.text.add(sname), Author: b.text.add(tidy(s.Author)), Rank: b.text.add(strings.ToLower(s.Rank)),
			Family: b.text.add(tidy(r.Family)), Checklist: uint8(b.db), Status: st.Number(), Record: rec, Accepted: n + 1,
		}
		if strings.HasPrefix(strings.ToLower(s.Author), "auct") {
			row.Status = Misapplied.Number()
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
	b.addLabel(pinyin.Joined(r.Pinyin), n, labelPinyin)
	for _, a := range r.Aliases {
		b.addLabel(han.Fold(a.Name), n, labelAlias)
		b.addLabel(pinyin.Joined(a.Pinyin), n, labelPinyin2)
	}
	return nil
}

func (b *Builder) addUsage(row draft, link pendingLink) uint32 {
	b.usages = append(b.usages, row)
	b.links = append(b.links, link)
	return uint32(len(b.usages) - 1)
}

func (b *Builder) addLabel(text string, usage, kind uint32) {
	if text != "" {
		b.labels = append(b.labels, labelRow{b.text.add(text), usage, kind})
	}
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

// CheckName says why a name can't go into the index, or nil. [ChecklistBuilder.Add]
// refuses such a name; who reads a checklist knows the line to blame.
func CheckName(name string) error { return checkName(tidyName(name)) }

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
