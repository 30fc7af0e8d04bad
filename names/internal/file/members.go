package file

import "encoding/binary"

// AppendMembers appends the entry of a usage to dst. An entry has the number of the usage's record
// plus 1, or 0 without a record; then the number of members of the concept that the usage heads;
// then the members.
func AppendMembers(dst []uint32, record uint32, members []uint32) []uint32 {
	return append(append(dst, record, uint32(len(members))), members...)
}

// listed returns the position of a usage's entry in Members. Most usages share the empty entry at
// position 0.
func (d *Data) listed(usage uint32) uint32 {
	if !d.Usages[usage].Bits.Has(Listed) {
		return 0
	}
	return binary.LittleEndian.Uint32(d.Names[d.Usages[usage+1].Texts-4:])
}

// RecordOf returns the number, plus 1, of the record that has the usage as one of its names. It
// returns 0 for names of checklists.
func (d *Data) RecordOf(usage uint32) uint32 { return d.Members[d.listed(usage)] }

// MembersOf returns the names in Catalogue of Life China and the database that belong to a concept.
// concept is the head of the concept.
func (d *Data) MembersOf(concept uint32) []uint32 { return d.membersAt(d.listed(concept)) }

func (d *Data) membersAt(at uint32) []uint32 { return d.Members[at+2:][:d.Members[at+1]] }
