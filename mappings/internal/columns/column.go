// Package columns holds the columns of values for filters and facets.
//
//	record ─ values ──▶ Asteraceae               for facets
//	key   ── forms  ──▶ records                  for filters: 菊科, Compositae and asteraceae are keys of one form
//
// A value is the text that users see. Two records may have the same value with different other
// names. A form is a value together with its other names. A filter finds a record by any name in
// the form that the record has. The package does not know queries. Start with [New].
package columns

import (
	"slices"
	"strconv"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// Column holds the values of one row of an index. It is read-only and safe for
// concurrent use.
type Column struct {
	Values []Value // in the order of their characters
	Total  Counts  // the counts of values in all records

	analyzer mappings.Analyzer
	keys     map[string][]uint32 // key → the forms that it finds; the keys of persons are words and initials
	noted    map[string][]uint32 // key → the forms of which a note says it; see [mappings.NotedMark]
	words    [][]string          // words of the persons' names, by form
	years    []int32             // by form: its year, for a column of years
	valueOf  []uint32            // by form: its value
	formsOf  lists[uint32]       // by value: its forms
	records  lists[store.Num]    // by form: the records that have it
	wide     map[uint32][]uint64 // records of frequent forms as bit sets, by form
	ofRecord lists[uint32]       // by record: its values
}

// Value is one value of a column.
type Value struct {
	Text    string
	Chinese string // its most frequent Chinese name, or ""
}

// lists holds many lists in one slice, as compressed sparse rows.
type lists[T any] struct {
	ends []uint32
	all  []T
}

func (l *lists[T]) of(i int) []T {
	start := uint32(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.all[start:l.ends[i]]
}

func (l *lists[T]) add(list []T) {
	l.all = append(l.all, list...)
	l.ends = append(l.ends, uint32(len(l.all)))
}

// New returns the column of a row of an index.
func New(ix *index.Index, row int) *Column {
	c := &Column{analyzer: ix.Rows[row].Analyzer, keys: make(map[string][]uint32), noted: make(map[string][]uint32), wide: make(map[uint32][]uint64)}
	forms, values := make(map[string]uint32), make(map[string]uint32)
	var byForm [][]store.Num
	var valueOf []uint32
	var own []uint32
	for at := range store.Num(ix.Len()) {
		own = own[:0]
		for text := range strings.SplitSeq(ix.Values(row, at), terms.Separator) {
			if text == "" {
				continue
			}
			form, known := forms[text]
			if !known {
				form = uint32(len(forms))
				forms[text] = form
				seen := terms.Forms(text)[0]
				v, known := values[seen]
				if !known {
					v = uint32(len(values))
					values[seen] = v
					c.Values = append(c.Values, Value{Text: seen})
				}
				valueOf, byForm = append(valueOf, v), append(byForm, nil)
				c.name(text, form)
			}
			if n := len(byForm[form]); n == 0 || byForm[form][n-1] != at {
				byForm[form] = append(byForm[form], at)
			}
			if !slices.Contains(own, valueOf[form]) {
				own = append(own, valueOf[form])
			}
		}
		c.ofRecord.add(own)
	}
	for form, list := range byForm {
		c.records.add(list)
		if len(list) > ix.Len()/64 { // for a long list, a bit set is faster
			c.wide[uint32(form)] = bitsOf(list, ix.Len())
		}
	}
	c.valueOf = valueOf
	c.sort(valueOf)
	c.inChinese(forms, valueOf)
	formsOf := make([][]uint32, len(c.Values))
	for form, v := range valueOf {
		formsOf[v] = append(formsOf[v], uint32(form))
	}
	for _, list := range formsOf {
		c.formsOf.add(list)
	}
	c.Total.Of = make([]uint32, len(c.Values))
	for at := range ix.Len() {
		c.Total.add(c.ofRecord.of(at))
	}
	return c
}

// sort renumbers the values in the order of their characters.
func (c *Column) sort(valueOf []uint32) {
	sorted := make([]uint32, len(c.Values))
	for v := range sorted {
		sorted[v] = uint32(v)
	}
	slices.SortFunc(sorted, func(a, b uint32) int { return strings.Compare(c.Values[a].Text, c.Values[b].Text) })
	values, number := make([]Value, len(sorted)), make([]uint32, len(sorted))
	for n, v := range sorted {
		values[n], number[v] = c.Values[v], uint32(n)
	}
	c.Values = values
	for _, list := range [][]uint32{valueOf, c.ofRecord.all} {
		for i, v := range list {
			list[i] = number[v]
		}
	}
}

// name adds the keys by which a filter finds a form. text is the form's value with its other names.
func (c *Column) name(text string, form uint32) {
	add := func(key string) {
		if list := c.keys[key]; key != "" && (len(list) == 0 || list[len(list)-1] != form) {
			c.keys[key] = append(list, form)
		}
	}
	switch c.analyzer {
	case mappings.Year:
		year, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			panic(err) // package mappings writes only numbers as years, and the manifest has checksums of the file
		}
		c.years = append(c.years, int32(year))
	case mappings.Person:
		words := terms.PersonWords(text)
		c.words = append(c.words, words)
		for _, w := range words {
			add(w)
			add(initial(w))
		}
	default:
		text, noted, _ := strings.Cut(text, mappings.FormSeparator+mappings.NotedMark)
		for _, key := range terms.FacetKeys(c.analyzer, text) {
			add(key)
		}
		for name := range strings.SplitSeq(noted, mappings.FormSeparator+mappings.NotedMark) {
			if key := terms.FacetKey(c.analyzer, name); key != "" {
				c.noted[key] = append(c.noted[key], form)
			}
		}
	}
}

// initial returns the key for the first letter of a word of a person's name. The key starts with a
// full stop, which no word contains.
func initial(word string) string {
	for _, r := range word {
		return "." + string(r)
	}
	return ""
}

// inChinese sets the most frequent Chinese name of each value.
func (c *Column) inChinese(forms map[string]uint32, valueOf []uint32) {
	most := make([]int, len(c.Values))
	for text, form := range forms {
		names := terms.Forms(text)
		if len(names) < 2 || names[1] == "" {
			continue
		}
		v, n := valueOf[form], len(c.records.of(int(form)))
		if n > most[v] || n == most[v] && names[1] < c.Values[v].Chinese {
			most[v], c.Values[v].Chinese = n, names[1]
		}
	}
}
