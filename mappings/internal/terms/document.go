package terms

import (
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"bencao/mappings"
	"bencao/names/han"
)

// Separator separates the values of a field. Empty values are kept, so that the field of names and
// the field of their pinyin have the same number of values.
const Separator = "\n"

// Document holds the terms and values of one record.
type Document struct {
	Terms  []index.TokenFrequencies // by field
	Values []string                 // by field, separated by Separator; empty if the index does not store them
	Weight uint8                    // number of words in the title, at most 255
}

// NewDocument returns the document of a record. rows are the rows of the fields.
func NewDocument[R any](fields []mappings.Field[R], rows []mappings.Row, record *R) Document {
	d := Document{Terms: make([]index.TokenFrequencies, len(rows)), Values: make([]string, len(rows))}
	raw := make([][]string, len(rows))
	values := make([][]string, len(rows))
	for i, f := range fields {
		if f.Values == nil {
			continue
		}
		raw[i] = f.Values(record)
		values[i] = make([]string, len(raw[i]))
		for k, v := range raw[i] {
			values[i][k] = Value(f.Analyzer, v)
		}
	}
	var t set
	for i, r := range rows {
		t.reset()
		termsOf := analyzers[r.Analyzer].terms
		for k, v := range values[i] {
			var name []rune
			if b := r.Characters; b >= 0 && k < len(values[b]) {
				name = []rune(values[b][k])
				v = withoutNote(v, raw[b][k], values[b][k])
				values[i][k] = v
			}
			termsOf(r.Tiers, v, name, t.add)
			if r.Analyzer == mappings.Chinese {
				termsOf(r.Tiers, spelling(raw[i][k], v), nil, t.add)
			}
		}
		d.Terms[i] = t.terms
		if r.Analyzer == mappings.Title {
			d.Weight = uint8(min(t.words, 255))
		}
		if Keeps(r.Analyzer) {
			d.Values[i] = strings.Join(values[i], Separator)
		}
	}
	return d
}

// Begin adds prefixes of a DOI to the terms of a row. lengths says which prefixes are added.
func (d *Document) Begin(row int, doi string, lengths Beginnings) {
	begin := func(text string) { d.Terms[row][string(AppendTerm(nil, mappings.Prefix, text))] = present }
	for n := range MaxDOIPrefix - MinDOIPrefix + 1 {
		if lengths&(1<<n) != 0 {
			begin(doi[:MinDOIPrefix+n])
		}
	}
	if lengths&beginsOthers != 0 {
		begin(doi)
	}
}

// spelling returns a Chinese name with each character folded by itself, or "" if that equals the
// key of the name. 瓜蒌 folds as a whole to 栝楼. With the terms of this spelling, a query for 瓜 finds
// it nevertheless.
func spelling(name, key string) string {
	var b strings.Builder
	for _, r := range name {
		b.WriteString(ChineseKey(string(r)))
	}
	if s := b.String(); s != key && utf8.RuneCountInString(s) == utf8.RuneCountInString(key) {
		return s
	}
	return ""
}

// withoutNote removes the syllables of a note such as 原变种 from numbered pinyin if folding removed
// the note from the name.
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

// set collects the terms of one field of one record.
type set struct {
	terms index.TokenFrequencies
	term  []byte
	words int
}

func (t *set) reset() { t.terms, t.words = nil, 0 }

func (t *set) add(w mappings.Way, text string) {
	t.words++
	if text == "" {
		return
	}
	t.term = AppendTerm(t.term[:0], w, text)
	if _, known := t.terms[string(t.term)]; known {
		return
	}
	if t.terms == nil {
		t.terms = make(index.TokenFrequencies)
	}
	t.terms[string(t.term)] = present
}

// present is the value for every term. It holds no frequency, because no query uses frequencies.
var present = new(index.TokenFreq)
