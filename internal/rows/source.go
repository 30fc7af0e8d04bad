package rows

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// chunk is the number of bytes that are read at a time.
const chunk = 64 << 10

// errRow stops the reading of a row longer than MaxRow.
var errRow = errors.New("row too long")

// source is the input of all dialects. It skips a byte-order mark and stops at a row that is too
// long. It stores the last chunk for guessing the encoding of text that is not UTF-8.
type source struct {
	r     io.Reader
	begun bool
	utf16 string // the encoding that a byte-order mark indicates, or ""
	page  bool   // the text is a web page
	swap  bool   // exchange ' and ", because encoding/csv supports only "
	since int    // number of bytes since the row began
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

// first reads the first chunk and removes its byte-order mark.
func (s *source) first(p []byte) (int, error) {
	n, err := io.ReadAtLeast(s.r, p, 3)
	if err == io.ErrUnexpectedEOF {
		err = nil // there are fewer than three bytes: the next Read returns io.EOF
	}
	switch {
	case bytes.HasPrefix(p[:n], []byte("\xEF\xBB\xBF")):
		n = copy(p, p[3:n])
	case bytes.HasPrefix(p[:n], []byte("\xFF\xFE")):
		s.utf16 = "UTF-16 (little-endian)"
	case bytes.HasPrefix(p[:n], []byte("\xFE\xFF")):
		s.utf16 = "UTF-16 (big-endian)"
	}
	start := bytes.ToLower(bytes.TrimSpace(p[:min(n, 1024)]))
	s.page = bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
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
