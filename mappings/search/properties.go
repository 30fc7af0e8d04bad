package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/terms"
	"bencao/names/herb"
	"bencao/store"
)

// shortTitle is the maximum length, in characters, of a short title: a part of a book's title that a
// query may give instead of the whole title, such as 金匮.
const shortTitle = 12

// properties holds the books, persons and herbs that a part of a query may name.
type properties struct {
	herbs, dynasties *columns.Column
	herbsRow         int
	// books and persons map folded titles and authors, and their short forms, to values.
	books, persons   map[string][]uint32
	sources, authors *columns.Column
	// text[v] is true if value v of the field of herbs is not a herb but a piece of text from
	// around a herb.
	text []bool
	// incomplete is a bit set of the formulas of which some herbs are known to be missing.
	incomplete []uint64
}

// propertiesOf returns the properties of a table. It returns nil if the records have no herbs.
func (c *lazyColumns) propertiesOf() (*properties, error) {
	if c.herbsRow < 0 {
		return nil, nil
	}
	return c.properties.Get(func() (*properties, error) {
		var err error
		p := &properties{herbsRow: c.herbsRow, books: map[string][]uint32{}, persons: map[string][]uint32{}}
		for _, f := range []struct {
			name   string
			column **columns.Column
		}{{mappings.HerbsField, &p.herbs}, {mappings.DynastyField, &p.dynasties}, {mappings.SourceField, &p.sources}, {mappings.AuthorField, &p.authors}} {
			if *f.column, err = c.column(f.name); err != nil {
				return nil, err
			}
		}
		p.text = make([]bool, len(p.herbs.Values))
		for v, value := range p.herbs.Values {
			p.text[v] = !herb.LooksLikeHerb(terms.ChineseKey(value.Text))
		}
		if p.incomplete, err = c.labelled(mappings.Incomplete); err != nil {
			return nil, err
		}
		for v, source := range p.sources.Values {
			title := []rune(terms.ChineseKey(source.Text))
			for i := range title {
				for j := i + 2; j <= min(len(title), i+shortTitle); j++ {
					note(p.books, string(title[i:j]), uint32(v))
				}
			}
			note(p.books, string(title), uint32(v))
			for other, of := range mappings.OtherTitles() {
				if terms.ChineseKey(of) == string(title) {
					note(p.books, terms.ChineseKey(other), uint32(v))
				}
			}
		}
		for v, author := range p.authors.Values {
			for person := range strings.FieldsFuncSeq(author.Text, separates) {
				name := []rune(terms.ChineseKey(person))
				note(p.persons, string(name), uint32(v))
				if len(name) > 2 {
					note(p.persons, string(name[1:]), uint32(v)) // the name without the surname: 仲景
				}
			}
		}
		return p, nil
	})
}

// labelled returns the bit set of the records that have a label in the field of the same name.
func (c *lazyColumns) labelled(name string) ([]uint64, error) {
	set := make([]uint64, (c.index.Len()+63)/64)
	row := slices.IndexFunc(c.index.Rows, func(r mappings.Row) bool { return r.Name == name })
	reader := c.index.Reader()
	found, err := reader.Find(row, mappings.Whole, name)
	if err != nil {
		return nil, err
	}
	reader.Each(found, func(at store.Num) { set[at/64] |= 1 << (at % 64) })
	return set, nil
}

func note(to map[string][]uint32, key string, v uint32) {
	if !slices.Contains(to[key], v) {
		to[key] = append(to[key], v)
	}
}

// property returns the field that a part names, other than that of herbs, and the matching values. For a
// dynasty or a group of dynasties, values is nil.
func (p *properties) property(key string) (field string, values []uint32) {
	if v := p.persons[mappings.PersonKey(key)]; v != nil {
		return mappings.AuthorField, v
	}
	if p.dynasties.Has(key) {
		return mappings.DynastyField, nil
	}
	if v := p.books[key]; v != nil {
		return mappings.SourceField, v
	}
	return "", nil
}

// herbsNamed returns the herbs in formulas that a part of a query names: those with this name and, if
// the table of herbs has the name, those with another certain name of the same herb. It removes words
// for processing from key only if no formula has a herb with the whole name.
func (p *properties) herbsNamed(key string) (values []uint32) {
	for _, r := range herb.Readings(key) {
		if len(r.Parts) > 0 || !r.Uncut() && utf8.RuneCountInString(r.Base) < 2 {
			continue
		}
		values = slices.DeleteFunc(p.herbs.Named(r.Base), func(v uint32) bool { return p.text[v] })
		if found := herb.LookupReading(r); len(found) == 1 && !found[0].Unsure {
			values = p.add(values, found[0].Name)
			for _, a := range found[0].Aliases {
				if a.Kind != herb.FolkName {
					values = p.add(values, a.Name)
				}
			}
		}
		if len(values) > 0 {
			return values
		}
	}
	return nil
}

// add appends to values the values of the field of herbs that have the given name as their own
// text, not only as another form.
func (p *properties) add(values []uint32, name string) []uint32 {
	for _, v := range p.herbs.Named(name) {
		if terms.ChineseKey(p.herbs.Values[v].Text) == terms.ChineseKey(name) && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// isHerbName reports whether the table of herbs has a name, of one herb or of the herb of a record.
func isHerbName(name string) bool {
	if herb.HasRecord(name) {
		return true
	}
	found := herb.LookupReading(herb.Reading{Base: name})
	return len(found) == 1 && !found[0].Unsure
}

// isProperty reports whether a text is a book, an author or a dynasty.
func (c *lazyColumns) isProperty(text string) (bool, error) {
	p, err := c.propertiesOf()
	if p == nil || err != nil {
		return false, err
	}
	field, _ := p.property(terms.ChineseKey(text))
	return field != "", nil
}

// separates reports whether a character stands between the parts of a query.
func separates(r rune) bool {
	return r == ' ' || r > unicode.MaxASCII && (unicode.IsSpace(r) || unicode.Is(unicode.No, r)) || strings.ContainsRune("\t,;+/、，；＋／·・|《》〈〉「」", r)
}
