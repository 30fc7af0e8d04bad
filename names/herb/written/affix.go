package written

import (
	"slices"
	"strings"

	"bencao/names/herb"
)

// affixes are the kinds of words, in processing.txt of package herb, that a name loses at its start
// and at its end.
type affixes struct{ before, after []string }

// All names lose the words of processing, unknown names those of either.
var (
	processing = affixes{[]string{"formula-before"}, []string{"formula-after"}}
	either     = affixes{[]string{"formula-before", "unknown-before"}, []string{"formula-after", "unknown-after", "unknown-part"}}
)

// isApart reports whether a name contains the name of another herb but is not a variant of it. It
// names another plant, or every book treats it as another herb.
func isApart(name string) bool { return herb.Words("apart")[name] }

// isInstruction reports whether a text that stands in place of a herb is an instruction.
func isInstruction(text string) bool { return herb.Words("instruction")[text] }

// removes reports whether a cut removes one of the words.
func (a affixes) removes(c herb.Cut) bool {
	kinds := a.after
	if c.Front {
		kinds = a.before
	}
	return slices.ContainsFunc(kinds, func(kind string) bool { return herb.Words(kind)[c.Word] })
}

// hasWord reports whether a text contains a word of a kind.
func hasWord(text, kind string) bool {
	for w := range herb.Words(kind) {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// maxAffixes is the maximum number of affixes that are removed from a name.
const maxAffixes = 3

// strip removes as few affixes from a text as are necessary to leave a known name. It then also
// removes words for processing from that name, if a known name still remains.
func strip(s string, a affixes, known, whole func(string) bool, depth int) (string, bool) {
	if depth == 0 || whole(s) {
		return "", false
	}
	var rests []string
	for c := range herb.Cuts(s) {
		if a.removes(c) {
			rests = append(rests, c.Rest)
		}
	}
	for _, r := range rests {
		if known(r) {
			if deeper, ok := strip(r, processing, known, whole, depth-1); ok {
				return deeper, true
			}
			return r, true
		}
	}
	for _, r := range rests {
		if deeper, ok := strip(r, a, known, whole, depth-1); ok {
			return deeper, true
		}
	}
	return "", false
}
