package file

import "encoding/binary"

// AppendMembers appends what is told of a usage: the number of the record that
// it is a name of + 1, or 0, and the members of the concept that it heads,
// behind their number.
func AppendMembers(dst []uint32, record uint32, members []uint32) []uint32 {
	return append(append(dst, record, uint32(len(members))), members...)
}

// listed returns where Members tells of a usage: at the beginning, where there
// is nothing to tell, for most.
func (d *Data) listed(usage uint32) uint32 {
	if !d.Usages[usage].Bits.Has(Listed) {
		return 0
	}
	return binary.LittleEndian.Uint32(d.Names[d.Usages[usage+1].Texts-4:])
}

// RecordOf returns the number of the record that a usage is a name of + 1, or 0
// for names of checklists.
func (d *Data) RecordOf(usage uint32) uint32 { return d.Members[d.listed(usage)] }

// MembersOf returns the names under which Catalogue of Life China and the
// database have the taxon of a concept, given by its head.
func (d *Data) MembersOf(concept uint32) []uint32 { return d.membersAt(d.listed(concept)) }

func (d *Data) membersAt(at uint32) []uint32 { return d.Members[at+2:][:d.Members[at+1]] }
