package search

import (
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
)

// romanized maps names in pinyin, as joined letters without tones, to Chinese names.
type romanized struct {
	// properties has the titles of books, their parts of at least leastSyllables characters, and the
	// names of authors.
	properties map[string]string
	herbs      map[string]string
	model      *pinyin.Model
}

// leastSyllables is the least number of syllables of a part of a title. Shorter ones mean too much.
const leastSyllables = 3

// romanize returns the names of the properties in pinyin.
func romanize(p *properties) *romanized {
	r := &romanized{properties: map[string]string{}, herbs: map[string]string{}, model: pinyin.Train(nil)}
	for title := range p.books {
		if n := utf8.RuneCountInString(title); n >= leastSyllables {
			r.add(r.properties, title)
		}
	}
	for name := range p.persons {
		r.addPerson(name, name)
	}
	for other, name := range mappings.OtherPersonNames() {
		if p.persons[name] != nil {
			r.addPerson(other, name)
		}
	}
	for v, value := range p.herbs.Values {
		if !p.text[v] {
			r.add(r.herbs, terms.ChineseKey(value.Text))
		}
	}
	return r
}

// sound returns the letters of a Chinese name in pinyin.
func (r *romanized) sound(name string) string {
	typed, _ := pinyin.Parse(r.model.Read(name))
	return typed.Letters
}

// add adds a name. Of the herbs with the same sound, one with a record of its own counts.
func (r *romanized) add(to map[string]string, name string) {
	sound := r.sound(name)
	if known, ok := to[sound]; !ok || herb.HasRecord(name) && !herb.HasRecord(known) || herb.HasRecord(name) == herb.HasRecord(known) && name < known {
		to[sound] = name
	}
}

// addPerson adds a name of an author, also with the surname at the end: Simiao Sun.
func (r *romanized) addPerson(name, author string) {
	first, surname := r.sound(name), ""
	if utf8.RuneCountInString(name) > 1 {
		_, n := utf8.DecodeRuneInString(name)
		surname, first = r.sound(name[:n]), r.sound(name[n:])
	}
	r.properties[surname+first], r.properties[first+surname] = author, author
}

// property returns the book, author or dynasty that a text in Latin letters names, in Chinese, or "".
func (r *romanized) property(text string, p *properties) string {
	if title := mappings.TitleInChinese(text); p.books[terms.ChineseKey(title)] != nil {
		return title
	}
	if key := mappings.DynastyKey(text); strings.HasSuffix(strings.ToLower(text), "dynasty") && p.dynasties.Has(key) {
		return key
	}
	typed, _ := pinyin.Parse(text)
	return r.properties[typed.Letters]
}

// herb returns the herb that a text in Latin letters names, in Chinese, or "".
func (r *romanized) herb(text string) string {
	if name := vernacular.English().Herb(text); name != "" {
		return name
	}
	typed, _ := pinyin.Parse(text)
	return r.herbs[typed.Letters]
}

// romanizedOf returns the names of the properties of a table in pinyin. It returns nil if the records
// have no herbs.
func (c *lazyColumns) romanizedOf() (*romanized, *properties, error) {
	p, err := c.propertiesOf()
	if p == nil || err != nil {
		return nil, nil, err
	}
	r, err := c.romanized.Get(func() (*romanized, error) { return romanize(p), nil })
	return r, p, err
}

// propertyInChinese returns the book, author or dynasty that a text in Latin letters names, or "".
func (c *lazyColumns) propertyInChinese(text string) (string, error) {
	if han.Has(text) || !strings.Contains(text, " ") {
		return "", nil
	}
	r, p, err := c.romanizedOf()
	if r == nil || err != nil {
		return "", err
	}
	return r.property(text, p), nil
}

// herbsInChinese returns the herbs of a list in Latin letters, separated by spaces. It returns "" if a part
// is no herb.
func (c *lazyColumns) herbsInChinese(text string) (string, error) {
	r, _, err := c.romanizedOf()
	if r == nil || err != nil {
		return "", err
	}
	var names []string
	for part := range strings.SplitSeq(strings.ReplaceAll(text, " and ", ","), ",") {
		name := r.herb(strings.TrimSpace(part))
		if name == "" {
			return "", nil
		}
		names = append(names, name)
	}
	return strings.Join(names, " "), nil
}
