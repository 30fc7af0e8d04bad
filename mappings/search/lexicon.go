package search

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/dose"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
	"bencao/store"
)

// lexicon has what a query of a table may name. In characters, in pinyin and in English it has the same
// rows.
type lexicon struct {
	*properties                 // nil unless the records are formulas
	romanized   *romanized      // their names in letters
	formulas    *hits.Namesakes // their whole names
	sounds      map[string]bool // these in pinyin, as joined letters
	families    *columns.Column // nil unless the records have families
	noHerbs     bool            // no text is read as a herb
}

// lexiconOf returns the lexicon of a table.
func (c *lazyColumns) lexiconOf() (*lexicon, error) {
	return c.lexicon.Get(func() (l *lexicon, err error) {
		l = &lexicon{}
		if l.properties, err = c.propertiesOf(); err != nil {
			return nil, err
		}
		if l.families, err = c.column("family"); errors.Is(err, ErrQuery) { // the records have no families
			err = nil
		}
		if l.properties == nil || err != nil {
			return l, err
		}
		if l.formulas, err = c.byName(); err != nil {
			return nil, err
		}
		l.romanized = romanize(l.properties)
		l.sounds = map[string]bool{}
		if row := slices.IndexFunc(c.index.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Pinyin }); row >= 0 {
			for at := range store.Num(c.index.Len()) {
				letters, _ := pinyin.Plain(c.index.Values(row, at), nil)
				l.sounds[letters] = true
			}
		}
		return l, nil
	})
}

// plain reports whether a text in characters is a name at first sight, so that no reading need be
// looked for: the name of a formula or, in other tables, a text without words of questions.
func (l *lexicon) plain(text string) bool {
	words := questionWords()
	asks := false
	for _, r := range text {
		if !han.Is(r) {
			return false
		}
		asks = asks || words.first[han.Rune(r)] || r == '科' || dose.Begins(r)
	}
	if l.properties == nil {
		return !asks
	}
	return len(l.formulas.Named(terms.ChineseKey(text))) > 0
}

// The costs of spans by how surely the text means them.
const (
	surely    = 1.0
	likely    = 1.2
	doubtful  = 1.8
	mostRunes = shortTitle // the largest number of characters of a span
	mostWords = 6
)

// spans returns the spans that begin at an atom.
func (l *lexicon) spans(text string, atoms []atom, i int) (list []span) {
	list = wordSpans(text, atoms, i)
	list = append(list, doseSpans(text, atoms, i)...)
	if l.families != nil && (atoms[i].kind == character || atoms[i].kind == word) {
		list = append(list, l.familySpans(text, atoms, i)...)
	}
	if l.properties == nil {
		return list
	}
	switch atoms[i].kind {
	case character:
		list = l.inCharacters(text, atoms, i, list)
	case word:
		list = l.inLetters(text, atoms, i, list)
	}
	return list
}

// inCharacters adds the spans in characters.
func (l *lexicon) inCharacters(text string, atoms []atom, i int, list []span) []span {
	add := func(j int, kind string, cost float64, values []uint32) {
		list = append(list, span{from: i, to: j, textTo: j, kind: kind, cost: cost, values: values})
	}
	quoted := i > 0 && atoms[i-1].kind == opensTitle
	key := ""
	for n, j := 1, i+1; n <= mostRunes && j <= len(atoms) && atoms[j-1].kind == character; n, j = n+1, j+1 {
		key += atoms[j-1].key
		apart := alone(atoms, i, j)
		if n == 1 && !apart {
			if l.isForm(atoms, i, j) {
				add(j, aForm, surely, nil)
			}
			if (i == 0 || atoms[i-1].kind != character || j == len(atoms) || atoms[j].kind != character) && l.dynasties.Has(key) {
				add(j, mappings.DynastyField, doubtful, nil)
			}
			continue
		}
		if v := l.persons[mappings.PersonKey(key)]; v != nil && n > 1 {
			add(j, mappings.AuthorField, surely, own(l.authors, mappings.PersonKey(key), v))
		}
		if l.dynasties.Has(key) {
			add(j, mappings.DynastyField, surely, nil)
		}
		if v := l.books[key]; v != nil && n > 1 {
			cost := likely
			switch {
			case isWhole(l.sources, v, mappings.TitleKey(key)):
				cost = surely
			case n == 2 && !apart:
				cost = doubtful
			}
			if quoted {
				cost -= likelier * 2
			}
			add(j, mappings.SourceField, cost, own(l.sources, mappings.TitleKey(key), v))
		}
		if !l.noHerbs && n > 1 && n <= mostProcessed {
			if names := l.joined(key); names != nil {
				list = l.withDose(text, atoms, list, span{from: i, to: j, textTo: j, kind: mappings.HerbsField, cost: surely, several: names})
				continue
			}
		}
		if !l.noHerbs {
			if values := l.herbsAt(key); len(values) > 0 {
				if apart || isHerbName(key) || l.processed(key) {
					list = l.withDose(text, atoms, list, span{from: i, to: j, textTo: j, kind: mappings.HerbsField, cost: l.herbCost(values), values: values})
				}
			}
		}
		if complaint.Known(key) {
			cost := surely
			if i > 0 && atoms[i-1].kind == opening { // rather a note
				cost = likely
			}
			add(j, aComplaint, cost, nil)
		}
		if l.isForm(atoms, i, j) {
			add(j, aForm, surely, nil)
		}
		if (n > 2 || apart) && len(l.formulas.Named(key)) > 0 {
			list = l.withNote(atoms, list, span{from: i, to: j, textTo: j, kind: aFormula, cost: surely})
		}
	}
	return list
}

// withNote adds a span of the name of a formula, alone and with a note in brackets.
func (l *lexicon) withNote(atoms []atom, list []span, s span) []span {
	list = append(list, s)
	if end := noteEnd(atoms, s.to); end > s.to {
		s.to = end
		s.cost += (surely + likely) / 2
		list = append(list, s)
	}
	return list
}

// mostNote is the largest number of atoms of a note in brackets.
const mostNote = 20

// noteEnd returns the end of the brackets that begin at an atom, or 0.
func noteEnd(atoms []atom, i int) int {
	if i == len(atoms) || atoms[i].kind != opening {
		return 0
	}
	for j := i + 1; j < len(atoms) && j < i+mostNote; j++ {
		if atoms[j].kind == closing {
			return j + 1
		}
	}
	return 0
}

// own returns the value of a column with exactly this name, or else the given values.
func own(column *columns.Column, key string, values []uint32) []uint32 {
	if column.Has(key) {
		return column.Named(key)
	}
	return values
}

// isForm reports whether atoms are a dose form that stands alone, or has 剂 at its end.
func (l *lexicon) isForm(atoms []atom, i, j int) bool {
	form, certain := strings.CutSuffix(keyOf(atoms[i:j]), "剂")
	return (certain || alone(atoms, i, j) || j == len(atoms) && i > 0 && atoms[i-1].key == "的") && slices.Contains(chineseForms, form)
}

// herbsAt returns the herbs of formulas that a folded text names, as [properties.herbsNamed]. It first
// looks whether the text can be a name at all.
func (l *lexicon) herbsAt(key string) []uint32 {
	if l.herbs.Has(key) || herb.LookupReading(herb.Reading{Base: key}) != nil || l.processed(key) {
		return l.herbsNamed(key)
	}
	return nil
}

// mostProcessed is the largest number of characters of a herb with a word for processing, and of herbs that
// are joined in one word.
const mostProcessed = 6

// processed reports whether a text is the name of a herb with a word for processing.
func (l *lexicon) processed(key string) bool {
	if n := utf8.RuneCountInString(key); n < 3 || n > mostProcessed {
		return false
	}
	for c := range herb.Cuts(key) {
		if c.Front && herb.Words("before")[c.Word] || !c.Front && herb.Words("after")[c.Word] {
			two := utf8.RuneCountInString(c.Word) > 1 && l.herbs.Has(c.Word) // 甘草白术 are two herbs
			if !two && utf8.RuneCountInString(c.Rest) > 1 && (l.herbs.Has(c.Rest) || herb.LookupReading(herb.Reading{Base: c.Rest}) != nil) {
				return true
			}
		}
	}
	return false
}

// herbCost returns the cost of a herb. It is a little less for a herb of many formulas.
func (l *lexicon) herbCost(values []uint32) float64 {
	most := uint32(0)
	for _, v := range values {
		most = max(most, l.herbs.Total.Of[v])
	}
	return surely - math.Log2(float64(most+1))/500
}

// withDose adds a span of a herb, alone and with each dose and note that may belong to it.
func (l *lexicon) withDose(text string, atoms []atom, list []span, s span) []span {
	list = append(list, s)
	ends := []int{s.to}
	for k := 0; k < len(ends) && len(ends) < 8; k++ {
		i := ends[k]
		for i < len(atoms) && atoms[i].kind == space && !strings.Contains(text[atoms[i].from:atoms[i].to], "\n") {
			i++
		}
		if i == len(atoms) {
			break
		}
		if atoms[i].kind == opening {
			if end := noteEnd(atoms, i); end > 0 {
				ends = append(ends, end)
			}
			continue
		}
		for _, d := range doseSpans(text, atoms, i) {
			ends = append(ends, d.to)
		}
		if atoms[i].kind == digits && (i+1 == len(atoms) || atoms[i+1].kind != word) {
			ends = append(ends, i+1)
		}
	}
	for _, end := range ends[1:] {
		longer := s
		longer.to = end
		longer.cost += wordCost / 10
		list = append(list, longer)
	}
	return list
}

// mostDose is the largest number of atoms of a dose.
const mostDose = 8

// doseSpans returns the doses with a unit that begin at an atom.
func doseSpans(text string, atoms []atom, i int) (list []span) {
	first, _ := utf8.DecodeRuneInString(text[atoms[i].from:])
	if atoms[i].kind == word || !dose.Begins(first) {
		return nil
	}
	for j := i + 1; j <= len(atoms) && j <= i+mostDose; j++ {
		if a := &atoms[j-1]; a.kind == opening || a.kind == separator && !strings.Contains("$@-~～", text[a.from:a.to]) {
			break
		} else if a.between() || a.kind == digits {
			continue
		}
		if _, err := dose.Parse(strings.NewReplacer("$", "", "@", "").Replace(text[atoms[i].from:atoms[j-1].to])); err == nil {
			list = append(list, span{from: i, to: j, textTo: j, kind: aDose, cost: wordCost})
		}
	}
	return list
}

// familySpans returns the families that begin at an atom: 蔷薇科, Rosaceae.
func (l *lexicon) familySpans(text string, atoms []atom, i int) (list []span) {
	for j := i + 1; j <= len(atoms) && j <= i+mostRunes && !atoms[j-1].between() && atoms[j-1].kind == atoms[i].kind; j++ {
		name := text[atoms[i].from:atoms[j-1].to]
		if (strings.HasSuffix(name, "科") || strings.HasSuffix(name, "ae")) && l.families.Has(name) {
			list = append(list, span{from: i, to: j, textTo: j, kind: aFamily, cost: surely})
		}
	}
	return list
}

// inLetters adds the spans in letters.
func (l *lexicon) inLetters(text string, atoms []atom, i int, list []span) []span {
	ends := wordEnds(atoms, i)
	sound, aloud := "", true // the letters of the pinyin, if all words are made of syllables
	for n, j := range ends {
		n++
		name := strings.Join(strings.Fields(text[atoms[i].from:atoms[j-1].to]), " ")
		aloud = aloud && atoms[j-1].sound != ""
		if sound += atoms[j-1].sound; !aloud {
			sound = ""
		}
		if chinese := l.romanized.property(name, sound, l.properties, n, len(ends)); chinese != "" {
			key := terms.ChineseKey(chinese)
			field, _, values := l.property(key, false)
			if field != "" {
				cost := surely
				if field == mappings.SourceField && !isWhole(l.sources, values, mappings.TitleKey(key)) {
					cost = likely
				}
				switch field {
				case mappings.SourceField:
					values = own(l.sources, mappings.TitleKey(key), values)
				case mappings.AuthorField:
					values = own(l.authors, mappings.PersonKey(key), values)
				}
				list = append(list, span{from: i, to: j, textTo: j, kind: field, cost: cost, values: values, chinese: chinese})
			}
		}
		if !l.noHerbs {
			if chinese := l.romanized.herb(name, sound); chinese != "" && (n == 1 || isHerbName(chinese)) {
				if values := l.herbsNamed(terms.ChineseKey(chinese)); len(values) > 0 {
					list = l.withDose(text, atoms, list, span{from: i, to: j, textTo: j, kind: mappings.HerbsField, cost: l.herbCost(values), values: values, chinese: chinese})
				}
			}
		}
		if names := complaint.Chinese(name); names != nil {
			list = append(list, span{from: i, to: j, textTo: j, kind: aComplaint, cost: surely, chinese: names[0]})
		}
		if sound != "" && n > 1 && l.sounds[sound] {
			list = append(list, span{from: i, to: j, textTo: j, kind: aFormula, cost: surely})
		}
	}
	return list
}

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

// property returns the book, author or dynasty that n of the words of a text in letters name, in
// Chinese, or "". sound is their pinyin, or "".
func (r *romanized) property(text, sound string, p *properties, n, words int) string {
	if title := mappings.TitleInChinese(text); p.books[terms.ChineseKey(title)] != nil {
		return title
	}
	if key := mappings.DynastyKey(text); n > 1 && han.Has(key) && p.dynasties.Has(key) {
		return key
	}
	switch {
	case sound == "":
		return ""
	case n == 1 && r.words[sound] != "":
		return r.words[sound]
	case n > 1 && r.properties[sound] != "":
		return r.properties[sound]
	case words > 2:
		return r.parts[sound]
	}
	return ""
}

// herb returns the herb that a text in letters names, in Chinese, or "". Papers also call
// herbs by their genus: Scutellaria.
func (r *romanized) herb(text, sound string) string {
	lower := strings.ToLower(text)
	if name := vernacular.English().Herb(lower); name != "" {
		return name
	}
	if name := vernacular.Asian().Herb(lower); name != "" {
		return name
	}
	if name := r.genera[lower]; name != "" {
		return name
	}
	if found := herb.LookupLatin(text); strings.Contains(text, " ") && len(found) == 1 {
		return found[0].Name
	}
	if name := r.herbs[sound]; sound != "" && utf8.RuneCountInString(name) > 1 {
		return name
	}
	return ""
}
