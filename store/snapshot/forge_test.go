package snapshot_test

import (
	"bytes"
	"hash/crc32"
)

// forgeCRC returns a copy of b that has the CRC-32C of like. It changes only the last four bytes. A
// CRC is linear, so these bytes are the solution of 32 linear equations.
func forgeCRC(b, like []byte) []byte {
	table := crc32.MakeTable(crc32.Castagnoli)
	crc := func(b []byte) uint32 { return crc32.Checksum(b, table) }
	start := len(b) - 4
	flip := func(bits uint32) []byte {
		c := bytes.Clone(b)
		for i := range 4 {
			c[start+i] ^= byte(bits >> (8 * i))
		}
		return c
	}
	// row is a change of bits and its effect on the CRC.
	type row struct{ effect, bits uint32 }
	var byTop [32]row
	base := crc(b)
	for i := range 32 {
		r := row{crc(flip(1<<i)) ^ base, 1 << i}
		for top := 31; top >= 0; top-- {
			if r.effect>>top&1 == 0 {
				continue
			}
			if byTop[top].effect == 0 {
				byTop[top] = r
				break
			}
			r.effect ^= byTop[top].effect
			r.bits ^= byTop[top].bits
		}
	}
	want := crc(like) ^ base
	var bits uint32
	for top := 31; top >= 0; top-- {
		if want>>top&1 == 1 {
			want ^= byTop[top].effect
			bits ^= byTop[top].bits
		}
	}
	return flip(bits)
}
