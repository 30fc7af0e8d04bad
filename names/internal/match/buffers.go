package match

import (
	"unsafe"

	"bencao/internal/null"
	"bencao/names/internal/cell"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
)

// buffers are memory that one name after another uses. They hold nothing that
// the next name could tell.
type buffers struct {
	parser     *parse.Parser
	cells      *cell.Reader
	candidates []candidate
	scored     []scored
	near       []nearGenus
	hits       []hit
	key, ortho []byte
	texts      texts
}

func newBuffers(f *file.File) *buffers { return &buffers{parser: parse.New(f), cells: cell.New(f)} }

// chunkSize is how many bytes of texts are allocated at once.
const chunkSize = 2048

// texts holds the texts of answers. Texts share an allocation: a response
// keeps no more than a chunk or two.
type texts struct{ chunk []byte }

// clone copies a text out of the file, which may be closed before the answer
// is used up.
func (t *texts) clone(s string) null.Text {
	if s == "" {
		return ""
	}
	if len(t.chunk)+len(s) > cap(t.chunk) {
		t.chunk = make([]byte, 0, max(chunkSize, len(s)))
	}
	start := len(t.chunk)
	t.chunk = append(t.chunk, s...)
	return null.Text(unsafe.String(&t.chunk[start], len(s)))
}
