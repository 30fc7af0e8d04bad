// Package columns holds the values that records are filtered by and counted by.
//
//	record ─ values ──▶ Asteraceae               counted
//	key   ── forms  ──▶ records                  菊科, Compositae and asteraceae are keys of one form
//
// A value is what people see. It has one or several forms, each a value with
// the other names that some records give it; a record is found by the names of
// its own form.
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

// Column is a row of an index as what records are filtered and counted by.
// Nothing of it changes; it is safe for use by many goroutines.
type Column struct {
	Values []Value // in the order of their characters

	analyzer mappings.Analyzer
	keys     map[string][]uint32 // forms by key; by word, of persons
	words    [][]string          // of persons, by form
	years    []int32             // by form
	records  lists[store.Num]    // by form
	wide     map[uint32][]uint64 // the same as bits, of the forms that many records have
	ofRecord lists[uint32]       // values, by record
	total    Counts              // of all records
}

// Value is a value that records have.
type Value struct {
	Text    string
	Chinese string // the commonest of its names in Chinese, or empty
}

// lists are lists of T in one piece of memory (compressed sparse rows).
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

// New reads a row of an index.
func New(ix *index.Index, row int) *Column {
	c := &Column{analyzer: ix.Rows[row].Analyzer, keys: make(map[string][]uint32), wide: make(map[uint32][]uint64)}
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
		if len(list) > ix.Len()/64 { // going through so many records costs more than going through all words
			c.wide[uint32(form)] = bitsOf(list, ix.Len())
		}
	}
	c.sort(valueOf)
	c.inChinese(forms, valueOf)
	c.total.Of = make([]uint32, len(c.Values))
	for at := range ix.Len() {
		c.total.add(c.ofRecord.of(at))
	}
	return c
}

// sort numbers the values in the order of their characters.
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

// name files a form under what it is asked for by.
func (c *Column) name(text string, form uint32) {
	file := func(key string) {
		if list := c.keys[key]; key != "" && (len(list) == 0 || list[len(list)-1] != form) {
			c.keys[key] = append(list, form)
		}
	}
	switch c.analyzer {
	case mappings.Year:
		year, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			panic(err) // the table makes numbers of years, and the manifest vouches for the bytes
		}
		c.years = append(c.years, int32(year))
	case mappings.Person:
		words := terms.PersonWords(text)
		c.words = append(c.words, words)
		for _, w := range words {
			file(w)
			file(initial(w))
		}
	default:
		for _, key := range terms.FacetKeys(c.analyzer, text) {
			file(key)
		}
	}
}

// initial is how a word of a person's name is filed by its first letter: behind
// a sign that no word has.
func initial(word string) string {
	for _, r := range word {
		return "." + string(r)
	}
	return ""
}

// inChinese gives each value the commonest of its names in Chinese.
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
