package store

import "encoding/binary"

// textArray holds one text for each record number:
//
//	offsets   the start of each text and the end of the last text, counted from
//	          the start of the array; four bytes each, little-endian
//	texts     one after another
type textArray []byte

// newTextArray returns an array of n texts. add appends text i to out.
func newTextArray(n int, add func(out []byte, i int) ([]byte, error)) (textArray, error) {
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

// text returns text n. ok is false if there is no such text or the bytes are damaged.
func (a textArray) text(n Num) (text []byte, ok bool) {
	at := 4 * int(n)
	if at+8 > len(a) {
		return nil, false
	}
	from, to := binary.LittleEndian.Uint32(a[at:]), binary.LittleEndian.Uint32(a[at+4:])
	if from > to || int64(to) > int64(len(a)) {
		return nil, false
	}
	return a[from:to], true
}
