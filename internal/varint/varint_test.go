package varint

import (
	"encoding/binary"
	"testing"
)

func TestReader(t *testing.T) {
	packed := append(binary.AppendUvarint(nil, 300), 3, 'a', 'b', 'c', 2, 7, 8)
	r := Reader{Rest: packed}
	if n, text, count := r.Number(), string(r.Take(r.Number())), r.Count(); n != 300 || text != "abc" || count != 2 || r.Failed || len(r.Rest) != 2 {
		t.Errorf("read %d, %q, %d; failed: %t; %d bytes are left", n, text, count, r.Failed, len(r.Rest))
	}
	for name, read := range map[string]func(*Reader) bool{
		"a number that is cut off": func(r *Reader) bool { return r.Number() == 0 },
		"too many bytes":           func(r *Reader) bool { return r.Take(3) == nil },
		"too many items":           func(r *Reader) bool { r.Rest = []byte{9, 1}; return r.Count() == 0 },
	} {
		r := Reader{Rest: []byte{0x80}}
		if !read(&r) || !r.Failed || r.Number() != 0 || r.Take(1) != nil {
			t.Errorf("%s: Failed is %t, want true and only zero values", name, r.Failed)
		}
	}
}
