package parse

import "bencao/names/internal/spelling"

// Dictionary knows the words of the checklists' names. It settles what the
// spelling alone cannot: whether a word is an epithet or an author.
type Dictionary interface {
	// HasGenus and HasEpithet take folded words.
	HasGenus(w []byte) bool
	HasEpithet(w []byte) bool
	// FindName takes a whole name with its key and returns the first usage of
	// the key.
	FindName(name string, key []byte) (usage uint32, ok bool)
	// HasVariant takes the key of a whole name, which may be spelt otherwise.
	HasVariant(key []byte) bool
}

// noWords is the dictionary of those who have none.
type noWords struct{}

func (noWords) HasGenus([]byte) bool                   { return false }
func (noWords) HasEpithet([]byte) bool                 { return false }
func (noWords) FindName(string, []byte) (uint32, bool) { return 0, false }
func (noWords) HasVariant([]byte) bool                 { return false }

// Lexicon asks a dictionary about words as they are written. It is for one
// goroutine.
type Lexicon struct {
	Dictionary
	buf []byte
}

// NewLexicon returns a lexicon of d.
func NewLexicon(d Dictionary) *Lexicon { return &Lexicon{Dictionary: d} }

// IsGenus says whether some checklist has a genus, in whatever case.
func (d *Lexicon) IsGenus(w string) bool {
	d.buf = spelling.AppendFolded(d.buf[:0], w)
	return d.HasGenus(d.buf)
}

// IsEpithet says whether some name has an epithet, in whatever case.
func (d *Lexicon) IsEpithet(w string) bool {
	d.buf = spelling.AppendFolded(d.buf[:0], w)
	return d.HasEpithet(d.buf)
}

// isEpithetOrInitial is IsEpithet for a word that may be one letter.
func (d *Lexicon) isEpithetOrInitial(w string) bool {
	d.buf = spelling.AppendFolded(d.buf[:0], w)
	return len(d.buf) < 2 || d.HasEpithet(d.buf)
}

// Find returns the first usage of a whole name, which some checklist has.
func (d *Lexicon) Find(name string) (usage uint32, ok bool) {
	var genus int
	d.buf, genus = spelling.AppendKey(d.buf[:0], name)
	if genus == 0 {
		return 0, false
	}
	return d.FindName(name, d.buf)
}

// isName says whether some checklist has a whole name.
func (d *Lexicon) isName(name string) bool {
	_, ok := d.Find(name)
	return ok
}
