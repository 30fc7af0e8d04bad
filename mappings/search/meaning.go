package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/names/han"
)

// meaning is a reading of a query: filters, a name, and the part of the records in which the rest is
// searched.
type meaning struct {
	parts      []mappings.Recognised // in the order of the text; those of the API's first kinds
	others     []mappings.Recognised // the parts of further kinds
	herbs      [][]string            // of each herb, the names that formulas use for it
	without    [][]string
	restricted []restriction
	families   []string
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
}

// restriction is a book, an author or a dynasty.
type restriction struct {
	field  string
	key    string   // of a dynasty
	values []uint32 // of a book or an author
}

// recognises reports whether the reading has filters.
func (m *meaning) recognises() bool { return len(m.parts) > 0 || len(m.families) > 0 }

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

// meaning returns what the spans mean together. It returns false if they have no meaning, or are the
// whole text as a name.
func (l *lexicon) meaning(q *Query, text string, atoms []atom, spans []*span) (m meaning, ok bool) {
	without, negated := "", false // the words for without before a list, and whether a herb of it was read
	end := 0                      // the atom after the last span
	nameTo := -1
	for k, s := range spans {
		if negated && endsList(text, atoms, end, s.from) {
			without, negated = "", false
		}
		joins := nameTo >= 0 && onlySpace(atoms[nameTo:s.from]) && s.kind == aName && nameTo == end
		if k > 0 && end == s.from && s.kind != aName && spans[k-1].asked.kind != "without" || s.to > s.textTo && s.kind == mappings.HerbsField {
			m.rewritten = true
		}
		end = s.to
		typed := s.text(text, atoms)
		said := typed
		if s.chinese != "" {
			said, m.rewritten = s.chinese, true
		}
		if s.kind != aName {
			nameTo = -1
		}
		switch s.kind {
		case aWord:
			m.left = m.left || s.asked.kind != "without"
			switch s.asked.kind {
			case "without":
				without, negated = typed, false
				continue
			case "or":
				if without == "" {
					return m, false
				}
			case "list":
			case "formulas", "complaint", "record", "herb":
				if m.asks == "" || m.asks == "record" {
					m.asks = s.asked.kind
				}
				without, negated = "", false
			default:
				without, negated = "", false
			}
			continue
		case aDose:
			m.left = true
			continue
		case mappings.HerbsField:
			m.left = m.left || s.to > s.textTo
			texts, names := []string{typed}, []string{said}
			if s.several != nil {
				texts, names, m.rewritten = s.several, s.several, true
			}
			for k, name := range names {
				part := mappings.Recognised{Text: texts[k], Field: mappings.HerbsField, Values: q.herbsOr(name, l.namesOf(name, s.values))}
				if without != "" {
					part.Field, negated = mappings.WithoutField, true
					m.without = append(m.without, part.Values)
					if !isHan(without) {
						without = "不含"
					}
					name = without + name
				} else {
					m.herbs = append(m.herbs, part.Values)
					m.all, m.herbNames = append(m.all, texts[k]), append(m.herbNames, name)
				}
				m.parts, m.said = append(m.parts, part), append(m.said, name)
			}
			continue
		case mappings.SourceField, mappings.AuthorField, mappings.DynastyField:
			part := mappings.Recognised{Text: typed, Field: s.kind}
			r := restriction{s.kind, terms.ChineseKey(said), s.values}
			column := l.sources
			if s.kind == mappings.AuthorField {
				column = l.authors
			}
			if s.kind == mappings.DynastyField {
				part.Values = []string{mappings.DynastyKey(said)}
			}
			for _, v := range s.values {
				part.Values = append(part.Values, column.Values[v].Text)
			}
			m.restricted, m.parts = append(m.restricted, r), append(m.parts, part)
		case aComplaint:
			if slices.Contains(m.complaints, said) {
				continue
			}
			if m.complaints = append(m.complaints, said); len(m.complaints) > mostComplaints {
				return m, false
			}
			m.others = append(m.others, mappings.Recognised{Text: typed, Field: aComplaint, Values: []string{said}})
		case aForm:
			m.form = strings.TrimSuffix(typed, "剂")
			m.all = append(m.all, m.form)
			m.others = append(m.others, mappings.Recognised{Text: typed, Field: aForm, Values: []string{m.form}})
		case aFamily:
			m.families = append(m.families, typed)
		case aFormula, aName:
			if s.kind == aName {
				nameTo = s.to
			} else {
				m.formulas++
			}
			if joins {
				last := len(m.names) - 1
				longer := text[atoms[spans[k-1].from].from:atoms[s.textTo-1].to]
				longer = m.names[last] + strings.TrimPrefix(longer, text[atoms[spans[k-1].from].from:atoms[spans[k-1].textTo-1].to])
				m.names[last], m.all[len(m.all)-1], m.said[len(m.said)-1] = longer, longer, longer
				continue
			}
			m.names, m.all = append(m.names, typed), append(m.all, typed)
		}
		if without != "" && s.kind != mappings.HerbsField {
			return m, false
		}
		m.said = append(m.said, said)
	}
	if without != "" && !negated {
		return m, false
	}
	for i, name := range m.names {
		if trimmed := strings.TrimSuffix(name, "的"); trimmed != "" && m.left {
			m.names[i] = trimmed
		}
	}
	m.rewritten = m.rewritten || m.left
	m.quoted = len(atoms) > 1 && atoms[0].kind == opensTitle && atoms[len(atoms)-1].kind == closesTitle && len(m.parts) == 1
	switch {
	case len(m.names) == 1 && !m.rewritten && !m.recognises() && len(m.complaints) == 0 && m.form == "":
		return m, false // the whole text
	case len(m.said) == 0 || !m.recognises() && len(m.complaints)+len(m.names) == 0:
		return m, false
	case !m.recognises() && len(m.complaints) == 0 && len(m.names) == 1 && utf8.RuneCountInString(m.names[0]) < 2 && isHan(m.names[0]) && l.properties != nil:
		return m, false // 大方 is no question
	}
	return m, true
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
