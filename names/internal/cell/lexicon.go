package cell

import (
	"iter"

	"bencao/names/internal/author"
	"bencao/names/internal/parse"
)

// Dictionary looks up words and names of the checklists.
type Dictionary interface {
	parse.Dictionary
	// Name returns the name of a usage, without author.
	Name(usage uint32) string
	// AuthorsOf yields the authors of all names that are spelt like the name of a usage.
	AuthorsOf(usage uint32) iter.Seq[string]
}

// lexicon looks up words and authors in the spelling of the text.
type lexicon struct {
	*parse.Lexicon
	names Dictionary
	cited author.Cited
}

func newLexicon(d Dictionary) *lexicon { return &lexicon{Lexicon: parse.NewLexicon(d), names: d} }

// verdict returns the best agreement of an author with the authors that the checklists give for the
// name of a usage.
func (d *lexicon) verdict(cited string, usage uint32) author.Verdict {
	d.cited.Set(cited)
	best := author.Differs
	for known := range d.names.AuthorsOf(usage) {
		if known != "" {
			best = min(best, d.cited.Compare(known))
		}
	}
	return best
}

// agrees reports whether an author agrees with an author that the checklists give for the name of a
// usage.
func (d *lexicon) agrees(cited string, usage uint32) bool {
	return d.verdict(cited, usage).Agrees()
}
