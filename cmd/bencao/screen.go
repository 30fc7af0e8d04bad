package main

import (
	"bytes"
	"io"
	"os"

	"bencao/internal/invisible"
)

// screen is standard output on a terminal. Data that is printed may hold escape
// sequences, which a terminal obeys: it gets them written out, but for our own
// colours.
type screen struct {
	file *os.File
	// plain escapes colours, too: where all that is printed is data.
	plain bool
}

// onScreen returns w, or a screen if it is a terminal.
func onScreen(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && onTerminal(w) {
		return screen{file: f}
	}
	return w
}

// plainScreen is w for what is data alone.
func plainScreen(w io.Writer) io.Writer {
	if s, ok := w.(screen); ok {
		return screen{file: s.file, plain: true}
	}
	return w
}

// Write writes text that no terminal obeys.
func (s screen) Write(b []byte) (int, error) {
	if _, err := s.file.Write(s.visible(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// visible escapes all that nobody sees but the colours of a [painter].
func (s screen) visible(b []byte) []byte {
	if s.plain {
		return invisible.Escape(b)
	}
	var out []byte
	for {
		from, length := -1, 0
		for _, c := range []colour{bold, red, green, yellow, reset} {
			if i := bytes.Index(b, []byte(c)); i >= 0 && (from < 0 || i < from) {
				from, length = i, len(c)
			}
		}
		if from < 0 {
			return append(out, invisible.Escape(b)...)
		}
		out = append(append(out, invisible.Escape(b[:from])...), b[from:from+length]...)
		b = b[from+length:]
	}
}

// fileOf returns the file that w writes to, if it is one.
func fileOf(w any) (*os.File, bool) {
	if s, ok := w.(screen); ok {
		return s.file, true
	}
	f, ok := w.(*os.File)
	return f, ok
}
