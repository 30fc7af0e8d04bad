package search

import (
	"cmp"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/names/editdistance"
	"bencao/names/han"
)

// Meant returns the values of a field that a text means in a filter: the value with this name, or else
// the books and authors that the text means in a query, such as 张仲景 for 张机. It returns nil if no
// record has such a value. Books and authors may also be given in letters: Shanghan Lun.
func (s *Searcher) Meant(field, text string) ([]string, error) {
	column, err := s.lazy.column(field)
	if err != nil || column.Has(text) {
		return []string{text}, err
	}
	p, err := s.lazy.propertiesOf()
	if p == nil || err != nil {
		return nil, err
	}
	if !han.Has(text) {
		l, err := s.lazy.lexiconOf()
		if err != nil {
			return nil, err
		}
		text = l.romanized.whole(text, p)
	}
	var values []uint32
	switch key := terms.ChineseKey(text); field {
	case mappings.SourceField:
		values = p.books[key]
	case mappings.AuthorField:
		values = p.persons[mappings.PersonKey(key)]
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, column.Values[v].Text)
	}
	return texts, nil
}

// mostClose is the largest number of values that [Searcher.Like] returns.
const mostClose = 3

// Like returns at most mostClose values of a field that look like a text: they contain it or are
// contained in it, or differ by few letters. The most similar come first, and of these the most
// frequent.
func (s *Searcher) Like(field, text string) ([]string, error) {
	column, err := s.lazy.column(field)
	if err != nil {
		return nil, err
	}
	type candidate struct{ value, distance int }
	var found []candidate
	sought := []rune(terms.ChineseKey(text))
	least := 4 // characters of a text that may be a part of another one
	if han.Has(text) {
		least = 1
	}
	for i, v := range column.Values {
		best := -1
		for _, name := range []string{v.Text, v.Chinese} {
			key := []rune(terms.ChineseKey(name))
			most := max(1, len(sought)/4)
			distance := editdistance.Distance(sought, key, most)
			switch {
			case distance <= most && distance < len(sought):
			case min(len(key), len(sought)) >= least && (strings.Contains(string(key), string(sought)) || strings.Contains(string(sought), string(key))):
				distance = max(len(key)-len(sought), len(sought)-len(key))
			default:
				continue
			}
			if best < 0 || distance < best {
				best = distance
			}
		}
		if best >= 0 {
			found = append(found, candidate{i, best})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(column.Total.Of[b.value], column.Total.Of[a.value]))
	})
	out := []string{}
	for _, c := range found[:min(mostClose, len(found))] {
		out = append(out, column.Values[c.value].Text)
	}
	return out, nil
}
