package delta

import (
	"encoding/binary"
	"math/bits"
)

const (
	// smallest is the minimum size in bytes of an indexed block of the old file.
	smallest = 32
	// mostBlocks is the maximum number of blocks. Larger files have larger blocks.
	mostBlocks = 16 << 20
	// mostAlike is the maximum number of blocks with the same hash that a search compares.
	mostAlike = 4
)

// index finds blocks of a file by their hash. It is an open-addressing hash table. A slot holds the
// number of a block plus 1 and 32 bits of its hash; 0 is an empty slot.
type index struct {
	file  []byte
	block int      // the size of a block in bytes
	table []uint64 // the slots
	shift int      // a hash shifted right by shift is the index of its first slot
}

func newIndex(file []byte) *index {
	x := &index{file: file, block: smallest}
	for len(file)/x.block > mostBlocks {
		x.block *= 2
	}
	n := len(file) / x.block
	size := bits.Len(uint(n + n/4)) // 40 to 80 % of the slots are used
	x.table, x.shift = make([]uint64, 1<<size), 64-size
	before := uint64(0)
	for i := range n {
		h := hash(file[i*x.block:])
		if h == before {
			continue // in a run of equal blocks only the first is indexed
		}
		before = h
		alike := 0
		place := h >> x.shift
		for ; x.table[place] != 0 && alike < mostAlike; place = (place + 1) & uint64(len(x.table)-1) {
			if uint32(x.table[place]) == uint32(h) {
				alike++
			}
		}
		if x.table[place] == 0 {
			x.table[place] = uint64(i+1)<<32 | uint64(uint32(h))
		}
	}
	return x
}

// hash returns a hash of the first 32 bytes of a block.
func hash(b []byte) uint64 {
	_ = b[smallest-1]
	const k0, k1, k2, k3 = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0xd6e8feb86659fd93
	h := binary.LittleEndian.Uint64(b)*k0 ^ bits.RotateLeft64(binary.LittleEndian.Uint64(b[8:])*k1, 17)
	h += bits.RotateLeft64(binary.LittleEndian.Uint64(b[16:])*k2, 31) ^ binary.LittleEndian.Uint64(b[24:])*k3
	h ^= h >> 29
	h *= k1
	return h ^ h>>32
}

// find searches the file for the start of other[at:]. It returns the position and the length of the
// longest match. It considers only matches that begin at the start of a block of the file. The
// length is 0 if there is no match.
func (x *index) find(other []byte, at int) (from, n int) {
	if len(other)-at < x.block {
		return 0, 0
	}
	h := hash(other[at:])
	mask := uint64(len(x.table) - 1)
	for place, alike := h>>x.shift, 0; x.table[place] != 0 && alike < mostAlike; place = (place + 1) & mask {
		if uint32(x.table[place]) != uint32(h) {
			continue
		}
		alike++
		block := (int(x.table[place]>>32) - 1) * x.block
		if k := same(other[at:], x.file[block:]); k > n {
			from, n = block, k
		}
	}
	return from, n
}
