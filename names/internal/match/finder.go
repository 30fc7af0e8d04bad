package match

import (
	"bencao/names/internal/author"
	"bencao/names/internal/parse"
)

// finder looks one name up. It holds what the look-up goes by and nothing that
// it finds: that goes from function to function.
type finder struct {
	view
	name  *parse.Name
	cited *cited
	steps *steps
	buf   *buffers
	// noFuzzy leaves out names that differ in letters, other than in their
	// orthography.
	noFuzzy bool
}

// cited is the author asked for. It is parsed when an author of the checklists
// differs from it in letters, once.
type cited struct {
	text   string
	parsed author.Authorship
	done   bool
}

// compare says how the author asked for agrees with that of a checklist.
func (c *cited) compare(known string) author.Verdict {
	switch {
	case known == "":
		return author.Unknown
	case author.SameLetters(c.text, known):
		return author.Same
	}
	return c.parse().Compare(author.Parse(known))
}

// sameBasionym says whether the author asked for differs from that of a
// checklist only in who combined the name: the same basionym has the same
// type.
func (c *cited) sameBasionym(known string) bool {
	return c.parse().SameBasionym(author.Parse(known))
}

func (c *cited) parse() author.Authorship {
	if !c.done {
		c.parsed, c.done = author.Parse(c.text), true
	}
	return c.parsed
}
