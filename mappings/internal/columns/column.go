// Package columns holds the values that records are filtered by and counted by.
//
//	place ── values ──▶ Asteraceae               counted
//	key   ── forms  ──▶ places                   菊科, Compositae and asteraceae are keys of one form
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
)

// Column is a row of an index as what records are filtered and counted by.
// Nothing of it changes; it is safe for use by many goroutines.
type Column struct {
	Values []Value
	// Sorted are the values in the order of their characters.
	Sorted []uint32

	analyzer mappings.Analyzer
	keys     map[string][]uint32 // forms by key; by word, of persons
	words    [][]string          // of persons, by form
	years    []int32             // by form
	places   lists[index.Place]  // by form
	wide     map[uint32][]uint64 // the same as bits, of the forms that many records have
	ofPlace  lists[uint32]       // values, by place
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
	var byForm [][]index.Place
	var valueOf []uint32
	var own []uint32
	for at := range index.Place(ix.Len()) {
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
		c.ofPlace.add(own)
	}
	for form, list := range byForm {
		c.places.add(list)
		if len(list) > ix.Len()/64 { // going through so many places costs more than going through all words
			c.wide[uint32(form)] = bitsOf(list, ix.Len())
		}
	}
	for v := range c.Values {
		c.Sorted = append(c.Sorted, uint32(v))
	}
	slices.SortFunc(c.Sorted, func(a, b uint32) int { return strings.Compare(c.Values[a].Text, c.Values[b].Text) })
	c.inChinese(forms, valueOf)
	return c
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
		v, n := valueOf[form], len(c.places.of(int(form)))
		if n > most[v] || n == most[v] && names[1] < c.Values[v].Chinese {
			most[v], c.Values[v].Chinese = n, names[1]
		}
	}
}

// Has says whether a record has a value of that name.
func (c *Column) Has(text string) bool { return len(c.find(text)) > 0 }

// Find sets the bits of the places of the records that have a value of that
// name.
func (c *Column) Find(text string, bits []uint64) {
	for _, form := range c.find(text) {
		c.set(form, bits)
	}
}

func (c *Column) set(form uint32, bits []uint64) {
	if wide := c.wide[form]; wide != nil {
		for i, w := range wide {
			bits[i] |= w
		}
		return
	}
	for _, at := range c.places.of(int(form)) {
		bits[at/64] |= 1 << (at % 64)
	}
}

// bitsOf are places as bits.
func bitsOf(places []index.Place, records int) []uint64 {
	bits := make([]uint64, (records+63)/64)
	for _, at := range places {
		bits[at/64] |= 1 << (at % 64)
	}
	return bits
}

// find returns the forms of a name. That of a person is found by any words and
// initials of it, in any order.
func (c *Column) find(text string) []uint32 {
	if c.analyzer != mappings.Person {
		return c.keys[terms.FacetKey(c.analyzer, text)]
	}
	words := terms.PersonWords(text)
	if len(words) == 0 {
		return nil
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	var found []uint32
	for _, form := range c.keys[filed(words[0])] {
		if !slices.ContainsFunc(words, func(w string) bool {
			return !slices.ContainsFunc(c.words[form], func(own string) bool { return fits(w, own) })
		}) {
			found = append(found, form)
		}
	}
	return found
}

// filed is how a word that is asked for is filed: a single letter is an
// initial.
func filed(word string) string {
	if i := initial(word); i == "."+word {
		return i
	}
	return word
}

// fits says whether a word or an initial that is asked for is a person's.
func fits(asked, own string) bool {
	return asked == own || filed(asked) != asked && strings.HasPrefix(own, asked)
}

// Between sets the bits of the places of the records of the years from the one
// to the other; nil is no bound.
func (c *Column) Between(from, to *int32, bits []uint64) {
	for form, y := range c.years {
		if (from == nil || y >= *from) && (to == nil || y <= *to) {
			c.set(uint32(form), bits)
		}
	}
}

// Count counts how many of the records at some places have each value, and how
// many have none.
func (c *Column) Count(places func(yield func(index.Place) bool)) (counts []int, without int) {
	counts = make([]int, len(c.Values))
	for at := range places {
		own := c.ofPlace.of(int(at))
		for _, v := range own {
			counts[v]++
		}
		if len(own) == 0 {
			without++
		}
	}
	return counts, without
}
