package match

import (
	"bencao/names/internal/author"
	"bencao/names/internal/cell"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// finder looks up one name.
type finder struct {
	view
	name  *parse.Name
	cited *author.Cited
	steps *steps
	buf   *buffers
	// noFuzzy, if true, excludes names that differ from the query in more than orthography.
	noFuzzy bool
}

// one returns a list with one hit. It is valid until the next hit.
func (f *finder) one(usage uint32, how difference) []hit {
	f.buf.hits = append(f.buf.hits[:0], hit{usage, how})
	return f.buf.hits
}

// buffers holds memory that is reused from one name to the next. Its earlier content does not
// affect answers.
type buffers struct {
	parser     *parse.Parser
	cells      *cell.Reader
	cited      author.Cited
	candidates []candidate
	scored     []scored
	weigher    weigher
	hits       []hit
	nearGenera []nearGenus
	nearKeys   []nearKey
	key, ortho []byte
	hashes     []uint64
	misread    []spelling.Misreading
	texts      texts
}

func newBuffers(f *file.File) *buffers { return &buffers{parser: parse.New(f), cells: cell.New(f)} }
