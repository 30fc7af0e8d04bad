package file

import (
	"fmt"

	"bencao/names/internal/vocabulary"
)

// check checks every number that a look-up follows, so that none can lead out
// of its section.
func (d *Data) check() error {
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

// checkOffsets checks where the texts and rows of each row begin.
func (d *Data) checkOffsets() error {
	if len(d.Keys) == 0 || len(d.Genera) == 0 || len(d.Usages) == 0 {
		return fmt.Errorf("%w: a section is missing; build it again", ErrDamaged)
	}
	for _, o := range []struct {
		n   int
		at  func(i int) uint32
		end int
	}{
		{len(d.Keys), func(i int) uint32 { return d.Keys[i].Rest }, len(d.Rests)},
		{len(d.Keys), func(i int) uint32 { return d.Keys[i].Usage }, d.Len()},
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

// checkRows says whether all that rows refer to is there.
func (d *Data) checkRows() bool {
	keys, genera, usages := len(d.Keys)-1, len(d.Genera)-1, d.Len()
	ok := true
	below := func(n uint32, limit int) { ok = ok && int64(n) < int64(limit) }
	text := func(n uint32) { ok = ok && d.checkText(n) }
	for _, k := range d.Keys[:keys] {
		below(k.Genus, genera)
	}
	for i := range d.Usages[:usages] {
		u := &d.Usages[i]
		text(u.Rank)
		text(u.Family)
		below(u.Key, keys)
		below(u.Concept, usages)
		below(u.Record, len(d.Records)+1)
		below(uint32(u.Checklist), len(d.Checklists))
		below(uint32(u.Status), len(vocabulary.Statuses))
		if !ok || !d.checkMembers(u.Members) || !checkUsageTexts(d.Names[u.Texts:d.Usages[i+1].Texts]) {
			return false
		}
	}
	for i, r := range d.Records {
		text(r.GUID)
		below(r.Usage, usages)
		ok = ok && d.Usages[r.Usage].Record == uint32(i)+1
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
	return ok && d.Usages[usages].Key == None
}

// checkMembers checks a list of members.
func (d *Data) checkMembers(at uint32) bool {
	if at == 0 {
		return true
	}
	if int64(at) >= int64(len(d.Members)) || int64(d.Members[at]) >= int64(len(d.Members))-int64(at) {
		return false
	}
	for _, n := range d.membersAt(at) {
		if int64(n) >= int64(d.Len()) {
			return false
		}
	}
	return true
}
