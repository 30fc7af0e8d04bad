package rows

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// chunk is how many bytes are read at once.
const chunk = 64 << 10

// errRow ends the reading of a row that is longer than MaxRow.
var errRow = errors.New("row too long")

// source is what the dialects read from. It takes off a byte-order mark, ends
// a row that takes too much, and keeps the last chunk, from which the encoding
// is guessed when it is not UTF-8.
type source struct {
	r     io.Reader
	begun bool
	utf16 string // the encoding that the first two bytes announce, or ""
	swap  bool   // ' and " change places, because encoding/csv knows only "
	since int    // bytes given out since the row began
	last  []byte
}

func (s *source) Read(p []byte) (int, error) {
	if s.since > MaxRow+chunk {
		return 0, errRow
	}
	if !s.begun {
		s.begun = true
		return s.first(p)
	}
	n, err := s.r.Read(p)
	s.given(p[:n])
	return n, err
}

// first reads the first chunk, without a byte-order mark.
func (s *source) first(p []byte) (int, error) {
	n, err := io.ReadAtLeast(s.r, p, 3)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // fewer than three bytes: the next Read says io.EOF
	}
	switch {
	case bytes.HasPrefix(p[:n], []byte("\xEF\xBB\xBF")):
		n = copy(p, p[3:n])
	case bytes.HasPrefix(p[:n], []byte("\xFF\xFE")):
		s.utf16 = "UTF-16 (little-endian)"
	case bytes.HasPrefix(p[:n], []byte("\xFE\xFF")):
		s.utf16 = "UTF-16 (big-endian)"
	}
	s.given(p[:n])
	return n, err
}

func (s *source) given(p []byte) {
	s.since += len(p)
	if s.swap {
		for i, c := range p {
			p[i] = swapQuote(c)
		}
	}
	s.last = append(s.last[:0], p...)
}

func swapQuote(c byte) byte {
	switch c {
	case '\'':
		return '"'
	case '"':
		return '\''
	}
	return c
}

var quoteSwapper = strings.NewReplacer(`'`, `"`, `"`, `'`)

func swapQuotes(s string) string { return quoteSwapper.Replace(s) }
