// Package herb finds the plain names of a herb as a formula writes it: 炙甘草,
// 甘草（炙） and 甘草末 are all 甘草, and 人参甘草 is 人参 and 甘草.
//
// What may be taken off is listed here. Whether it is taken off is decided by
// the names that are known, because the same character is processing in one
// name and part of another: 姜半夏 is 半夏, but 姜黄 is no 黄.
package herb

import (
	"iter"
	"strings"
	"unicode/utf8"

	"bencao/names/dose"
	"bencao/names/han"
)

// enough is how often formulas must write a name before it counts as one: the
// text between two commas is sometimes no herb at all.
const enough = 5

// Listed is a herb of a table that people keep.
type Listed struct {
	Herb string
	// Plain is the herb's plain name where the table gives one, as 茯苓 for 云苓;
	// else "".
	Plain string
}

// OtherName is another name of a herb, from books.
type OtherName struct{ Name, Herb string }

// Names knows the names of herbs, all of them folded by [han.Fold]. It may be
// used by many goroutines.
type Names struct {
	listed  map[string]bool   // by a table of herbs
	written map[string]bool   // often enough, by formulas
	same    map[string]string // the plain name that a table gives
	meant   map[string]bool   // the plain names that books give
	own     map[string]bool   // other drugs in books, however their names begin
}

// New knows the herbs of a table that people keep, the other names that books give
// to herbs, and the herbs of all formulas, each as often as it stands there. What
// the table lists is called so, whatever the books say. Own are drugs of books from
// whose names nothing is taken off, since the rest is another drug: 明党参.
func New(listed iter.Seq[Listed], others iter.Seq[OtherName], written, own iter.Seq[string]) *Names {
	n := &Names{map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	for o := range own {
		n.own[han.Fold(o)] = true
	}
	for l := range listed {
		h := han.Fold(l.Herb)
		n.listed[h] = true
		if p := han.Fold(l.Plain); p != "" && p != h {
			n.listed[p] = true
			if _, twice := n.same[h]; !twice {
				n.same[h] = p
			}
		}
	}
	n.resolve()
	count := map[string]int{}
	for h := range written {
		count[h]++
	}
	for h, times := range count {
		if f := han.Fold(h); times >= enough && utf8.RuneCountInString(f) >= 2 && !noHerb[f] {
			n.written[f] = true
		}
	}
	n.forgetSeveral()
	n.take(others)
	return n
}

// take takes other names that the table that people keep does not list. Two that
// are two drugs in every book stay two.
func (n *Names) take(others iter.Seq[OtherName]) {
	same := map[string]string{}
	for o := range others {
		name := han.Fold(o.Name)
		if plain := n.one(han.Fold(o.Herb)); plain != name && !n.listed[name] && !apart[name] {
			same[name] = plain
		}
	}
	for name, plain := range same {
		if !n.Told(name) {
			n.same[name] = plain
			n.meant[plain] = true
		}
	}
	n.resolve()
}

// resolve follows the tables from name to name (辰砂 is 丹砂 is 朱砂) and leaves
// out those that lead in a circle.
func (n *Names) resolve() {
	last := make(map[string]string, len(n.same))
	for h := range n.same {
		seen := map[string]bool{}
		p := h
		for next, more := n.same[p]; more && !seen[p]; next, more = n.same[p] {
			seen[p] = true
			p = next
		}
		if !seen[p] {
			last[h] = p
		}
	}
	n.same = last
}

// forgetSeveral forgets what was written often and is two names: 人参甘草.
func (n *Names) forgetSeveral() {
	var several []string
	for w := range n.written {
		for i := range w {
			if utf8.RuneCountInString(w[:i]) >= shortest && utf8.RuneCountInString(w[i:]) >= shortest && n.Known(w[:i]) && n.Known(w[i:]) {
				several = append(several, w)
			}
		}
	}
	for _, w := range several {
		delete(n.written, w)
	}
}

// Known says whether a plain name is listed or written often.
func (n *Names) Known(plain string) bool { return n.listed[plain] || n.written[plain] }

// Listed says whether a plain name stands in the table that people keep.
func (n *Names) Listed(plain string) bool { return n.listed[plain] }

// Remnant says whether an unknown name is hardly one: a single character, with
// processing or without (炙漆).
func (n *Names) Remnant(plain string) bool {
	one := func(s string) bool { return utf8.RuneCountInString(s) == 1 }
	if n.Known(plain) || apart[plain] || n.meant[plain] {
		return false
	}
	_, left := strip(plain, processing, one, deepest)
	return left || one(plain)
}

// Plain returns the plain names of a herb, folded: several where herbs were
// run together, none where the text is an instruction and no herb, and the
// text itself where it leads to no other name.
func (n *Names) Plain(herb string) []string {
	first, rest := n.bare(herb)
	if first == "" || noHerb[first] {
		return nil
	}
	all := n.single(first)
	for _, r := range rest { // what stands behind a comma is a remark or a herb
		if p := n.one(r); n.Known(p) {
			all = append(all, p)
		}
	}
	return all
}

// single returns the plain names of a text without commas.
func (n *Names) single(s string) []string {
	p := n.one(s)
	if !n.Told(s) && !n.Known(p) && !apart[p] {
		if parts := n.split(s); parts != nil {
			return parts
		}
	}
	return []string{p}
}

// one returns the plain name of a single herb.
func (n *Names) one(s string) string {
	if n.Told(s) {
		return n.told(s)
	}
	return n.told(n.strip(s))
}

// Told says whether a table gives a plain name for a folded name.
func (n *Names) Told(name string) bool { return n.same[name] != "" }

// told is the plain name that a table gives, or the name itself.
func (n *Names) told(s string) string {
	if p, ok := n.same[s]; ok {
		return p
	}
	return s
}

// strip takes off what may be taken off.
func (n *Names) strip(s string) string {
	if n.own[s] {
		return s
	}
	if rest, ok := strip(s, processing, func(r string) bool { return n.own[r] || n.Known(r) }, deepest); ok {
		return rest
	}
	if n.listed[s] || apart[s] || n.several(s) {
		return s
	}
	if rest, ok := strip(s, either, n.Listed, deepest); ok {
		return rest
	}
	if !n.written[s] {
		if rest, ok := strip(s, either, n.Known, deepest); ok {
			return rest
		}
	}
	return s
}

// several says whether two names were run together (干姜附子): taking 干 and 姜
// off would make it 附子 alone.
func (n *Names) several(s string) bool {
	for i := range s {
		if n.Known(s[:i]) && n.Known(s[i:]) {
			return true
		}
	}
	return false
}

// bare folds a name and takes off a remark behind it, and behind a known name a
// dose that slipped into it (大枣十二枚; but 商陆根 is not six roots). Rest is
// what stood behind commas.
func (n *Names) bare(herb string) (first string, rest []string) {
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

// withoutDose takes a dose off that stands behind a known name.
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
