package names

import (
	"sync"

	"bencao/names/internal/build"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// Format is raised whenever the names file is laid out otherwise.
const Format = file.Format

// ErrDamaged is returned for a names file that is not whole, or not one.
var ErrDamaged = file.ErrDamaged

// Builder gathers checklists and records and writes the names file.
type Builder = build.Builder

// ChecklistBuilder adds the rows of one checklist.
type ChecklistBuilder = build.ChecklistBuilder

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder { return build.New() }

// CheckName says why a name can't go into the index, or nil. [ChecklistBuilder.Add]
// refuses such a name; who reads a checklist knows the line to blame.
func CheckName(name string) error { return build.CheckName(name) }

// Index answers from a names file. It is safe for use by many goroutines.
type Index struct {
	*file.File
	matchers sync.Pool // of *matcher
}

// Open maps the names file at path. A file that is not whole gives an error
// that wraps [ErrDamaged]; so does a file that was changed. The file must not
// be changed while the index is open.
func Open(path string) (*Index, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	ix := &Index{File: f}
	ix.matchers.New = func() any { return newMatcher(ix) }
	return ix, nil
}

// Checklists returns the checklists that the index holds, the database's own
// names not among them.
func (ix *Index) Checklists() []Checklist {
	var lists []Checklist
	for i, c := range ix.File.Checklists {
		if i != ix.Database {
			lists = append(lists, c)
		}
	}
	return lists
}

func (ix *Index) HasGenus(w []byte) bool { _, ok := ix.FindGenus(w); return ok }

func (ix *Index) HasEpithet(w []byte) bool { return ix.IsEpithet(w) }

func (ix *Index) HasVariant(key []byte) bool {
	sought := spelling.AppendOrtho(nil, key)
	for n := range ix.Values(file.ByOrtho, sought) {
		if string(spelling.AppendOrtho(nil, ix.AppendKey(nil, n))) == string(sought) {
			return true
		}
	}
	return false
}
