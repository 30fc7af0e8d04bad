// Package herb finds the plain names in a herb as a formula writes it: 炙甘草, 甘草（炙） and 甘草末 are
// all 甘草, and 人参甘草 is 人参 and 甘草.
//
// The affixes that may be removed are listed in affix.go. Whether they are removed depends on the
// known names, because the same character is processing in one name and part of another: 姜半夏 is
// 半夏, but 姜黄 is not 黄.
//
// The package does not know species. Begin with [Names.Plain].
package herb

import (
	"iter"
	"strings"
	"unicode/utf8"

	"bencao/names/dose"
	"bencao/names/han"
)

// minWritten is the number of times that formulas must write a name for it to count as a name: the
// text between two commas is not always a herb.
const minWritten = 5

// Listed is a herb of the curated table, herb_species.
type Listed struct {
	Herb string
	// Plain is the herb's plain name if the table gives one, such as 茯苓 for 云苓; else "".
	Plain string
}

// OtherName is a synonym of a herb, from books.
type OtherName struct{ Name, Herb string }

// Names holds the known names of herbs, folded by [han.Fold]. It is safe for concurrent use.
type Names struct {
	listed    map[string]bool   // in the curated table
	written   map[string]bool   // often enough in formulas
	plain     map[string]string // plain names that the table or books give
	fromBooks map[string]bool   // the plain names that books give
	intact    map[string]bool   // drugs whose names are not split or stripped
}

// New returns the names of the curated table, the other names that books give to herbs, and the herbs
// of all formulas, each as often as it occurs. The table takes precedence over books. Nothing is
// removed from the names in own, since the rest would be another drug: 明党参.
func New(listed iter.Seq[Listed], others iter.Seq[OtherName], written, own iter.Seq[string]) *Names {
	n := &Names{map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	for o := range own {
		n.intact[han.Fold(o)] = true
	}
	for l := range listed {
		h := han.Fold(l.Herb)
		n.listed[h] = true
		if p := han.Fold(l.Plain); p != "" && p != h {
			n.listed[p] = true
			if _, twice := n.plain[h]; !twice {
				n.plain[h] = p
			}
		}
	}
	n.resolve()
	count := map[string]int{}
	for h := range written {
		count[h]++
	}
	for h, times := range count {
		if f := han.Fold(h); times >= minWritten && utf8.RuneCountInString(f) >= 2 && !instructions[f] {
			n.written[f] = true
		}
	}
	n.removeCompounds()
	n.addOtherNames(others)
	return n
}

// addOtherNames adds the other names that the curated table does not list. Names in distinct are not
// added.
func (n *Names) addOtherNames(others iter.Seq[OtherName]) {
	same := map[string]string{}
	for o := range others {
		name := han.Fold(o.Name)
		if plain := n.plainOne(han.Fold(o.Herb)); plain != name && !n.listed[name] && !distinct[name] {
			same[name] = plain
		}
	}
	for name, plain := range same {
		if !n.HasPlain(name) {
			n.plain[name] = plain
			n.fromBooks[plain] = true
		}
	}
	n.resolve()
}

// resolve follows plain names from name to name (辰砂 is 丹砂 is 朱砂) and drops those that form a
// cycle.
func (n *Names) resolve() {
	last := make(map[string]string, len(n.plain))
	for h := range n.plain {
		seen := map[string]bool{}
		p := h
		for next, more := n.plain[p]; more && !seen[p]; next, more = n.plain[p] {
			seen[p] = true
			p = next
		}
		if !seen[p] {
			last[h] = p
		}
	}
	n.plain = last
}

// removeCompounds drops frequent names that consist of two names: 人参甘草.
func (n *Names) removeCompounds() {
	var several []string
	for w := range n.written {
		for i := range w {
			if utf8.RuneCountInString(w[:i]) >= minCompoundPart && utf8.RuneCountInString(w[i:]) >= minCompoundPart && n.Known(w[:i]) && n.Known(w[i:]) {
				several = append(several, w)
			}
		}
	}
	for _, w := range several {
		delete(n.written, w)
	}
}

// Known reports whether a plain name is listed or frequent.
func (n *Names) Known(plain string) bool { return n.listed[plain] || n.written[plain] }

// Listed reports whether a plain name is in the curated table.
func (n *Names) Listed(plain string) bool { return n.listed[plain] }

// Remnant reports whether an unknown name is probably not a name: a single character, with or without
// processing (炙漆).
func (n *Names) Remnant(plain string) bool {
	one := func(s string) bool { return utf8.RuneCountInString(s) == 1 }
	if n.Known(plain) || distinct[plain] || n.fromBooks[plain] {
		return false
	}
	_, left := strip(plain, processing, one, maxAffixes)
	return left || one(plain)
}

// Plain returns the plain names of a herb, folded. It returns several if the text joins herbs, none if
// the text is an instruction, and the text itself if no plain name is found.
func (n *Names) Plain(herb string) []string {
	first, rest := n.clean(herb)
	if first == "" || instructions[first] {
		return nil
	}
	all := n.single(first)
	for _, r := range rest { // the text after a comma is a remark or a herb
		if p := n.plainOne(r); n.Known(p) {
			all = append(all, p)
		}
	}
	return all
}

// single returns the plain names of a text without commas.
func (n *Names) single(s string) []string {
	p := n.plainOne(s)
	if !n.HasPlain(s) && !n.Known(p) && !distinct[p] {
		if parts := n.split(s); parts != nil {
			return parts
		}
	}
	return []string{p}
}

// plainOne returns the plain name of a single herb.
func (n *Names) plainOne(s string) string {
	if n.HasPlain(s) {
		return n.plainOf(s)
	}
	return n.plainOf(n.strip(s))
}

// HasPlain reports whether the curated table or a book gives a plain name for a folded name.
func (n *Names) HasPlain(name string) bool { return n.plain[name] != "" }

// plainOf returns the plain name that is given for a name, or the name itself.
func (n *Names) plainOf(s string) string {
	if p, ok := n.plain[s]; ok {
		return p
	}
	return s
}

// strip removes processing and, from unknown names, qualities.
func (n *Names) strip(s string) string {
	if n.intact[s] {
		return s
	}
	if rest, ok := strip(s, processing, func(r string) bool { return n.intact[r] || n.Known(r) }, maxAffixes); ok {
		return rest
	}
	if n.listed[s] || distinct[s] || n.isCompound(s) {
		return s
	}
	if rest, ok := strip(s, either, n.Listed, maxAffixes); ok {
		return rest
	}
	if !n.written[s] {
		if rest, ok := strip(s, either, n.Known, maxAffixes); ok {
			return rest
		}
	}
	return s
}

// isCompound reports whether a text joins two names (干姜附子). Removing 干 and 姜 would leave only
// 附子.
func (n *Names) isCompound(s string) bool {
	for i := range s {
		if n.Known(s[:i]) && n.Known(s[i:]) {
			return true
		}
	}
	return false
}

// clean folds a name and removes a remark after it. After a known name it also removes a dose
// (大枣十二枚; but 商陆根 is not six roots). rest is the texts after commas.
func (n *Names) clean(herb string) (first string, rest []string) {
	if i := strings.IndexAny(herb, "（([〔【"); i > 0 {
		herb = herb[:i]
	}
	for part := range strings.FieldsFuncSeq(herb, func(r rune) bool { return strings.ContainsRune(",，、;；", r) }) {
		s := n.withoutDose(han.Fold(part))
		switch {
		case s == "":
		case first == "":
			first = s
		default:
			rest = append(rest, s)
		}
	}
	return first, rest
}

// withoutDose removes a dose after a known name.
func (n *Names) withoutDose(s string) string {
	for i := range s {
		if !n.Known(s[:i]) {
			continue
		}
		if _, err := dose.Parse(s[i:]); err == nil {
			return s[:i]
		}
	}
	return s
}
