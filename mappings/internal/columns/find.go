package columns

import (
	"iter"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// Has reports whether any record has a value with this name.
func (c *Column) Has(text string) bool { return len(c.find(text)) > 0 }

// Named returns the values with this name in any of their forms, each once. If the name is the
// visible text of a value, Named returns only that value.
func (c *Column) Named(text string) (values []uint32) {
	key := terms.FacetKey(c.analyzer, text)
	for _, form := range c.find(text) {
		v := c.valueOf[form]
		if terms.FacetKey(c.analyzer, c.Values[v].Text) == key {
			return []uint32{v}
		}
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// FindValue sets the bits of the records that have one of the values that Named returns, and of those
// with a note that adds the name.
func (c *Column) FindValue(text string, bits []uint64) {
	for _, v := range c.Named(text) {
		c.Records(v, bits)
	}
	for _, form := range c.noted[terms.FacetKey(c.analyzer, text)] {
		c.set(form, bits)
	}
}

// HasNoted reports whether any record has a note that adds the name.
func (c *Column) HasNoted(text string) bool {
	return len(c.noted[terms.FacetKey(c.analyzer, text)]) > 0
}

// Noted yields the records with a note that adds the name, each with the value that has the note: 甘草
// for 炙甘草.
func (c *Column) Noted(text string) iter.Seq2[store.Num, uint32] {
	return func(yield func(store.Num, uint32) bool) {
		for _, form := range c.noted[terms.FacetKey(c.analyzer, text)] {
			for _, at := range c.records.of(int(form)) {
				if !yield(at, c.valueOf[form]) {
					return
				}
			}
		}
	}
}

// Records sets the bits of the records that have a value.
func (c *Column) Records(value uint32, bits []uint64) {
	for _, form := range c.formsOf.of(int(value)) {
		c.set(form, bits)
	}
}

// Of returns the values of a record.
func (c *Column) Of(at store.Num) []uint32 { return c.ofRecord.of(int(at)) }

// Find sets the bits of the records that have a value with this name.
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
	for _, at := range c.records.of(int(form)) {
		bits[at/64] |= 1 << (at % 64)
	}
}

// bitsOf returns a bit set with the records of a list.
func bitsOf(list []store.Num, records int) []uint64 {
	bits := make([]uint64, (records+63)/64)
	for _, at := range list {
		bits[at/64] |= 1 << (at % 64)
	}
	return bits
}

// find returns the numbers of the values that a filter text selects. The name of a person is found
// by its words and initials, in any order.
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
	for _, form := range c.keys[personKey(words[0])] {
		if !slices.ContainsFunc(words, func(w string) bool {
			return !slices.ContainsFunc(c.words[form], func(own string) bool { return fits(w, own) })
		}) {
			found = append(found, form)
		}
	}
	return found
}

// personKey returns the key of a word in a query. A single letter is an initial.
func personKey(word string) string {
	if i := initial(word); i == "."+word {
		return i
	}
	return word
}

// fits reports whether a word or an initial of a query matches a word of a person's
// name.
func fits(asked, own string) bool {
	return asked == own || personKey(asked) != asked && strings.HasPrefix(own, asked)
}

// Between sets the bits of the records with a year in the range. A nil bound means no limit.
func (c *Column) Between(from, to *int32, bits []uint64) {
	for form, y := range c.years {
		if (from == nil || y >= *from) && (to == nil || y <= *to) {
			c.set(uint32(form), bits)
		}
	}
}
