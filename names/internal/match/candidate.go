package match

import (
	"bencao/names/internal/author"
	"bencao/names/internal/cell"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// likeness is a degree of likeness of two names. The greatest likeness has the lowest number.
type likeness uint8

const (
	exact likeness = iota
	variant
	fuzzy
	higherRank
)

var likenessWords = [...]string{
	vocabulary.MatchExact, vocabulary.MatchVariant, vocabulary.MatchFuzzy, vocabulary.MatchHigherRank,
}

func (l likeness) String() string { return likenessWords[l] }

// candidate is a name of the file that the query may mean.
type candidate struct {
	usage   uint32 // the name in the checklist that has precedence
	concept uint32 // the usage of its accepted name
	like    likeness
	author  author.Verdict
	doubt   doubt
	up      uint8  // for higherRank: 1 for the species, 2 for the genus
	homonym uint16 // number of names with the same key
	flags   vocabulary.Flags
	edits   int     // number of letters that differ
	inGenus int     // number of these in the genus
	cost    float64 // edits, weighted: more for the first letter and the genus
}

// difference describes how the key of a name differs from the key of the query.
type difference struct {
	like  likeness
	edits int
	cost  float64
	flags vocabulary.Flags
	// genusEdits is the number of edits in the genus, for fuzzy matches.
	genusEdits int
}

// found is the result of a lookup.
type found struct {
	candidates []candidate
	// author is true if some candidate's author agrees with the author of the query. sameAuthor is
	// true if some candidate has exactly that author.
	author, sameAuthor bool
	// life tells whether the genus of the query is one of animals, fungi, algae or bacteria.
	life life
}

// life is what is known of the genus of a query that the checklists lack.
type life uint8

const (
	notAsked life = iota
	noOtherLife
	someOtherLife
)

// doubt is the reason why the query may mean another name than a candidate that differs in letters:
// a word of the query exists as it is written. The checklists then lack the other name.
type doubt uint8

const (
	noDoubt    doubt = iota
	doubtShort       // the epithet is a known word; the candidate has more or fewer letters
	doubtWord        // the epithet is a known word; the candidate has other letters
	doubtGenus       // the genus is a known one
	doubtSlip        // only the same author would make the names the same: see hit.slip
)

// nearGenus is a genus of the file that the query may mean.
type nearGenus struct {
	genus uint32
	edits int
	cost  float64
}

// hit is a key of the file that the query may mean.
type hit struct {
	key        uint32
	edits      int
	genusEdits int
	cost       float64
	slip       bool // only the same author would make the names the same: flor for foli, two letters exchanged, -ianus for -ii
}

// scored is a candidate with its score.
type scored struct {
	candidate
	score float64      // 0 to 1
	why   *explanation // nil unless the query asks for it
}

// explanation is the explanation of a candidate: the parts of its score and the steps by which it
// was found.
type explanation struct {
	parts []vocabulary.ScorePart
	steps []string
}

// scored returns c with the score 0.
func (q question) scored(c candidate) scored { return newScored(c, q.steps != nil) }

func newScored(c candidate, explain bool) scored {
	if explain {
		return scored{candidate: c, why: &explanation{}}
	}
	return scored{candidate: c}
}

// add adds v to the score and records the reason.
func (s *scored) add(reason string, v float64) {
	s.score += v
	if s.why != nil {
		s.why.parts = append(s.why.parts, vocabulary.ScorePart{Reason: reason, Value: v})
	}
}

// cap limits the score to most.
func (s *scored) cap(reason string, most float64) {
	if s.score > most {
		s.add(reason, most-s.score)
	}
}

// change replaces the score of an answer. It rounds the old and the new score to two decimals.
func (s *scored) change(reason string, score float64) {
	s.score = rounded(s.score)
	s.add(reason, score-s.score)
	s.score = rounded(score)
}

// candidateOf returns the candidate for a usage that was found by a Chinese name, a drug or an
// identifier.
func (v view) candidateOf(usage uint32) candidate {
	return candidate{usage: usage, concept: v.Usages[usage].Concept, author: author.NotGiven, homonym: 1}
}

// buffers holds memory that is reused for every name. Answers do not depend on its content.
type buffers struct {
	parser     *parse.Parser
	cells      *cell.Reader
	cited      author.Cited
	candidates []candidate
	scored     []scored
	near       []nearGenus
	hits       []hit
	key, ortho []byte
	hashes     []uint64
	misread    []spelling.Misreading
	texts      texts
}

func newBuffers(f *file.File) *buffers { return &buffers{parser: parse.New(f), cells: cell.New(f)} }
