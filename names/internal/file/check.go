package file

import (
	"encoding/binary"
	"fmt"

	"bencao/names/internal/checklist"
)

// checker validates the contents of a file.
type checker struct{ *Data }

// check validates every row number and every position in the file, so that no lookup reads outside
// a section.
func (d checker) check() error {
	if err := d.checkOffsets(); err != nil {
		return err
	}
	if !d.checkRows() {
		return fmt.Errorf("%w: a row points to something that is not there; build it again", ErrDamaged)
	}
	if err := d.Exact.check(d.Len()); err != nil {
		return err
	}
	for i, limit := range d.limits() {
		if err := d.Tables[i].check(limit); err != nil {
			return err
		}
	}
	return nil
}

// checkOffsets validates the offsets at which the data of each row start.
func (d checker) checkOffsets() error {
	if len(d.Keys) == 0 || len(d.Genera) == 0 || len(d.Usages) == 0 {
		return fmt.Errorf("%w: a section is missing; build it again", ErrDamaged)
	}
	for _, o := range []struct {
		n   int
		at  func(i int) uint32
		end int
	}{
		{len(d.Keys), func(i int) uint32 { return d.Keys[i].Rest }, len(d.Rests)},
		{len(d.Genera), func(i int) uint32 { return d.Genera[i].Name }, len(d.GenusNames)},
		{len(d.Genera), func(i int) uint32 { return d.Genera[i].Key }, len(d.Keys) - 1},
		{len(d.Usages), func(i int) uint32 { return d.Usages[i].Texts }, len(d.Names)},
	} {
		if err := checkOffsets(o.n, o.at, o.end); err != nil {
			return err
		}
	}
	return nil
}

// checkRows reports whether every row that another row refers to exists.
func (d checker) checkRows() bool {
	keys, usages := len(d.Keys)-1, d.Len()
	ok := true
	below := func(n uint32, limit int) { ok = ok && int64(n) < int64(limit) }
	text := func(n uint32) { ok = ok && d.checkText(n) }
	for _, n := range d.Words {
		text(n)
	}
	database := d.list(checklist.SourceDatabase)
	first := 0
	for i := range d.Usages[:usages] {
		u := &d.Usages[i]
		below(uint32(u.Rank), len(d.Words))
		below(uint32(u.Family), len(d.Words))
		below(u.Concept, usages)
		below(uint32(u.Checklist), len(d.Checklists))
		below(uint32(u.Status), len(checklist.Statuses))
		if u.Bits.Has(First) {
			first++
		}
		ok = ok && first > 0
		if !ok || !d.checkUsageTexts(i) || !d.checkMembers(uint32(i), int(u.Checklist) == database) {
			return false
		}
	}
	ok = ok && first == keys
	for i, r := range d.Records {
		text(r.GUID)
		below(r.Usage, usages)
		ok = ok && d.RecordOf(r.Usage) == uint32(i)+1
	}
	for i, e := range d.Edges {
		below(e.Usage, usages)
		below(e.To, usages)
		below(e.Via, usages)
		below(uint32(e.Reason), int(numReasons))
		ok = ok && (i == 0 || d.Edges[i-1].Usage < e.Usage)
	}
	for _, l := range d.Labels {
		text(l.Text)
		below(l.Usage, usages)
		below(l.Kind, numLabels)
	}
	return ok && d.Usages[usages].Bits.Has(First)
}

// checkUsageTexts reports whether the texts of usage i are valid. If the usage is Listed, the
// position of its entry in Members must follow the texts.
func (d checker) checkUsageTexts(i int) bool {
	b := d.Names[d.Usages[i].Texts:d.Usages[i+1].Texts]
	if d.Usages[i].Bits.Has(Listed) {
		if len(b) < 4 {
			return false
		}
		b = b[:len(b)-4]
	}
	return checkTexts(b, d.Usages[i].Bits.Has(First))
}

// checkMembers reports whether the entry of a usage in Members is valid. ofDatabase is true if the
// usage is a name of the database, which must have a record.
func (d checker) checkMembers(usage uint32, ofDatabase bool) bool {
	at := int64(d.listed(usage))
	if at+2 > int64(len(d.Members)) || at+2+int64(d.Members[at+1]) > int64(len(d.Members)) || int64(d.Members[at]) > int64(len(d.Records)) {
		return false
	}
	for _, n := range d.membersAt(uint32(at)) {
		if int64(n) >= int64(d.Len()) {
			return false
		}
	}
	return !ofDatabase || d.Members[at] != 0
}

// checkText reports whether n is the position of a complete text in Shared.
func (d checker) checkText(n uint32) bool {
	if int64(n) >= int64(len(d.Shared)) {
		return false
	}
	b := d.Shared[n:]
	size, from := binary.Uvarint(b)
	return from > 0 && size <= uint64(len(b)-from)
}
