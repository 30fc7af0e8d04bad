package match

import (
	"strings"

	"bencao/internal/null"
	"bencao/names/herb"
	"bencao/names/internal/answer"
)

// question is one query, with the names file and the buffers that the stages of matching use.
type question struct {
	view
	query answer.Query
	steps *steps // nil unless the query asks for an explanation
	buf   *buffers
}

// result is the result of matching a text or one of its names.
type result struct {
	// canonical is the name that was read from the text, or "" if the text is not a name.
	canonical null.Text
	via       string // the kind of lookup that found the best candidate
	unread    string // words of the text that are not part of a name
	herb      *namedHerb
	// candidates are in the order of the answer. They are valid until the next name is matched.
	candidates []scored
	// oneName is true if all candidates are for the same name. A Chinese name beside this name can
	// then decide between the candidates.
	oneName bool
	// annotated is true if words for parts of plants, such as "root", were removed.
	annotated bool
}

// nothing returns the result for a text without candidates.
func nothing(canonical string) result {
	return result{canonical: null.Text(canonical), via: answer.ViaNone}
}

// scored returns c with the score 0.
func (q question) scored(c candidate) scored { return newScored(c, q.steps != nil) }

// namesSpecies reports whether the best candidate of r is a species or a lower taxon that was found
// by its own name.
func (q question) namesSpecies(r result) bool {
	return len(r.candidates) > 0 && r.candidates[0].like != higherRank && !q.isGenus(r.candidates[0].usage)
}

// isGenus reports whether the name of a usage consists of one word.
func (v view) isGenus(usage uint32) bool { return !strings.Contains(v.Name(usage), " ") }

// labelled is a usage that was found by a Chinese name or pinyin, with the kind of the label that
// found it.
type labelled struct{ usage, kind uint32 }

// namedHerb is the herb that a text names.
type namedHerb struct {
	name    string // Chinese name
	latin   string
	kind    string
	reading herb.Reading
	alias   bool // the text is an alias of the herb, not its main name
	unsure  bool
	folk    bool     // only dictionaries of folk names give the text to the herb
	dated   bool     // it depends on the year of which plants the text means the herb
	sources []uint32 // usages of the plants that the herb comes from, if checklists have them
	// If a plant has the same Chinese name as the herb, only the first listed sources decide
	// whether the plant is a source of the herb. 0 means that all sources decide.
	listed int
}
