package mappings

import (
	"strings"
	"unicode/utf8"

	"bencao/names/han"
)

// row is a [Field] without its record type.
type row struct {
	name     string
	analyzer Analyzer
	tiers    Tiers
	beside   int // the row of the same names in characters, or -1
}

func rowsOf[R any](fields []Field[R]) []row {
	rows := make([]row, len(fields))
	for i, f := range fields {
		rows[i] = row{f.Name, f.Analyzer, f.Tiers, -1}
		for j := range fields {
			if f.Sounds != "" && fields[j].Name == f.Sounds {
				rows[i].beside = j
			}
		}
	}
	return rows
}

// keepsValues says whether the index keeps the values of fields with this
// analyzer, so that a hit can be looked at closely.
func (a Analyzer) keepsValues() bool {
	switch a {
	case Chinese, Pinyin, SciName, Synonym:
		return true
	}
	return false
}

// Values of a field are kept in one text; values may be empty, so that those
// of two fields run side by side.
const valueSeparator = "\n"

// document is what the index holds of one record.
type document struct {
	terms  []string // per field, separated by spaces
	values []string // per field, separated by valueSeparator; empty if not kept
	weight uint8    // words of the title
}

// newDocument makes the document of a record.
func newDocument[R any](fields []Field[R], rows []row, record *R) document {
	d := document{terms: make([]string, len(rows)), values: make([]string, len(rows))}
	raw := make([][]string, len(rows))
	values := make([][]string, len(rows))
	for i, f := range fields {
		raw[i] = f.Values(record)
		values[i] = make([]string, len(raw[i]))
		for k, v := range raw[i] {
			values[i][k] = rows[i].value(v)
		}
	}
	var t termSet
	for i, r := range rows {
		t.reset()
		for k, v := range values[i] {
			var name []rune
			if b := r.beside; b >= 0 && k < len(values[b]) {
				name = []rune(values[b][k])
				v = withoutNote(v, raw[b][k], values[b][k])
				values[i][k] = v
			}
			r.terms(v, name, t.add)
			if r.analyzer == Chinese {
				r.terms(spelling(raw[i][k], v), nil, t.add)
			}
		}
		d.terms[i] = t.String()
		if r.analyzer == Title {
			d.weight = uint8(min(t.words, 255))
		}
		if r.analyzer.keepsValues() {
			d.values[i] = strings.Join(values[i], valueSeparator)
		}
	}
	return d
}

// spelling is a Chinese name with its characters folded one by one, if that
// differs from its key: parts of words that fold as a whole (瓜 of 瓜蒌, which is
// 栝楼) are found by it. Otherwise it is "".
func spelling(name, key string) string {
	var b strings.Builder
	for _, r := range name {
		b.WriteString(nameKey(string(r)))
	}
	if s := b.String(); s != key && utf8.RuneCountInString(s) == utf8.RuneCountInString(key) {
		return s
	}
	return ""
}

// value brings a value to the form that the index compares.
func (r *row) value(v string) string {
	switch r.analyzer {
	case Chinese:
		return nameKey(v)
	case Pinyin, Initials:
		return soundValue(v)
	case SciName, Synonym:
		return latinValue(v)
	case DOI:
		return doiKey(v)
	case Number:
		return numberKey(v)
	}
	return v
}

// withoutNote takes the syllables of a note such as 原变种 off a sound value,
// when the name as it is compared lost the note too.
func withoutNote(sound, raw, name string) string {
	written, left := characters(raw), characters(name)
	if written <= left || strings.Count(sound, " ")+1 != written {
		return sound
	}
	for i, c := range sound {
		if c == ' ' {
			if left--; left == 0 {
				return sound[:i]
			}
		}
	}
	return sound
}

// characters counts the Chinese characters of a text.
func characters(s string) int {
	n := 0
	for _, r := range s {
		if han.Is(r) {
			n++
		}
	}
	return n
}

// terms makes the terms of a value.
func (r *row) terms(v string, name []rune, add func(Way, string)) {
	switch r.analyzer {
	case Chinese:
		chineseTerms(r.tiers, v, add)
	case Pinyin:
		soundTerms(r.tiers, v, name, add)
	case Initials:
		initialTerms(r.tiers, v, add)
	case SciName, Synonym:
		latinTerms(r.tiers, v, add)
	case Title:
		titleTerms(v, add)
	case DOI:
		doiTerms(v, add)
	case Number:
		if v != "" {
			add(Whole, v)
		}
	case Dynasty:
		for _, d := range dynastyGroups(v) {
			add(Whole, d)
		}
	}
}

// term is how the index writes that a value is found by text in some way.
func term(w Way, text string) string { return string(rune('A'+w)) + text }

// termSet gathers the terms of one field of one record.
type termSet struct {
	seen  map[string]bool
	text  strings.Builder
	words int
}

func (t *termSet) reset() {
	t.seen = make(map[string]bool)
	t.text = strings.Builder{}
	t.words = 0
}

func (t *termSet) add(w Way, text string) {
	t.words++
	s := term(w, text)
	if text == "" || t.seen[s] {
		return
	}
	t.seen[s] = true
	if t.text.Len() > 0 {
		t.text.WriteByte(' ')
	}
	t.text.WriteString(s)
}

func (t *termSet) String() string { return t.text.String() }
