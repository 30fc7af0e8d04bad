package search

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/dose"
	"bencao/names/herb/written"
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
	families    *columns.Column // nil unless the records have families and genera
	genera      *columns.Column
	years       *columns.Column // of the books of formulas
	noHerbs     bool            // no text is read as a herb
}

// lexiconOf returns the lexicon of a table.
func (c *lazyColumns) lexiconOf() (*lexicon, error) {
	return c.lexicon.Get(func() (l *lexicon, err error) {
		l = &lexicon{}
		if l.properties, err = c.propertiesOf(); err != nil {
			return nil, err
		}
		if l.families, err = c.column("family"); err == nil {
			l.genera, err = c.column("genus")
		} else if errors.Is(err, ErrQuery) { // the records have no families
			err = nil
		}
		if l.properties == nil || err != nil {
			return l, err
		}
		if l.formulas, err = c.byName(); err != nil {
			return nil, err
		}
		if l.years, err = c.column("year"); err != nil {
			return nil, err
		}
		l.romanized = romanize(l.properties)
		l.sounds = map[string]bool{}
		if row := slices.IndexFunc(c.index.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Pinyin }); row >= 0 { // not every table has pinyin
			for at := range store.Num(c.index.Len()) {
				letters, _ := pinyin.Plain(c.index.Values(row, at), nil)
				l.sounds[letters] = true
			}
		}
		return l, nil
	})
}

// plain reports whether a text is a name in characters at first sight, so that no reading need be
// looked for: the name of a formula or, in other tables, a text without words of questions.
func (l *lexicon) plain(text string) bool {
	if l.properties != nil {
		return len(l.formulas.Named(terms.ChineseKey(text))) > 0 && !strings.ContainsFunc(text, func(r rune) bool { return !han.Is(r) })
	}
	words := questionWords()
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !han.Is(r) || words.first[han.Rune(r)] || r == '科' || r == '属' || dose.Begins(r)
	})
}

// The costs of spans by how surely the text means them.
const (
	surely    = 1.0
	likely    = 1.2
	doubtful  = 1.8
	mostRunes = shortTitle // the largest number of characters of a span
	mostWords = 8
)

// spans returns the spans that begin at an atom.
func (l *lexicon) spans(text string, atoms []atom, i int) (list []span) {
	list = wordSpans(text, atoms, i)
	list = append(list, doseSpans(text, atoms, i)...)
	if l.properties != nil {
		list = append(list, yearSpans(text, atoms, i)...)
	}
	if l.families != nil && (atoms[i].kind == character || atoms[i].kind == word) {
		list = append(list, l.taxonSpans(text, atoms, i)...)
	}
	if l.properties == nil {
		return slices.DeleteFunc(list, func(s span) bool { return s.asked.kind == "without" }) // 无刺硬核 is a plant
	}
	switch atoms[i].kind {
	case character:
		list = l.inCharacters(text, atoms, i, list)
	case word:
		list = l.inLetters(text, atoms, i, list)
	}
	return list
}

// run is a text in characters of which a span may consist.
type run struct {
	from, to int
	n        int    // characters
	key      string // these, folded
	apart    bool   // a whole part between separators
}

// span returns a span of the run.
func (r *run) span(kind string, cost float64, values []uint32) span {
	return span{from: r.from, to: r.to, textTo: r.to, kind: kind, cost: cost, values: values}
}

// inCharacters adds the spans in characters.
func (l *lexicon) inCharacters(text string, atoms []atom, i int, list []span) []span {
	r := run{from: i}
	for r.n < mostRunes && i+r.n < len(atoms) && atoms[i+r.n].kind == character {
		r.key += atoms[i+r.n].key
		r.n++
		r.to = i + r.n
		if r.apart = alone(atoms, i, r.to); r.n == 1 && !r.apart {
			list = l.oneCharacter(atoms, &r, list)
			continue
		}
		list = l.restricting(&r, list)
		list = l.herbSpans(text, atoms, &r, list)
		if complaint.Known(r.key) {
			cost := surely
			if i > 0 && atoms[i-1].kind == opening { // rather a note
				cost = likely
			}
			list = append(list, r.span(aComplaint, cost, nil))
		}
		if l.isForm(atoms, i, r.to) {
			list = append(list, r.span(aForm, surely, nil))
		}
		if (r.n > 2 || r.apart) && len(l.formulas.Named(r.key)) > 0 {
			list = append(list, r.span(aFormula, surely, nil))
		}
	}
	return list
}

// oneCharacter adds the spans of one character that touches others. Since they are doubtful, they count
// only where all characters around it are understood.
func (l *lexicon) oneCharacter(atoms []atom, r *run, list []span) []span {
	if l.isForm(atoms, r.from, r.to) {
		list = append(list, r.span(aForm, surely, nil))
	}
	if r.from == 0 || atoms[r.from-1].kind != character || r.to == len(atoms) || atoms[r.to].kind != character {
		if l.dynasties.Has(r.key) {
			list = append(list, r.span(mappings.DynastyField, doubtful, nil))
		}
		if complaint.Known(r.key) {
			list = append(list, r.span(aComplaint, doubtful, nil))
		}
	}
	return list
}

// restricting adds the books, authors and dynasties.
func (l *lexicon) restricting(r *run, list []span) []span {
	if v := l.persons[mappings.PersonKey(r.key)]; v != nil && r.n > 1 {
		list = append(list, r.span(mappings.AuthorField, surely, own(l.authors, mappings.PersonKey(r.key), v)))
	}
	if l.dynasties.Has(r.key) {
		list = append(list, r.span(mappings.DynastyField, surely, nil))
	}
	if v := l.books[r.key]; v != nil && r.n > 1 {
		list = append(list, r.span(mappings.SourceField, likely, own(l.sources, mappings.TitleKey(r.key), v)))
	}
	return list
}

// herbSpans adds the herbs, those that a word joins, and those that are miswritten.
func (l *lexicon) herbSpans(text string, atoms []atom, r *run, list []span) []span {
	if l.noHerbs {
		return list
	}
	s := r.span(mappings.HerbsField, surely, nil)
	if s.several = written.Joined(r.key); s.several != nil {
		return l.withDose(text, atoms, list, s)
	}
	if r.apart || isHerbName(r.key) {
		if s.values = l.herbsNamed(r.key); len(s.values) > 0 {
			s.cost = l.herbCost(s.values)
			return l.withDose(text, atoms, list, s)
		}
	}
	if !r.apart { // only there a slip is looked for, which takes time
		return list
	}
	if meant := herb.Slip(r.key); meant != "" {
		if values := l.herbsNamed(terms.ChineseKey(meant)); len(values) > 0 {
			s.cost, s.values, s.chinese, s.slip = likely, values, meant, true
			list = l.withDose(text, atoms, list, s)
		}
	}
	return list
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

// herbCost returns the cost of a herb. It is a little less for a herb of many formulas.
func (l *lexicon) herbCost(values []uint32) float64 {
	most := uint32(0)
	for _, v := range values {
		most = max(most, l.herbs.Total.Of[v])
	}
	return surely - math.Log2(float64(most+1))/500
}

// mostNote is the largest number of atoms of a note in brackets.
const mostNote = 20

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
			rest := atoms[i:min(i+mostNote, len(atoms))]
			if n := slices.IndexFunc(rest, func(a atom) bool { return a.kind == closing }); n > 0 {
				ends = append(ends, i+n+1)
			}
			continue
		}
		for _, d := range doseSpans(text, atoms, i) {
			ends = append(ends, d.to)
		}
		for j := i + 2; j <= min(i+3, len(atoms)); j++ { // 石膏先煎30g
			if herb.Words("how")[han.Fold(text[atoms[i].from:atoms[j-1].to])] {
				ends = append(ends, j)
			}
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
		}
		if _, err := dose.Parse(strings.NewReplacer("$", "", "@", "").Replace(text[atoms[i].from:atoms[j-1].to])); err == nil {
			list = append(list, span{from: i, to: j, textTo: j, kind: aDose, cost: wordCost})
		}
	}
	return list
}

// ofYear matches a year of the common era.
var ofYear = regexp.MustCompile(`^(?i)(?:(?:公元|西元)(\d{1,4})年|(\d{3,4})年|(?:ad|a\.d\.) (\d{1,4})\b|(\d{1,4}) (?:ad|ce)\b)`)

// yearSpans returns the years that begin at an atom: 公元219年, 1578年, AD 219.
func yearSpans(text string, atoms []atom, i int) []span {
	if a := &atoms[i]; a.kind != digits && !strings.Contains("公 西 ad a", a.key) { // spares most atoms the expression
		return nil
	}
	m := ofYear.FindStringSubmatch(text[atoms[i].from:])
	if m == nil {
		return nil
	}
	year, err := strconv.Atoi(strings.Join(m[1:], ""))
	if err != nil {
		panic(err) // the digits match
	}
	end := atoms[i].from + len(m[0])
	j := i
	for j < len(atoms) && atoms[j].from < end {
		j++
	}
	return []span{{from: i, to: j, textTo: j, kind: aYear, cost: surely, year: int32(year)}}
}

// taxonSpans returns the families and genera that begin at an atom: 蔷薇科, Rosaceae, 蔷薇属. A Latin genus
// is one if no other word stands beside it: Rosa 玫瑰, not Rosa rugosa.
func (l *lexicon) taxonSpans(text string, atoms []atom, i int) (list []span) {
	for j := i + 1; j <= len(atoms) && j <= i+mostRunes && !atoms[j-1].between() && atoms[j-1].kind == atoms[i].kind; j++ {
		name := text[atoms[i].from:atoms[j-1].to]
		if (strings.HasSuffix(name, "科") || strings.HasSuffix(name, "ae")) && l.families.Has(name) {
			list = append(list, span{from: i, to: j, textTo: j, kind: aFamily, cost: surely})
		}
		if (strings.HasSuffix(name, "属") || atoms[i].kind == word && loneWord(atoms, i)) && l.genera.Has(name) {
			list = append(list, span{from: i, to: j, textTo: j, kind: aGenus, cost: surely})
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
		if chinese := l.romanized.property(name, sound, l.properties, n); chinese != "" {
			key := terms.ChineseKey(chinese)
			field, values := l.property(key)
			if field != "" {
				cost := surely
				switch field {
				case mappings.SourceField:
					cost, values = likely, own(l.sources, mappings.TitleKey(key), values)
				case mappings.AuthorField:
					values = own(l.authors, mappings.PersonKey(key), values)
				}
				list = append(list, span{from: i, to: j, textTo: j, kind: field, cost: cost, values: values, chinese: chinese})
			}
		}
		if !l.noHerbs {
			if chinese := l.romanized.herb(name, sound); chinese != "" && (n == 1 || isHerbName(chinese)) {
				s := span{from: i, to: j, textTo: j, kind: mappings.HerbsField, chinese: chinese}
				if s.values = l.herbsNamed(terms.ChineseKey(chinese)); len(s.values) > 0 {
					s.cost = l.herbCost(s.values)
					list = l.withDose(text, atoms, list, s)
				} else { // no formula has the herb, but names may
					s.kind, s.cost = aFormula, likely
					list = append(list, s)
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
	// names of authors.
	properties map[string]string
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
	r := &romanized{properties: map[string]string{}, words: map[string]string{}, herbs: map[string]string{}, genera: map[string]string{}, forms: map[string]string{}, model: pinyin.Train(nil)}
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
		name, formulas := terms.ChineseKey(value.Text), p.herbs.Total.Of[v]
		r.add(r.herbs, name)
		for _, other := range reading.PinyinReadings([]rune(name)) { // huangbai for 黄柏, huáng bò
			typed, _ := pinyin.Parse(other)
			r.addLetters(aliases, typed.Letters, name)
		}
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
	r.addLetters(to, r.sound(name), name)
}

func (r *romanized) addLetters(to map[string]string, sound, name string) {
	if known, ok := to[sound]; !ok || herb.HasRecord(name) && !herb.HasRecord(known) || herb.HasRecord(name) == herb.HasRecord(known) && name < known {
		to[sound] = name
	}
}

// addPerson adds a name of an author, also with the surname at the end: Simiao Sun.
func (r *romanized) addPerson(name, author string) {
	_, n := utf8.DecodeRuneInString(name)
	surname, first := r.sound(name[:n]), r.sound(name[n:])
	r.properties[surname+first], r.properties[first+surname] = author, author
}

// property returns the book, author or dynasty that n words in letters name, in Chinese, or "". sound is
// their pinyin, or "".
func (r *romanized) property(text, sound string, p *properties, n int) string {
	if title := mappings.TitleInChinese(text); p.books[terms.ChineseKey(title)] != nil {
		return title
	}
	if key := mappings.DynastyKey(text); n > 1 && han.Has(key) && p.dynasties.Has(key) {
		return key
	}
	switch {
	case n == 1 && r.words[sound] != "":
		return r.words[sound]
	case n > 1:
		return r.properties[sound]
	}
	return ""
}

// whole returns the book, author or dynasty that a text in letters names, in Chinese, or "".
func (r *romanized) whole(text string, p *properties) string {
	words := strings.Fields(text)
	sound := ""
	if isPinyin(text) {
		typed, _ := pinyin.Parse(text)
		sound = strings.ReplaceAll(typed.Letters, " ", "")
	}
	return r.property(strings.Join(words, " "), sound, p, len(words))
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
