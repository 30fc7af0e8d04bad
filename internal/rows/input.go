package rows

import (
	"context"
	"io"
)

// mostEmpty is the number of times in a row that a reader may return neither bytes nor an error.
const mostEmpty = 100

// input reads from r until ctx ends. It returns the first error of r, and again on every later
// call. An error other than io.EOF becomes a [*readError], so that it is never mistaken for an error
// of another reader in front of r: mime/multipart, for example, passes on the bufio.ErrBufferFull of
// its own buffer.
type input struct {
	ctx context.Context
	r   io.Reader
	err error
}

func (in *input) Read(p []byte) (n int, err error) {
	for range mostEmpty {
		if in.err == nil {
			in.err = in.ctx.Err()
		}
		if in.err == nil {
			n, in.err = in.r.Read(p)
		}
		switch {
		case in.err == io.EOF:
			return n, io.EOF
		case in.err != nil:
			return n, &readError{in.err}
		case n > 0 || len(p) == 0:
			return n, nil
		}
	}
	in.err = io.ErrNoProgress
	return 0, &readError{in.err}
}

// readError is an error of reading the list. The content of the list did not cause it.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
func (e *readError) Unwrap() error { return e.err }
