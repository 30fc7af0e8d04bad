package rows

import (
	"bufio"
	"os"
	"strconv"
)

// Limits of the texts that cells share.
const (
	// textsInMemory is how many bytes of them are kept in memory before they go
	// to a temporary file.
	textsInMemory = 8 << 20
	// textCost is how many bytes a text counts for at least against what may be
	// unpacked, since each has a place to be kept, even if it is empty.
	textCost = 16
	// window is how much is read of the file at once: texts that follow each
	// other are mostly asked for one after the other.
	window = 16 << 10
)

// texts are the texts that cells refer to by their numbers. All are kept behind
// each other, with the ends of each.
type texts struct {
	spill  *scratch
	n      int
	ends   []*ends
	size   int64
	memory []byte
	file   *os.File
	out    *bufio.Writer
	near   []byte // what was read last of the file
	nearAt int64
}

// ends are the ends of some texts, counted from the first one's begin.
type ends struct {
	begin int64
	at    [1024]uint32
}

// add keeps one more text. What a text has over the limit of a row is of no use,
// and left out.
func (t *texts) add(text []byte) error {
	text = text[:min(len(text), maxLenientBytes+1)]
	block := t.n % len(ends{}.at)
	if block == 0 {
		t.ends = append(t.ends, &ends{begin: t.size})
	}
	last := t.ends[len(t.ends)-1]
	t.size += int64(len(text))
	last.at[block] = uint32(t.size - last.begin)
	t.n++
	if t.out == nil && len(t.memory)+len(text) <= textsInMemory {
		t.memory = append(t.memory, text...)
		return nil
	}
	if t.out == nil {
		file, err := t.spill.file()
		if err != nil {
			return err
		}
		t.file, t.out = file, bufio.NewWriterSize(file, window)
		if _, err := t.out.Write(t.memory); err != nil {
			return &readError{err}
		}
		t.memory = nil
	}
	if _, err := t.out.Write(text); err != nil {
		return &readError{err}
	}
	return nil
}

// done ends the adding.
func (t *texts) done() error {
	if t.out == nil {
		return nil
	}
	if err := t.out.Flush(); err != nil {
		return &readError{err}
	}
	t.near = make([]byte, 0, window)
	return nil
}

// find returns where the text of a number is, if there is such a text.
func (t *texts) find(number string) (from, to int64, ok bool) {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= t.n {
		return 0, 0, false
	}
	block, in := t.ends[i/len(ends{}.at)], i%len(ends{}.at)
	from = block.begin
	if in > 0 {
		from += int64(block.at[in-1])
	}
	return from, block.begin + int64(block.at[in]), true
}

// text returns the text at a place.
func (t *texts) text(from, to int64) (string, error) {
	if t.file == nil {
		return string(t.memory[from:to]), nil
	}
	if to-from > window {
		b := make([]byte, to-from)
		if _, err := t.file.ReadAt(b, from); err != nil {
			return "", &readError{err}
		}
		return string(b), nil
	}
	if from < t.nearAt || to > t.nearAt+int64(len(t.near)) {
		t.nearAt = from
		t.near = t.near[:min(window, t.size-from)]
		if _, err := t.file.ReadAt(t.near, from); err != nil {
			return "", &readError{err}
		}
	}
	return string(t.near[from-t.nearAt : to-t.nearAt]), nil
}
