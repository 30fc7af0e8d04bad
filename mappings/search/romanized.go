package search

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
)

// romanized maps names in pinyin, as joined letters without tones, to Chinese names.
type romanized struct {
	// properties has the titles of books, their parts of at least leastSyllables characters, and the
	// names of authors. parts has shorter parts of titles.
	properties map[string]string
	parts      map[string]string
	// words has those of properties that may be written in one word: the titles, and the names of
	// authors with the surname at the beginning. A given or courtesy name alone is also the pinyin of
	// much else: zhike is 知可 and 枳壳.
	words map[string]string
	herbs map[string]string
	// genera maps genera, in lower case, to the herb in most formulas that comes from a species of
	// the genus.
	genera map[string]string
	forms  map[string]string // dose forms in Chinese → their pinyin
	model  *pinyin.Model
}

// leastSyllables is the least number of syllables of a part of a title. Shorter ones mean too much.
const leastSyllables = 3

// romanize returns the names of the properties in pinyin.
func romanize(p *properties) *romanized {
	r := &romanized{properties: map[string]string{}, parts: map[string]string{}, words: map[string]string{}, herbs: map[string]string{}, genera: map[string]string{}, forms: map[string]string{}, model: pinyin.Train(nil)}
	for _, forms := range doseForms {
		for _, form := range forms {
			r.forms[form] = r.sound(form)
		}
	}
	most := map[string]uint32{}    // formulas, by genus
	aliases := map[string]string{} // of herbs, as r.herbs
	for title := range p.books {
		if utf8.RuneCountInString(title) >= leastSyllables {
			r.add(r.properties, title)
			r.add(r.words, title)
		} else {
			r.add(r.parts, title)
		}
	}
	for name := range p.persons {
		r.addPerson(name, name)
	}
	for other, name := range mappings.OtherPersonNames() {
		if p.persons[name] != nil {
			r.addPerson(other, name)
			if surname, _ := utf8.DecodeRuneInString(name); strings.HasPrefix(other, string(surname)) {
				r.words[r.sound(other)] = name
			}
		}
	}
	for _, author := range p.authors.Values {
		for person := range strings.FieldsFuncSeq(author.Text, separates) {
			if name := terms.ChineseKey(person); utf8.RuneCountInString(name) > 1 {
				r.words[r.sound(name)] = name
			}
		}
	}
	for v, value := range p.herbs.Values {
		if p.text[v] {
			continue
		}
		name, formulas := terms.ChineseKey(value.Text), p.herbs.Total.Of[v]
		r.add(r.herbs, name)
		found := herb.LookupReading(herb.Reading{Base: name})
		if len(found) != 1 {
			continue
		}
		for _, a := range found[0].Aliases {
			if a.Kind != herb.FolkName {
				r.add(aliases, a.Name)
			}
		}
		for _, s := range found[0].Species {
			genus, _, _ := strings.Cut(strings.ToLower(s.Names[0]), " ")
			if formulas > most[genus] {
				r.genera[genus], most[genus] = name, formulas
			}
		}
	}
	for sound, name := range aliases {
		if r.herbs[sound] == "" {
			r.herbs[sound] = name
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

// herb returns the herb that a text in Latin letters names, in Chinese, or "". Papers also call
// herbs by their genus: Scutellaria.
func (r *romanized) herb(text string) string {
	if name := cmp.Or(vernacular.English().Herb(text), r.genera[strings.ToLower(text)]); name != "" {
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
	if han.Has(text) {
		return "", nil
	}
	r, p, err := c.romanizedOf()
	if r == nil || err != nil {
		return "", err
	}
	if !strings.Contains(text, " ") { // Shanghanlun
		typed, _ := pinyin.Parse(text)
		return r.words[typed.Letters], nil
	}
	return r.property(text, p), nil
}

// mostWords is the maximum number of words of the name of a herb in a list.
const mostWords = 5

// list returns the herbs of a list in Latin letters, in Chinese: ginseng, Poria and baizhu, or
// ephedra without licorice as 麻黄 不含甘草. without holds to the next with or but. list returns nil if
// other words are left.
func (r *romanized) list(text string) (herbs []string) {
	words, without := strings.Fields(strings.ReplaceAll(text, ",", " ")), ""
	for len(words) > 0 {
		switch word := words[0]; {
		case word == "without" && len(words) > 1:
			without, words = "不含", words[1:]
			continue
		case word == "with", word == "but":
			without, words = "", words[1:]
			continue
		case word == "and", word == "&", word == "or" && without != "":
			words = words[1:]
			continue
		}
		n, name := min(len(words), mostWords), ""
		for ; n > 0 && name == ""; n-- {
			if name = r.herb(strings.Join(words[:n], " ")); n > 1 && !isHerbName(name) { // several herbs, written together
				name = ""
			}
		}
		if name == "" {
			return nil
		}
		herbs, words = append(herbs, without+name), words[n+1:]
	}
	return herbs
}

// listed returns a list of at least two herbs in Latin letters in Chinese, or a text with a book,
// an author or a dynasty at its beginning or end with that in Chinese and the rest as parts of a
// query. It returns "" for other texts.
func (c *lazyColumns) listed(text string) (string, error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return "", nil
	}
	r, p, err := c.romanizedOf()
	if r == nil || err != nil {
		return "", err
	}
	if herbs := r.list(text); len(herbs) > 1 {
		return strings.Join(herbs, " "), nil
	}
	for n := len(words) - 1; n > 0; n-- {
		for _, cut := range [][2][]string{{words[:n], words[n:]}, {words[len(words)-n:], words[:len(words)-n]}} {
			name, rest := strings.Join(cut[0], " "), strings.Join(cut[1], " ")
			property := r.property(name, p)
			if typed, ok := pinyin.Parse(name); property == "" && ok && len(words) > 2 {
				property = r.parts[typed.Letters]
			}
			if property == "" {
				continue
			}
			if herbs := r.list(rest); herbs != nil {
				rest = strings.Join(herbs, " ")
			} else if names := complaint.Chinese(rest); names != nil {
				rest = names[0]
			} else if isPinyin(rest) {
				rest = strings.Join(cut[1], "") // Tang alone is a dynasty
			}
			return property + " " + rest, nil
		}
	}
	return "", nil
}

// herbsInChinese returns the herbs of a list in Latin letters, separated by spaces. It returns ""
// if a part is no herb.
func (c *lazyColumns) herbsInChinese(text string) (string, error) {
	r, _, err := c.romanizedOf()
	if r == nil || err != nil {
		return "", err
	}
	return strings.Join(r.list(text), " "), nil
}
