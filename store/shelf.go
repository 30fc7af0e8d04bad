package store

import "encoding/binary"

// shelf is a text for each number, one behind the other:
//
//	where each text begins and, behind these, where the last ends: four bytes each,
//	little-endian
//	texts
type shelf []byte

// newShelf puts the texts of n numbers together, which add appends.
func newShelf(n int, add func(out []byte, i int) ([]byte, error)) (shelf, error) {
	out := make([]byte, 4*(n+1))
	for i := range n {
		binary.LittleEndian.PutUint32(out[4*i:], uint32(len(out)))
		var err error
		if out, err = add(out, i); err != nil {
			return nil, err
		}
	}
	binary.LittleEndian.PutUint32(out[4*n:], uint32(len(out)))
	return out, nil
}

// text returns a text. It is not ok if there is none of that number, or the bytes are damaged.
func (s shelf) text(n Num) (text []byte, ok bool) {
	at := 4 * int(n)
	if at+8 > len(s) {
		return nil, false
	}
	from, to := binary.LittleEndian.Uint32(s[at:]), binary.LittleEndian.Uint32(s[at+4:])
	if from > to || int64(to) > int64(len(s)) {
		return nil, false
	}
	return s[from:to], true
}
