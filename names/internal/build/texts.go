package build

import "strings"

// textTable holds distinct texts and numbers them.
type textTable struct {
	data   []byte
	starts []uint32
	seen   map[string]uint32
}

// add returns the number of the text s. A new text gets the next number.
func (t *textTable) add(s string) uint32 {
	if n, ok := t.seen[s]; ok {
		return n
	}
	if t.seen == nil {
		t.seen = make(map[string]uint32)
	}
	n := t.append(s)
	t.seen[strings.Clone(s)] = n
	return n
}

// addOnce works like add, but always gives s a new number. It is for texts that occur once, such as
// identifiers.
func (t *textTable) addOnce(s string) uint32 {
	if s == "" {
		return 0
	}
	return t.append(s)
}

func (t *textTable) append(s string) uint32 {
	t.starts = append(t.starts, uint32(len(t.data)))
	t.data = append(t.data, s...)
	return uint32(len(t.starts) - 1)
}

func (t *textTable) get(n uint32) string {
	end := len(t.data)
	if int(n)+1 < len(t.starts) {
		end = int(t.starts[n+1])
	}
	return string(t.data[t.starts[n]:end])
}
