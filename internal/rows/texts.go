package rows

import (
	"bufio"
	"os"
	"strconv"
)

// Limits of the shared strings.
const (
	// textsInMemory is the size in bytes up to which the strings stay in memory instead of a
	// temporary file.
	textsInMemory = 8 << 20
	// A string counts as at least textCost unpacked bytes. Even an empty string takes memory.
	textCost = 16
	// window is the number of bytes read from the file at once. Most cells need the string that
	// follows the string of the previous cell.
	window = 16 << 10
)

// texts holds the shared strings in one text, and the position at which each string ends.
type texts struct {
	spill  *scratch
	n      int
	ends   []*ends
	size   int64
	memory []byte
	file   *os.File
	out    *bufio.Writer
	near   []byte // the window that was read last
	nearAt int64
}

// ends holds the positions at which consecutive strings end, relative to the start of the first
// string.
type ends struct {
	begin int64
	at    [1024]uint32
}

// add appends a string. It drops text beyond the limit of a row.
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

// done writes the buffered strings to the file. It must be called after the last string has been
// added.
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

// find returns the position of a string by its number. ok is false if there is no such string.
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

// text returns the text at a position.
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
