package delta

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Make writes the delta that turns old into new. Its memory holds both files, their uncompressed
// contents if they are compressed, the delta, and an index of the old file. The index is a third to
// two thirds as large as the old file, and at most 256 MiB.
func Make(w io.Writer, old, new []byte) error {
	if max(len(old), len(new)) > MaxFile {
		return fmt.Errorf("deltas are only made between files of at most %d bytes", MaxFile)
	}
	h := header{old: int64(len(old)), new: int64(len(new))}
	m := &making{old: old, new: new}
	for i := range m.streams {
		var err error
		if m.streams[i], err = newWriter(&m.packed[i]); err != nil {
			return err
		}
	}
	if in := repacked(new); len(in) > 0 {
		from := unpacked(old)
		if _, err := m.streams[members].Write(encodeLayouts(from, in)); err != nil {
			return err
		}
		m.old, m.new = from.image(old), in.image(new)
		h.oldImage, h.newImage = int64(len(m.old)), int64(len(m.new))
	}
	if err := m.search(newIndex(m.old)); err != nil {
		return err
	}
	parts := []io.Reader{nil}
	for i := range m.streams {
		if i == members && h.newImage == 0 {
			continue
		}
		if err := m.streams[i].Close(); err != nil {
			return err
		}
		h.lengths[i] = int64(m.packed[i].Len())
		parts = append(parts, &m.packed[i])
	}
	parts[0] = bytes.NewReader(h.encode())
	_, err := io.Copy(w, io.MultiReader(parts...))
	return err
}

// making is the state of [Make]. The instructions written so far produce the new file up to
// position done. The current match pairs position done of the new file with position from of the
// old file. reached is the position in the old file after the last instruction.
type making struct {
	old, new   []byte
	done, from int
	reached    int
	look       int // near searches only from this position on
	vain       int // the number of searches of near that have failed in a row
	packed     [streams]bytes.Buffer
	streams    [streams]*zstd.Encoder
	scratch    []byte
}

// minGain is a number of bytes. Another match in the old file is worth an instruction only if it
// has more than minGain more equal bytes than the current match.
const minGain = 16

// search goes through the new file and writes an instruction wherever a better match starts.
func (m *making) search(x *index) error {
	for at := 0; at < len(m.new); {
		// The current match continues.
		if n := same(m.new[at:], tail(m.old, m.from+at-m.done)); n >= 8 {
			at += n
			continue
		}
		from, n := x.find(m.new, at)
		if n < x.block {
			from, n = m.near(at)
		}
		switch {
		case n == 0:
			at++
			continue
		case n > m.follows(at, n)+minGain:
			if err := m.leave(at, from); err != nil {
				return err
			}
		}
		at += n
	}
	return m.leave(len(m.new), len(m.old))
}

// follows returns how many of the bytes m.new[at:at+n] are equal in the current match.
func (m *making) follows(at, n int) (equal int) {
	old := tail(m.old, m.from+at-m.done)
	for i, b := range m.new[at : at+n][:min(n, len(old))] {
		if b == old[i] {
			equal++
		}
	}
	return equal
}

// leave ends the current match. The next match pairs m.new[at] with m.old[from]. leave writes the
// instruction for the bytes before the next match.
func (m *making) leave(at, from int) error {
	ahead, back := m.ahead(at), 0
	if at < len(m.new) {
		back = m.back(at, from)
	}
	if overlap := ahead + back - (at - m.done); overlap > 0 {
		ahead, back = m.share(from, ahead, back, overlap)
	}
	if err := m.instruct(ahead, at-back-m.done-ahead); err != nil {
		return err
	}
	m.done, m.from = at-back, from-back
	return nil
}

// ahead returns the best length of the current match, which may not reach beyond m.new[:at]. This
// is the length with the largest surplus of equal over unequal bytes.
func (m *making) ahead(at int) (length int) {
	now := m.new[m.done:at]
	score, best := 0, 0
	for i, b := range tail(m.old, m.from) {
		if i == len(now) {
			break
		}
		if b != now[i] {
			score--
		} else if score++; score > best {
			best, length = score, i+1
		}
	}
	return length
}

// back returns the number of bytes by which the next match is extended backward from m.new[at]. The
// extension has the largest surplus of equal over unequal bytes.
func (m *making) back(at, from int) (length int) {
	score, best := 0, 0
	for i := 1; i <= min(at-m.done, from); i++ {
		if m.new[at-i] != m.old[from-i] {
			score--
		} else if score++; score > best {
			best, length = score, i
		}
	}
	return length
}

// share divides the overlap of the current and the next match between them, so that most bytes are
// equal. It returns the new values of ahead and back.
func (m *making) share(from, ahead, back, overlap int) (int, int) {
	score, best, first := 0, 0, 0
	begin := ahead - overlap
	for i := range overlap {
		b := m.new[m.done+begin+i]
		if b == m.old[m.from+begin+i] {
			score++
		}
		if b == m.old[from-back+i] {
			score--
		}
		if score > best {
			best, first = score, i+1
		}
	}
	return begin + first, back - first
}

// instruct writes an instruction for the next bytes of the new file: first add bytes that are
// stored as differences, then copied bytes that are stored as new bytes. It also writes the
// differences and the new bytes to their streams.
func (m *making) instruct(add, copied int) error {
	if add+copied == 0 {
		return nil // an instruction must have output
	}
	var b []byte
	b = binary.AppendVarint(b, int64(m.from-m.reached))
	b = binary.AppendUvarint(b, uint64(add))
	b = binary.AppendUvarint(b, uint64(copied))
	if _, err := m.streams[instructions].Write(b); err != nil {
		return err
	}
	m.reached = m.from + add
	for i := 0; i < add; i += chunkSize {
		n := min(chunkSize, add-i)
		m.scratch = append(m.scratch[:0], m.new[m.done+i:m.done+i+n]...)
		for j, b := range m.old[m.from+i : m.from+i+n] {
			m.scratch[j] -= b
		}
		if _, err := m.streams[differences].Write(m.scratch); err != nil {
			return err
		}
	}
	_, err := m.streams[literals].Write(m.new[m.done+add : m.done+add+copied])
	return err
}

// tail returns file[at:], or nil if at is outside the file.
func tail(file []byte, at int) []byte {
	if at < 0 || at > len(file) {
		return nil
	}
	return file[at:]
}

// same returns the length of the common prefix of a and b.
func same(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for ; i+8 <= n; i += 8 {
		if binary.LittleEndian.Uint64(a[i:]) != binary.LittleEndian.Uint64(b[i:]) {
			break
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
