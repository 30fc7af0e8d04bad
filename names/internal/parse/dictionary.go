package parse

import "bencao/names/internal/spelling"

// Dictionary holds the words and names of the checklists. It decides questions that spelling alone
// cannot decide, such as whether a word is an epithet or an author.
type Dictionary interface {
	// HasGenus and HasEpithet report whether a folded word is a genus or an epithet of the
	// dictionary.
	HasGenus(w []byte) bool
	HasEpithet(w []byte) bool
	// FindName returns the first usage of a whole name. The arguments are the name and its key.
	FindName(name string, key []byte) (usage uint32, ok bool)
	// HasVariant reports whether the dictionary has a name that differs from the given name at most
	// in orthography. key is the key of the given name.
	HasVariant(key []byte) bool
}

// noWords is an empty dictionary.
type noWords struct{}

func (noWords) HasGenus([]byte) bool                   { return false }
func (noWords) HasEpithet([]byte) bool                 { return false }
func (noWords) FindName(string, []byte) (uint32, bool) { return 0, false }
func (noWords) HasVariant([]byte) bool                 { return false }

// Lexicon looks up words of a text in a dictionary, in the form in which they are written. It must
// not be used concurrently.
type Lexicon struct {
	Dictionary
	buf []byte
}

// NewLexicon returns a lexicon of d.
func NewLexicon(d Dictionary) *Lexicon { return &Lexicon{Dictionary: d} }

// IsGenus reports whether a genus is in the dictionary. Case does not matter.
func (d *Lexicon) IsGenus(w string) bool {
	d.buf = spelling.AppendFolded(d.buf[:0], w)
	return d.HasGenus(d.buf)
}

// IsEpithet reports whether an epithet is in the dictionary. Case does not matter.
func (d *Lexicon) IsEpithet(w string) bool {
	d.buf = spelling.AppendFolded(d.buf[:0], w)
	return d.HasEpithet(d.buf)
}

// isEpithetOrInitial reports whether w is an epithet of the dictionary, or a single letter.
func (d *Lexicon) isEpithetOrInitial(w string) bool {
	d.buf = spelling.AppendFolded(d.buf[:0], w)
	return len(d.buf) < 2 || d.HasEpithet(d.buf)
}

// Find returns the first usage that has a whole name.
func (d *Lexicon) Find(name string) (usage uint32, ok bool) {
	var genus int
	d.buf, genus = spelling.AppendKey(d.buf[:0], name)
	if genus == 0 {
		return 0, false
	}
	return d.FindName(name, d.buf)
}

// isName reports whether a whole name is in the dictionary.
func (d *Lexicon) isName(name string) bool {
	_, ok := d.Find(name)
	return ok
}
