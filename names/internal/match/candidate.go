package match

import (
	"bencao/names/internal/author"
	"bencao/names/internal/cell"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
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
	vocabulary.MatchExact, vocabulary.MatchVariant, vocabulary.MatchFuzzy, vocabulary.MatchHigherRank,
}

func (l likeness) String() string { return likenessWords[l] }

// candidate is a name of the file that the query may mean.
type candidate struct {
	usage   uint32 // the usage of the name in the checklist that has precedence
	concept uint32 // the head of the concept of the name: the usage of the accepted name
	like    likeness
	author  author.Verdict
	doubt   doubt
	up      uint8  // for higherRank: 1 if the candidate is the species of the query, 2 if it is the genus
	homonym uint16 // number of different names with the key of the candidate, including its own name
	flags   vocabulary.Flags
	edits   int     // number of edits between the name and the query
	inGenus int     // number of edits in the genus
	cost    float64 // weighted edits: an edit costs more in the first letter and in the genus
}

// difference describes how the key of a name differs from the key of the query.
type difference struct {
	like  likeness
	edits int
	cost  float64
	flags vocabulary.Flags
	// genusEdits is the number of edits in the genus. It is set only for fuzzy matches.
	genusEdits int
}

// found holds the candidates of a lookup.
type found struct {
	candidates []candidate
	// author is true if some candidate's author agrees with the author of the query. sameAuthor is
	// true if some candidate has exactly that author.
	author, sameAuthor bool
	// life says whether the genus of the query is a genus of animals, fungi, algae or bacteria.
	life life
}

// life says whether a genus that the checklists lack is a genus of animals, fungi, algae or
// bacteria.
type life uint8

const (
	notAsked life = iota
	noOtherLife
	someOtherLife
)

// doubt is the reason why the query may not be a misspelling of a candidate: a word of the query
// exists as it is written. The query may then be another name that the checklists lack.
type doubt uint8

const (
	noDoubt    doubt = iota
	doubtShort       // the epithet of the query exists; it differs from the candidate's by one run of inserted letters
	doubtWord        // the epithet of the query exists; it differs from the candidate's in other ways
	doubtGenus       // the genus of the query exists
	doubtSlip        // the names are the same only if their authors are the same: flor for foli, or a hit with slip
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

// cap lowers the score to the value of most if it is higher.
func (s *scored) cap(reason string, most float64) {
	if s.score > most {
		s.add(reason, most-s.score)
	}
}

// change replaces the score of s. It rounds the old and the new score to two decimals, so that the
// parts of the explanation add up.
func (s *scored) change(reason string, score float64) {
	s.score = rounded(s.score)
	s.add(reason, score-s.score)
	s.score = rounded(score)
}

// candidateOf returns the candidate for a usage that was found by a Chinese name, a herb or an
// identifier.
func (v view) candidateOf(usage uint32) candidate {
	return candidate{usage: usage, concept: v.Usages[usage].Concept, author: author.NotGiven, homonym: 1}
}

// buffers holds memory that is reused from one name to the next. Its earlier content does not
// affect answers.
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
