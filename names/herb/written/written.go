// Package written finds the plain names in the text of a herb in a formula: 炙甘草, 甘草（炙） and
// 甘草末 are all 甘草, and 人参甘草 is 人参 and 甘草.
//
// processing.txt of package herb lists the affixes that may be removed. Whether an affix is removed
// depends on the known names. The same character can be an affix in one name and belong to another
// name: 姜半夏 is 半夏, but 姜黄 is not 黄.
//
// The package does not know species. Start with [Names.Plain].
package written

import (
	"cmp"
	"iter"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/dose"
	"bencao/names/vernacular"
)

// minWritten is the minimum number of times that a text must occur in formulas to count as the name
// of a herb. A text between two commas is not always a herb.
const minWritten = 5

// Listed is a herb of the curated table, herb_species.
type Listed struct {
	Herb string
	// Plain is the herb's plain name if the table gives one, such as 茯苓 for 云苓, and otherwise
	// "".
	Plain string
	// Dated is true if the row holds for some years only.
	Dated bool
}

// OtherName is another name of a herb. From and To are the first and the last year of the formulas in
// which the name means the herb; nil means no limit.
type OtherName struct {
	Name, Herb string
	From, To   *int32
}

// Names holds the known names of herbs, folded by [han.Fold]. It is safe for concurrent use.
type Names struct {
	listed   map[string]bool   // in the curated table
	written  map[string]bool   // frequent in formulas
	plain    map[string]string // plain names from the table or from the standard names, by name
	standard map[string]bool   // names whose plain name is a standard name
	intact   map[string]bool   // names of herbs that are not split and lose no affixes
	// dated has, by name, the plain names that the name has in some years. year is the year of the
	// formula whose names are read; nil if it is unknown.
	dated map[string][]OtherName
	year  *int32
	// ruled has the names in the curated table whose rows give years or a plain name. Their names in
	// dated do not count.
	ruled map[string]bool
}

// Sources holds the names that [New] reads.
type Sources struct {
	// Listed is the curated table.
	Listed iter.Seq[Listed]
	// Standard yields names, each with the standard name of its herb. Names in Listed take precedence.
	Standard iter.Seq[OtherName]
	// Written yields the herbs in all formulas, each as often as it occurs.
	Written iter.Seq[string]
	// Own yields names that lose no affixes, since the name without the affix is another herb: 明党参
	// is not 党参.
	Own iter.Seq[string]
}

// StandardNames yields the names for which names.txt gives a standard name, each with that standard
// name.
func StandardNames(yield func(OtherName) bool) {
	for _, s := range herb.Statements() {
		if s.Relation == herb.Same && !yield(OtherName{Name: s.Name, Herb: s.Herbs[0], From: s.From, To: s.To}) {
			return
		}
	}
}

// OwnNames yields the names that lose no affixes: those of the herbs of the table, such as 明党参, which
// is not 党参, and the names that names.txt keeps apart.
func OwnNames(yield func(string) bool) {
	for _, d := range herb.All() {
		if herb.Standard(d.Name) == "" && !yield(d.Name) {
			return
		}
	}
	for _, s := range herb.Statements() {
		for _, name := range append([]string{s.Name}, s.Herbs...) {
			if herb.HasRecord(name) && !yield(name) {
				return
			}
		}
	}
}

// New returns the names in the sources. If the curated table gives a name as its own plain name,
// other sources cannot give it another plain name.
func New(from Sources) *Names {
	n := &Names{listed: map[string]bool{}, written: map[string]bool{}, plain: map[string]string{}, standard: map[string]bool{}, intact: map[string]bool{}, dated: map[string][]OtherName{}, ruled: map[string]bool{}}
	for o := range from.Own {
		n.intact[han.Fold(o)] = true
	}
	for l := range from.Listed {
		h := han.Fold(l.Herb)
		n.listed[h] = true
		n.ruled[h] = n.ruled[h] || l.Dated || l.Plain != ""
		switch p := han.Fold(l.Plain); p {
		case "":
		case h:
			n.intact[h] = true
		default:
			n.listed[p] = true
			if _, twice := n.plain[h]; !twice {
				n.plain[h] = p
			}
		}
	}
	n.resolve()
	n.addStandard(from.Standard)
	count := map[string]int{}
	for h := range from.Written {
		count[h]++
	}
	for h, times := range count {
		if f := han.Fold(h); times >= minWritten && utf8.RuneCountInString(f) >= 2 && !isInstruction(f) {
			n.written[f] = true
		}
	}
	n.removeCompounds()
	return n
}

// At returns the names as they are in formulas of a year. If year is nil, names that only some years
// have do not count.
func (n *Names) At(year *int32) *Names {
	at := *n
	at.year = year
	return &at
}

// addStandard adds standard names. It skips a name in two cases: if the curated table gives the
// name a plain name, or if the name is itself the plain name of its standard name.
func (n *Names) addStandard(names iter.Seq[OtherName]) {
	for o := range names {
		name, herb := han.Fold(o.Name), han.Fold(o.Herb)
		if o.From != nil || o.To != nil {
			n.dated[name] = append(n.dated[name], OtherName{name, herb, o.From, o.To})
			continue
		}
		if n.intact[name] || n.HasPlain(name) || n.plainOf(herb) == name || name == herb {
			continue
		}
		n.plain[name] = herb
		n.standard[name] = true
		if n.listed[name] {
			n.listed[herb] = true
		}
	}
	n.resolve()
}

// resolve follows chains of plain names (辰砂 is 丹砂 is 朱砂). It drops names that form a cycle.
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

// removeCompounds drops frequent texts that consist of two names: 人参甘草.
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

// Known reports whether a plain name is in the curated table, is frequent in formulas, or must be
// kept whole because it names a herb.
func (n *Names) Known(plain string) bool {
	return n.listed[plain] || n.written[plain] || n.whole(plain)
}

// whole reports whether a name must be kept whole, without losing affixes, because it is the name
// of a herb. Such a name has at least two characters.
func (n *Names) whole(name string) bool {
	return (n.intact[name] || n.standard[name]) && utf8.RuneCountInString(name) >= 2
}

// Listed reports whether a plain name is in the curated table.
func (n *Names) Listed(plain string) bool { return n.listed[plain] }

// Remnant reports whether a text is unknown and probably not a name, because it is a single
// character, with or without words for processing (炙漆).
func (n *Names) Remnant(plain string) bool {
	one := func(s string) bool { return utf8.RuneCountInString(s) == 1 }
	if n.Known(plain) || n.intact[plain] || isApart(plain) {
		return false
	}
	_, left := n.cut(plain, processing, one)
	return left || one(plain)
}

// Plain returns the plain names of a herb, folded. Plain returns several names if the text joins
// several herbs, and no name if the text is an instruction. If no plain name is found, Plain
// returns the text itself.
func (n *Names) Plain(text string) []string {
	if name := inChinese(text); name != "" {
		return []string{n.plainOne(han.Fold(name))}
	}
	first, rest := n.clean(text)
	if first == "" || isInstruction(first) {
		return nil
	}
	all := n.single(first)
	for _, r := range rest { // a text after a comma is either a remark or a further herb
		if p := n.plainOne(r); n.Known(p) {
			all = append(all, p)
		}
	}
	return all
}

// inChinese returns the Chinese name of a herb that a text names in English, Japanese or Korean letters, or
// "".
func inChinese(text string) string {
	if han.Has(text) {
		return ""
	}
	if i := strings.IndexAny(text, "（([〔【,，、;；"); i > 0 {
		text = text[:i]
	}
	text = strings.TrimSpace(text)
	return cmp.Or(vernacular.English().Herb(text), vernacular.Asian().Herb(text))
}

// Name returns the name at the start of a herb, folded and without a remark or a dose after it. It
// returns "" if there is no name.
func (n *Names) Name(text string) string {
	name, _ := n.clean(text)
	return name
}

// single returns the plain names of a text without commas.
func (n *Names) single(s string) []string {
	if parts := n.joined(s); parts != nil {
		return parts
	}
	p := n.plainOne(s)
	if !n.HasPlain(s) && !n.Known(p) && !isApart(p) {
		if parts := n.split(s); parts != nil {
			return parts
		}
		if meant := herb.Slip(p); meant != "" { // 木桶
			return []string{n.plainOne(han.Fold(meant))}
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

// HasPlain reports whether a folded name has a plain name from the curated table or from the standard
// names.
func (n *Names) HasPlain(name string) bool { return n.plainOf(name) != name }

// plainOf returns the plain name that a table gives for a name, or else the name itself.
func (n *Names) plainOf(s string) string {
	if plain, ok := n.InYear(s); ok {
		return plain
	}
	return cmp.Or(n.plain[s], s)
}

// InYear returns the plain name that a folded name has in the year of the formula only, and false if it
// has none. The curated table overrides it by a row with years or with a plain name: a row without
// them is about no year in particular.
func (n *Names) InYear(name string) (plain string, ok bool) {
	if n.year == nil || n.ruled[name] {
		return "", false
	}
	for _, o := range n.dated[name] {
		if (o.From == nil || *o.From <= *n.year) && (o.To == nil || *n.year <= *o.To) {
			return cmp.Or(n.plain[o.Herb], o.Herb), true
		}
	}
	return "", false
}

// strip removes words for processing. From unknown names it also removes words for qualities.
func (n *Names) strip(s string) string {
	if n.intact[s] {
		return s
	}
	if rest, ok := n.cut(s, processing, n.Known); ok {
		return rest
	}
	if n.listed[s] || isApart(s) || n.isCompound(s) {
		return s
	}
	if rest, ok := n.cut(s, either, n.Listed); ok {
		return rest
	}
	if !n.written[s] {
		if rest, ok := n.cut(s, either, n.Known); ok {
			return rest
		}
	}
	return s
}

// cut does the same as the function strip, but does not change names that must be kept whole.
func (n *Names) cut(s string, a affixes, known func(string) bool) (string, bool) {
	return strip(s, a, known, func(r string) bool { return isApart(r) || n.whole(r) }, maxAffixes)
}

// Relation returns how a herb as written relates to its plain name: "part" if a word for a part was
// removed, "processed" if a word for processing was removed, and "same" otherwise. The herb must
// have only one plain name.
func (n *Names) Relation(herb string) string {
	s, _ := n.clean(herb)
	if s == "" || n.HasPlain(s) {
		return "same"
	}
	rest := n.strip(s)
	before, after, _ := strings.Cut(s, rest)
	switch {
	case hasWord(after, "unknown-part"):
		return "part"
	case hasWord(before, "formula-before"), hasWord(after, "formula-after"), strings.Contains(before, "熟"):
		return "processed"
	}
	return "same"
}

// isCompound reports whether a text joins two names (干姜附子). Such a text must not lose affixes:
// without 干 and 姜, only 附子 would remain.
func (n *Names) isCompound(s string) bool {
	for i := range s {
		if n.Known(s[:i]) && n.Known(s[i:]) {
			return true
		}
	}
	return false
}

// clean folds the text of a herb and splits it at commas. first is the text before the first comma,
// without a remark after it. If a dose follows a known name, clean also removes the dose (大枣十二枚;
// but 商陆根 is not six roots). rest holds the texts after the commas.
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

// withoutDose removes a dose that follows a known name.
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
