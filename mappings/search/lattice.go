package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
)

// A query is read as the cheapest way to cover it with spans that the lexicon knows: herbs, books,
// authors, dynasties, complaints, names of formulas, doses, and the words of questions. What no span
// covers is a name, and costs most.
//
//	菟丝子五味子   菟丝子 herb · 五味子 herb
//	张仲景的含麻黄的方   张仲景 author · 的含 · 麻黄 herb · 的方

// span is a part of a query that is read as one thing.
type span struct {
	from, to int    // the atoms
	textTo   int    // the atom after the last one of its name: a dose or a note may follow
	kind     string // a field of formulas, or one of the kinds below
	cost     float64
	values   []uint32 // the values of the field
	chinese  string   // the name in Chinese, if the text is in letters or miswritten
	slip     bool     // the text is miswritten
	year     int32    // of the kind aYear
	several  []string // the herbs that the text joins in one word: 赤白芍
	asked    asked    // of the words of a question
}

// The kinds of spans beside the fields of formulas.
const (
	aComplaint = "complaint"
	aForm      = "form"    // a dose form: 丸
	aFormula   = "formula" // the whole name of a formula
	aFamily    = "family"
	aGenus     = "genus"
	aYear      = "year"
	aDose      = "dose"
	aName      = "name" // what no row of the lexicon explains
	aWord      = "word" // of a question
)

// The costs of spans. Of two covers with the same number of spans, that with the names in more formulas
// is cheaper; see [lexicon.herbCost].
const (
	nameCost  = 3.0 // of each character or word of a name
	wordCost  = 0.3 // of the words of a question beside something recognised
	mostPaths = 3
	longText  = 120 // atoms; of a longer text only the best cover is kept at each place
	farther   = 1.3 // how much more another reading may cost than the best
)

// state is what precedes a place of a query.
type state uint8

const (
	free   state = iota // the beginning, a separator, or words of a question that nothing recognised precedes
	joined              // a span
	inName              // a part of a name
	states              // the number of states
)

// path is a cover of the beginning of a query.
type path struct {
	cost   float64
	before *path
	span   *span
	state  state
}

// covers returns the best covers of the atoms, the cheapest first. It returns nil if the lexicon
// recognises nothing.
func (l *lexicon) covers(text string, atoms []atom) (best [][]*span) {
	at := make([][]span, len(atoms))
	any := false
	for i := range atoms {
		if !atoms[i].between() {
			at[i] = l.spans(text, atoms, i)
			any = any || len(at[i]) > 0
		}
	}
	if !any {
		return nil
	}
	paths := make([][states][]*path, len(atoms)+1)
	paths[0][free] = []*path{{}}
	most := mostPaths
	if len(atoms) > longText {
		most = 1
	}
	add := func(to int, p *path) {
		list := &paths[to][p.state]
		i, _ := slices.BinarySearchFunc(*list, p, func(a, b *path) int { return cmp.Or(cmp.Compare(a.cost, b.cost), -1) })
		*list = slices.Insert(*list, i, p)
		*list = (*list)[:min(len(*list), most)]
	}
	for i := range atoms {
		a := &atoms[i]
		for st := range states {
			for _, p := range paths[i][st] {
				if a.between() {
					add(i+1, &path{p.cost, p.before, p.span, free})
					continue
				}
				touches := i > 0 && atoms[i-1].kind == a.kind && a.kind == character // no separator, and the same script
				if !(st == joined && touches) || p.inTaxon(atoms) {
					add(i+1, &path{p.cost + nameCost, p, &span{from: i, to: i + 1, textTo: i + 1, kind: aName}, inName})
				}
				for k := range at[i] {
					s := &at[i][k]
					if next, ok := p.extended(s, st, touches, atoms); ok {
						add(s.to, next)
					}
				}
			}
		}
	}
	var ends []*path
	for st := range states {
		ends = append(ends, paths[len(atoms)][st]...)
	}
	slices.SortStableFunc(ends, func(a, b *path) int { return cmp.Compare(a.cost, b.cost) })
	for _, p := range ends {
		if len(best) == mostPaths || p.cost > ends[0].cost+farther {
			break
		}
		var spans []*span
		for ; p.span != nil; p = p.before {
			spans = append(spans, p.span)
		}
		slices.Reverse(spans)
		best = append(best, spans)
	}
	return best
}

// extended returns the path with one more span, if it may follow. touches is true if nothing is
// between them.
func (p *path) extended(s *span, st state, touches bool, atoms []atom) (*path, bool) {
	cost := p.cost + s.cost
	if s.kind != aWord {
		if touches && (st == inName && s.kind != aDose || s.kind == aFormula && st == joined && !p.heads() || s.kind == mappings.HerbsField && p.span != nil && p.span.kind == aFormula) {
			return nil, false
		}
		next := joined
		if s.kind == aDose {
			next = free
		}
		return &path{cost, p, s, next}, true
	}
	first := p.span == nil
	last := !slices.ContainsFunc(atoms[s.to:], func(a atom) bool { return !a.between() })
	if s.asked.place == "after" && first || s.asked.place == "before" && last {
		return nil, false
	}
	units := 0 // characters or words
	for _, a := range atoms[s.from:s.to] {
		if !a.between() {
			units++
		}
	}
	next := &path{cost, p, s, joined}
	if s.asked.kind == "kind" {
		next.cost += nameCost
	}
	switch {
	case st == inName && touches:
		return next, units > 1
	case s.asked.place != "after" && (units > 1 || s.asked.kind == "complaint" || atoms[s.from].kind != character):
		next.state = free // one character may be a part of any name, and so none may touch it
	}
	return next, true
}

// heads reports whether the last span of a path may stand before the name of a formula.
func (p *path) heads() bool {
	return p.span.kind == aWord || p.span.kind == mappings.SourceField || p.span.kind == mappings.AuthorField || p.span.kind == mappings.DynastyField
}

// inTaxon reports whether a path ends with a family or a genus, and perhaps 的 behind it.
func (p *path) inTaxon(atoms []atom) bool {
	if p.span != nil && p.span.kind == aWord && p.span.to == p.span.from+1 && atoms[p.span.from].key == "的" {
		p = p.before
	}
	return p.span != nil && (p.span.kind == aFamily || p.span.kind == aGenus)
}

// textOf returns the text of a span as typed.
func (s *span) text(text string, atoms []atom) string {
	return strings.TrimSpace(text[atoms[s.from].from:atoms[s.textTo-1].to])
}

// wordSpans returns the words of questions that begin at an atom.
func wordSpans(text string, atoms []atom, i int) (list []span) {
	words := questionWords()
	add := func(key string, to int) {
		for _, a := range words.words[key] {
			list = append(list, span{from: i, to: to, textTo: to, kind: aWord, cost: wordCost, asked: a})
		}
	}
	if atoms[i].kind == character {
		key := ""
		for j := i; j < len(atoms) && atoms[j].kind == character && utf8.RuneCountInString(key) < words.longest; j++ {
			key += atoms[j].key
			add(key, j+1)
		}
		return list
	}
	for _, j := range wordEnds(atoms, i) {
		add(strings.ToLower(strings.Join(strings.Fields(text[atoms[i].from:atoms[j-1].to]), " ")), j)
	}
	return list
}

// wordEnds yields the ends of the texts of one, two, three … words that begin at an atom.
func wordEnds(atoms []atom, i int) (ends []int) {
	for j := i; j < len(atoms) && len(ends) < mostWords; j++ {
		switch atoms[j].kind {
		case word:
			ends = append(ends, j+1)
		case space:
		default:
			return ends
		}
	}
	return ends
}

// alone reports whether the atoms are a whole part between separators.
func alone(atoms []atom, from, to int) bool {
	return (from == 0 || atoms[from-1].between() || atoms[from-1].kind == digits) && (to == len(atoms) || atoms[to].between() || atoms[to].kind == digits)
}

// loneWord reports whether no other word stands beside a word, with or without space between them.
func loneWord(atoms []atom, i int) bool {
	isWord := func(step int) bool {
		j := i + step
		for j >= 0 && j < len(atoms) && atoms[j].kind == space {
			j += step
		}
		return j >= 0 && j < len(atoms) && atoms[j].kind == word
	}
	return !isWord(-1) && !isWord(1)
}

// keyOf returns the folded characters of atoms.
func keyOf(atoms []atom) string {
	var key strings.Builder
	for _, a := range atoms {
		key.WriteString(a.key)
	}
	return key.String()
}
