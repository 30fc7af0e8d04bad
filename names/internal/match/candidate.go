package match

import (
	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
)

// likeness is a degree of likeness between a name and the query. A lower number means more
// likeness.
type likeness uint8

const (
	exact likeness = iota
	variant
	fuzzy
	higherRank
)

var likenessWords = [...]string{
	answer.MatchExact, answer.MatchVariant, answer.MatchFuzzy, answer.MatchHigherRank,
}

func (l likeness) String() string { return likenessWords[l] }

// candidate is a name of the file that the query may mean.
type candidate struct {
	usage   uint32 // the usage of the name in the checklist that has precedence
	concept uint32 // the head of the concept of the name: the usage of the accepted name
	difference
	author  author.Verdict
	homonym uint16 // number of different names with the key of the candidate, including its own name
	// oldFamily is true if the family of the query is not that of the taxon, but that in which the
	// checklist has the matched name.
	oldFamily bool
}

// difference describes how a name differs from the query.
type difference struct {
	like       likeness
	doubt      doubt
	up         uint8 // for higherRank: 1 if the name is the species of the query, 2 if it is the genus
	cultivar   bool  // only names of cultivars count: 'Alba' and f. alba have the same key
	flags      answer.Flags
	edits      int     // number of edits between the names
	genusEdits int     // number of edits in the genus; it is set only for fuzzy matches
	cost       float64 // weighted edits: an edit costs more in the first letter and in the genus
}

// hit is a key of the file that the query may mean.
type hit struct {
	usage uint32 // a usage with this key
	difference
}

// found holds the candidates of a lookup.
type found struct {
	candidates []candidate
	// author is true if some candidate's author agrees with the author of the query. sameAuthor is
	// true if some candidate has exactly that author.
	author, sameAuthor bool
}

// doubt is the reason why the query may not be a misspelling of a candidate: a word of the query
// exists as it is written. The query may then be another name that the checklists lack.
type doubt uint8

const (
	noDoubt    doubt = iota
	doubtShort       // the epithet of the query exists; it differs from the candidate's by one run of inserted letters
	doubtWord        // the epithet of the query exists; it differs from the candidate's in other ways
	doubtGenus       // the genus of the query exists
	doubtSlip        // the names are the same only if their authors are the same: flor for foli, or a key with slip
)

// candidateOf returns the candidate for a usage that was found by a Chinese name, a herb or an
// identifier.
func (v view) candidateOf(usage uint32) candidate {
	return candidate{usage: usage, concept: v.Usages[usage].Concept, author: author.NotGiven, homonym: 1}
}

// placed reports whether some checklist accepts the name of a candidate's concept.
func (v view) placed(c *candidate) bool { return v.Usages[c.concept].Bits.Has(file.Placed) }

// sameTaxon reports whether two candidates have the same accepted name.
func (v view) sameTaxon(a, b *candidate) bool {
	return a.concept == b.concept && (v.placed(a) || a.usage == b.usage || v.SameKey(a.usage, b.usage))
}

// nearGenus is a genus of the file that the query may mean.
type nearGenus struct {
	genus uint32
	edits int
	cost  float64
}

// nearKey is a key of the file that resembles the key of the query.
type nearKey struct {
	key        uint32
	edits      int
	genusEdits int
	cost       float64
	slip       bool // the key means the same name only if the author is the same: -ianus for -ii, or two letters exchanged in a short epithet
}

// scored is a candidate with its score.
type scored struct {
	candidate
	score float64      // from 0 to 1
	why   *explanation // nil unless the query asks for an explanation
}

// explanation explains a candidate: the parts of its score and the steps by which it was found.
type explanation struct {
	parts []answer.ScorePart
	steps []string
}

// rounded returns a score with two decimals.
func rounded(score float64) float64 { return float64(int(score*100+0.5)) / 100 }
