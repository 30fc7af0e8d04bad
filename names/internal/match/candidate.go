package match

import (
	"bencao/names/internal/author"
	"bencao/names/internal/cell"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// likeness is how alike two names are, the most alike first.
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

// candidate is a name of the file that may be the name of the query.
type candidate struct {
	usage   uint32 // the name in the checklist that takes precedence
	concept uint32 // the usage of its accepted name
	like    likeness
	author  author.Verdict
	doubt   doubt
	up      uint8  // for higherRank: 1 for the species, 2 for the genus
	homonym uint16 // number of names with the same key
	flags   vocabulary.Flags
	edits   int     // letters that differ
	inGenus int     // of these, in the genus
	cost    float64 // edits, with an extra cost for the first letter and the genus
}

// difference is how the key of a name differs from the key of the query.
type difference struct {
	like  likeness
	edits int
	cost  float64
	flags vocabulary.Flags
	// genusEdits are the edits in the genus, for fuzzy.
	genusEdits int
}

// found is the result of looking a name up.
type found struct {
	candidates []candidate
	// author reports that some candidate has the author of the query, sameAuthor that
	// it has exactly this author.
	author, sameAuthor bool
}

// doubt tells why a name that differs in letters may be another name, which the checklists lack: a
// word of it exists as it is written.
type doubt uint8

const (
	noDoubt    doubt = iota
	doubtShort       // the epithet is known; the candidate has letters more or fewer
	doubtWord        // the epithet is known; the candidate has other letters
	doubtGenus       // the genus is known
	doubtSlip        // the names are the same only if the author is: flor for foli, two letters of a short word exchanged, -ianus for -ii
)

// nearGenus is a genus of the file that may be meant.
type nearGenus struct {
	genus uint32
	edits int
	cost  float64
}

// hit is a key of the file that may be meant.
type hit struct {
	key        uint32
	edits      int
	genusEdits int
	cost       float64
	slip       bool // the names are the same only if the author is
}

// scored is a candidate with its score.
type scored struct {
	candidate
	score float64      // 0 to 1
	why   *explanation // nil unless the query asks for it
}

// explanation is how a candidate was found and what its score is made of.
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

// add adds v to the score, for a reason.
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

// change replaces the score of an answer, which has two decimals, by another.
func (s *scored) change(reason string, score float64) {
	s.score = rounded(s.score)
	s.add(reason, score-s.score)
	s.score = rounded(score)
}

// candidateOf returns the candidate for a usage that a Chinese name, a drug or an
// identifier resolves to.
func (v view) candidateOf(usage uint32) candidate {
	return candidate{usage: usage, concept: v.Usages[usage].Concept, author: author.NotGiven, homonym: 1}
}

// buffers are memory that is reused from name to name. No answer depends on their content.
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
