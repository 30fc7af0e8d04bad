package match

import (
	"bencao/names/internal/author"
	"bencao/names/internal/cell"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// likeness is how alike two names are, the most first.
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

// candidate is a name of the file that may be the one asked for.
type candidate struct {
	usage   uint32 // what the winning checklist says of the name
	concept uint32 // the usage of the accepted name that it leads to
	like    likeness
	author  author.Verdict
	doubt   doubt
	up      uint8  // for higherRank: 1 the species, 2 the genus
	homonym uint16 // names that share the key
	flags   vocabulary.Flags
	edits   int     // letters that differ
	cost    float64 // edits, the first letter and the genus weighing more
}

// difference is how a name differs from the one asked for, but for what a key
// leaves out.
type difference struct {
	like  likeness
	edits int
	cost  float64
	flags vocabulary.Flags
}

// found is what the look-up of a name found.
type found struct {
	candidates []candidate
	// author says that some candidate has the author asked for, sameAuthor
	// that it has it whole.
	author, sameAuthor bool
}

// doubt says how likely a name that differs in letters is another name, which
// the checklists lack, because a word of it is a good one as it stands.
type doubt uint8

const (
	noDoubt    doubt = iota
	doubtShort       // a known epithet, that letters were left out of or put into
	doubtWord        // a known epithet, in which letters were exchanged
	doubtGenus       // a known genus
	doubtSlip        // only the same author makes one of both: flor for foli, two letters of a short word exchanged, -ianus for -ii
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
	slip       bool // only the same author makes one of both
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

// buffers are memory that one name after another uses. They hold nothing that
// the next name could tell.
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
