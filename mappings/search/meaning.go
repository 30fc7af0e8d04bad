package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/herb"
)

// meaning is a reading of a query: filters, a name, and the part of the records in which the rest is
// searched.
type meaning struct {
	parts      []mappings.Recognised // in the order of the text; those of the API's first kinds
	others     []mappings.Recognised // the parts of further kinds
	herbs      [][]string            // of each herb, the names that formulas use for it
	without    [][]string
	restricted []restriction
	taxa       []mappings.Recognised // families and genera
	complaints []string
	names      []string // the texts of the names, as typed
	formulas   int      // how many of them are whole names of formulas
	herbNames  []string // the herbs in Chinese
	all        []string // these and the texts of the herbs, in the order of the text
	form       string   // the dose form
	said       []string // the parts in Chinese, for [mappings.Rewrite.ReadAs]
	left       bool     // words of the text mean nothing for the search
	rewritten  bool     // the text is not just its parts with separators between them
	asks       string   // the kind of what the words of a question ask for: "formulas", "complaint", "record" or ""
	quoted     bool     // the text is one title in 《》
	slip       bool     // the name of a herb is miswritten
}

// restriction is a book, an author, a dynasty or a year.
type restriction struct {
	field  string
	key    string   // of a dynasty
	values []uint32 // of a book or an author
	year   int32
}

// recognises reports whether the reading has filters.
func (m *meaning) recognises() bool { return len(m.parts)+len(m.restricted)+len(m.taxa) > 0 }

// withAbsentHerbs returns the reading of a prescription with those of its names as herbs that are herbs
// which no formula has. Modern prescriptions have such: 鱼腥草. Any other reading it returns as it is.
func (l *lexicon) withAbsentHerbs(m *meaning) *meaning {
	if m.form != "" || len(m.names) == 0 || len(m.herbs) < leastMost-1 {
		return m
	}
	with := *m
	with.parts, with.herbs, with.names = slices.Clone(m.parts), slices.Clone(m.herbs), nil
	for _, text := range strings.Fields(strings.Join(m.names, " ")) {
		if len(herb.LookupReading(herb.Reading{Base: terms.ChineseKey(text)})) == 0 {
			with.names = append(with.names, text)
			continue
		}
		with.parts = append(with.parts, mappings.Recognised{Text: text, Field: mappings.HerbsField, Values: []string{text}})
		with.herbs = append(with.herbs, []string{text})
	}
	return &with
}

// list reports whether the text is a list of herbs and has no name.
func (m *meaning) list() bool {
	return len(m.herbs) > 1 && len(m.names) == 0 && m.form == ""
}

// meanings returns the readings of a text, the likeliest first. None of them is the whole text as a
// name.
func (l *lexicon) meanings(q *Query, text string) (list []meaning) {
	atoms := atomsOf(text)
	for _, spans := range l.covers(text, atoms) {
		if m, ok := l.meaning(q, text, atoms, spans); ok {
			list = append(list, m)
		}
	}
	return list
}

// composer composes a meaning from the spans of a query.
type composer struct {
	*lexicon
	q       *Query
	text    string
	atoms   []atom
	spans   []*span
	m       meaning
	without string // the words for without before a list
	negated bool   // a herb of that list was read
	end     int    // the atom after the last span
}

// meaning returns what the spans mean together. It returns false if they have no meaning, or are the
// whole text as a name.
func (l *lexicon) meaning(q *Query, text string, atoms []atom, spans []*span) (meaning, bool) {
	c := composer{lexicon: l, q: q, text: text, atoms: atoms, spans: spans}
	for k := range spans {
		if !c.add(k) {
			return c.m, false
		}
	}
	return c.m, (c.without == "" || c.negated) && c.complete()
}

// add adds what a span means. It returns false if the spans have no meaning.
func (c *composer) add(k int) bool {
	s, m := c.spans[k], &c.m
	if c.negated && endsList(c.text, c.atoms, c.end, s.from) {
		c.without, c.negated = "", false
	}
	continues := k > 0 && s.kind == aName && c.spans[k-1].kind == aName && onlySpace(c.atoms[c.end:s.from])
	if k > 0 && c.end == s.from && s.kind != aName && c.spans[k-1].asked.kind != "without" || s.to > s.textTo && s.kind == mappings.HerbsField || s.chinese != "" {
		m.rewritten = true
	}
	c.end = s.to
	typed := s.text(c.text, c.atoms)
	said := cmp.Or(s.chinese, typed)
	other := func(value string) {
		m.others = append(m.others, mappings.Recognised{Text: typed, Field: s.kind, Values: []string{value}})
	}
	switch s.kind {
	case aWord:
		return c.addWord(s, typed)
	case aDose:
		m.left = true
		return true
	case mappings.HerbsField:
		c.addHerbs(s, typed, said)
		return true
	case mappings.SourceField, mappings.AuthorField, mappings.DynastyField:
		c.addRestriction(s, typed, said)
	case aYear:
		m.restricted = append(m.restricted, restriction{field: aYear, year: s.year})
		other(strconv.Itoa(int(s.year)))
	case aComplaint:
		if slices.Contains(m.complaints, said) {
			return true
		}
		if m.complaints = append(m.complaints, said); len(m.complaints) > mostComplaints {
			return false
		}
		other(said)
	case aForm:
		m.form = strings.TrimSuffix(typed, "剂")
		m.all = append(m.all, m.form)
		other(m.form)
	case aFamily, aGenus:
		other(typed)
		m.taxa = append(m.taxa, m.others[len(m.others)-1])
	case aFormula, aName:
		if s.kind == aFormula {
			m.formulas++
		}
		if continues {
			c.lengthenName(k)
			return true
		}
		m.names, m.all = append(m.names, said), append(m.all, said)
	}
	m.said = append(m.said, said)
	return true
}

// addWord adds words of a question.
func (c *composer) addWord(s *span, typed string) bool {
	m := &c.m
	m.left = m.left || s.asked.kind != "without"
	switch s.asked.kind {
	case "without":
		c.without, c.negated = typed, false
	case "or":
		return c.without != ""
	case "list":
	case "formulas", "complaint", "record", "herb":
		if m.asks == "" || m.asks == "record" {
			m.asks = s.asked.kind
		}
		c.without, c.negated = "", false
	default:
		c.without, c.negated = "", false
	}
	return true
}

// addHerbs adds a herb, or the herbs that one word joins.
func (c *composer) addHerbs(s *span, typed, said string) {
	m := &c.m
	m.left, m.slip = m.left || s.to > s.textTo, m.slip || s.slip
	texts, names := []string{typed}, []string{said}
	if s.several != nil {
		texts, names, m.rewritten = s.several, s.several, true
	}
	for k, name := range names {
		part := mappings.Recognised{Text: texts[k], Field: mappings.HerbsField, Values: c.q.herbsOr(name, c.namesOf(name, s.values))}
		if c.without != "" {
			part.Field, c.negated = mappings.WithoutField, true
			m.without = append(m.without, part.Values)
			if !isHan(c.without) {
				c.without = "不含"
			}
			name = c.without + name
		} else {
			m.herbs = append(m.herbs, part.Values)
			m.all, m.herbNames = append(m.all, texts[k]), append(m.herbNames, name)
		}
		m.parts, m.said = append(m.parts, part), append(m.said, name)
	}
}

// addRestriction adds a book, an author or a dynasty.
func (c *composer) addRestriction(s *span, typed, said string) {
	part := mappings.Recognised{Text: typed, Field: s.kind}
	column := c.sources
	if s.kind == mappings.AuthorField {
		column = c.authors
	}
	if s.kind == mappings.DynastyField {
		part.Values = []string{mappings.DynastyKey(said)}
	}
	for _, v := range s.values {
		part.Values = append(part.Values, column.Values[v].Text)
	}
	c.m.restricted = append(c.m.restricted, restriction{field: s.kind, key: terms.ChineseKey(said), values: s.values})
	c.m.parts = append(c.m.parts, part)
}

// lengthenName adds a part of a name to the name that the part before it belongs to.
func (c *composer) lengthenName(k int) {
	m, before, s := &c.m, c.spans[k-1], c.spans[k]
	last := len(m.names) - 1
	longer := m.names[last] + c.text[c.atoms[before.textTo-1].to:c.atoms[s.textTo-1].to]
	m.names[last], m.all[len(m.all)-1], m.said[len(m.said)-1] = longer, longer, longer
}

// complete completes the meaning. It returns false if the spans are the whole text as a name, or have no
// meaning.
func (c *composer) complete() bool {
	m := &c.m
	m.rewritten = m.rewritten || m.left
	if last := len(m.taxa) - 1; len(m.names) == 0 && last > 0 && m.taxa[last].Field == aGenus {
		m.names, m.taxa, m.others = []string{m.taxa[last].Text}, m.taxa[:last], m.others[:len(m.others)-1]
	}
	m.quoted = strings.HasPrefix(c.text, "《") && strings.HasSuffix(c.text, "》") && len(m.parts) == 1
	switch {
	case len(m.names) == 1 && !m.rewritten && !m.recognises() && len(m.complaints) == 0 && m.form == "":
		return false // the whole text
	case len(m.said) == 0 || !m.recognises() && len(m.complaints)+len(m.names) == 0:
		return false
	}
	return true
}

// namesOf returns the names that formulas use for a herb, which is given by its values, or by its name
// if these are nil.
func (l *lexicon) namesOf(name string, values []uint32) []string {
	if values == nil {
		values = l.herbsNamed(terms.ChineseKey(name))
	}
	names := make([]string, 0, len(values))
	for _, v := range values {
		names = append(names, l.herbs.Values[v].Text)
	}
	return names
}

// endsList reports whether what is between two parts of a query ends a list of herbs that formulas must
// not have: only space, and a character beside it.
func endsList(text string, atoms []atom, from, to int) bool {
	if from == to || !onlySpace(atoms[from:to]) {
		return false
	}
	return atoms[to].kind == character || strings.Contains(text[atoms[from].from:atoms[to-1].to], "\n")
}

func onlySpace(atoms []atom) bool {
	return !slices.ContainsFunc(atoms, func(a atom) bool { return a.kind != space })
}

// mostComplaints is the largest number of complaints in one query.
const mostComplaints = 3

// isHan reports whether a text has characters.
func isHan(text string) bool { return han.Has(text) }

// readAs returns the text that is searched instead of the query, or "" if that is the query itself.
func (m *meaning) readAs() string {
	if !m.rewritten {
		return ""
	}
	return strings.Join(m.said, " ")
}
