package names

// Name is a verbatim name taken apart.
type Name struct {
	// Canonical is the name without authors: Genus × epithet subsp. epithet.
	// It is empty for a text that is not a name.
	Canonical string
	// Author is the author citation as it stood behind the last epithet.
	Author string
	// Cultivar is the epithet of a cultivar that was set aside.
	Cultivar string
	// Family is a family that stood before the name.
	Family string
	// Hybrid says that the name has a hybrid sign or a notho- rank.
	Hybrid bool
	// Parents are the canonical names of a hybrid formula's parents.
	Parents []string
	// Flags say what was changed or set aside, in the words of an entry.
	Flags []string
}

// Parse takes a verbatim name apart without knowing any genus or epithet: it
// goes by spelling alone. [Index.Parse] knows the checklists' words.
func Parse(verbatim string) Name { return newParser(noWords{}).parse(verbatim).export() }

// Parse takes a verbatim name apart with the help of the index's genera and
// epithets, as Match does.
func (ix *Index) Parse(verbatim string) Name {
	m := ix.matchers.Get().(*matcher)
	defer ix.matchers.Put(m)
	return m.parser.parse(verbatim).export()
}

func (p *parsedName) export() Name {
	n := Name{Canonical: p.canonical, Author: p.author, Cultivar: p.cultivar, Family: p.family, Hybrid: p.hybrid, Flags: p.flags.Words()}
	for _, q := range p.parents {
		n.Parents = append(n.Parents, q.canonical)
	}
	return n
}

// Clean brings the characters of a verbatim name to one spelling each and
// reports the flags of what was more than that. See the steps in
// docs/name-matching.md.
func Clean(verbatim string) (string, []string) {
	s, f := clean(verbatim)
	return s, f.Words()
}

// noWords is the dictionary of those who have none.
type noWords struct{}

func (noWords) hasGenus([]byte) bool                   { return false }
func (noWords) hasEpithet([]byte) bool                 { return false }
func (noWords) findName(string, []byte) (uint32, bool) { return 0, false }
func (noWords) hasVariant([]byte) bool                 { return false }
