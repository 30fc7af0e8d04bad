package hostile

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"os"
)

// ends are the ways in which a reader may end: the errors with which programs compare those of their
// own buffers, another error, and nil for a reader that returns neither bytes nor an error for ever.
var ends = []error{
	io.EOF, io.ErrUnexpectedEOF, io.ErrNoProgress, io.ErrShortBuffer, io.ErrClosedPipe, bufio.ErrBufferFull, bufio.ErrTooLong,
	bufio.ErrFinalToken, bufio.ErrNegativeCount, context.Canceled, os.ErrDeadlineExceeded, errors.New("another error"), nil,
}

// Readers returns readers of a text that end in different ways. Each comes with the error that
// reading must report: io.EOF if the text is complete, and io.ErrNoProgress if the reader returns
// nothing for ever. A reader panics if it is read on and on after its end.
func Readers(text []byte) iter.Seq2[io.Reader, error] {
	return func(yield func(io.Reader, error) bool) {
		for _, end := range ends {
			want := end
			if end == nil {
				want = io.ErrNoProgress
			}
			for _, r := range []*reader{
				{text: text, end: end},
				{text: text, end: end, atOnce: true},
				{text: text, end: end, atOnce: true, forgets: true},
				{text: text, end: end, piece: 1 + len(text)/7, pauses: true},
			} {
				if !yield(r, want) {
					return
				}
			}
		}
	}
}

// reader returns a text and then an error.
type reader struct {
	text    []byte
	end     error
	piece   int  // number of bytes of each call; 0 is as many as fit
	pauses  bool // every other call returns neither bytes nor an error
	atOnce  bool // the error comes with the last bytes
	forgets bool // the error comes once, and io.EOF later

	calls, after int
}

// mostAfter is the number of calls after the end of a reader that it takes for an endless loop.
const mostAfter = 10_000

func (r *reader) Read(p []byte) (int, error) {
	r.calls++
	if len(p) == 0 || r.pauses && len(r.text) > 0 && r.calls%2 == 0 {
		return 0, nil
	}
	if r.piece > 0 {
		p = p[:min(len(p), r.piece)]
	}
	n := copy(p, r.text)
	if r.text = r.text[n:]; len(r.text) > 0 || n > 0 && !r.atOnce {
		return n, nil
	}
	if r.after++; r.after > mostAfter {
		panic("a reader is read on and on after its end")
	}
	if r.forgets && r.after > 1 && r.end != nil {
		return n, io.EOF
	}
	return n, r.end
}
