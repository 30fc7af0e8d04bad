package explorer

import (
	"html/template"
	"strings"
	"unicode"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/typeset"
	"bencao/mappings"
	"bencao/names/han"
	"bencao/store"
)

// kind is a kind of record that can be searched.
type kind struct {
	name, op string
	// counts is the operation that counts the results of a search. It counts by the fields in by.
	// If the kind has no facets, counts and by are empty.
	counts, by string
	scope      access.Scopes
	find       func(v *visit, k *kind, params []string) (*found, error)
}

// filters returns the filters and orders of the kind.
func (k *kind) filters() []mappings.Filter { return mappings.Filters[k.name] }

// narrowed returns those filters and orders that pass, as parameters of the API with the values in the
// address of the page: alternating names and values.
func (k *kind) narrowed(v *visit, passes func(mappings.Filter) bool) (params []string) {
	for _, f := range k.filters() {
		if passes(f) {
			params = append(params, f.Name, v.query.Get(f.BesideKind()))
		}
	}
	return params
}

// ofRecords reports whether a filter chooses or orders records. The page itself decides whether
// formulas are listed once for each name.
func ofRecords(f mappings.Filter) bool {
	return f.Kind != mappings.OncePerName && f.Kind != mappings.NamesTogether
}

// found is one page of search results.
type found struct {
	Total       int
	Hits        []hit
	explanation *api.Explanation
	wrong       error // why a filter cannot be used
}

// explain returns the explanation of the hit with index i, or the zero value if the search was not
// explained.
func (f *found) explain(i int) explanation {
	if f.explanation == nil || i >= len(f.explanation.Items) {
		return explanation{}
	}
	w := explanation{ItemExplanation: f.explanation.Items[i]}
	for _, r := range f.explanation.Recognised {
		if r.As == "herb" {
			w.herbs++
		}
	}
	if forgiven := f.explanation.Forgiven; forgiven == "letters" || forgiven == "endings" {
		w.Ranges = []api.TextRange{{End: int32(len([]rune(string(w.Text))))}} // the search corrected a word, so the whole word counts as matched
	}
	return w
}

// hit is one search result.
type hit struct {
	Address     string
	Name, Latin template.HTML
	Notes       []template.HTML
	// By is the alternative name of the record that matched the query, if it is not shown
	// elsewhere.
	By template.HTML
	// Others lists the formulas with this name that were found, including the hit itself, or the
	// first of them. Count is the number of all of them; 0 if there is one. When is a picture of the
	// years of the listed formulas.
	Others []store.FormulaSummary
	Count  int
	Rest   navLink // the file with all of them, if Others has not all
	When   template.HTML
	Span   string
	// Whole reports that the query matches the whole name. Compare is the address of a comparison
	// of the formulas in Others.
	Whole   bool
	Compare navLink
	// Choose reports that a comparison of two of these formulas has to be chosen: they are several.
	// Against tells, by guid, how the others differ from the first if the list is unfolded.
	Choose  bool
	Against map[string]string
}

// foundOf searches for records of kind k. of returns the hit of a record; why tells why it was found.
func foundOf[T any](v *visit, k *kind, params []string, of func(record T, why explanation) hit) (*found, error) {
	l, err := ask[list[T]](v, k.op, "", params...)
	f := &found{Total: l.Total, explanation: l.Explanation}
	for i, record := range l.Items {
		f.Hits = append(f.Hits, of(record, f.explain(i)))
	}
	return f, err
}

// explanation tells which text of a record, such as a name, matched the query.
type explanation struct {
	api.ItemExplanation
	herbs int // number of the herbs that the query names
}

// complete reports whether the query matches the whole text of the explanation. Spaces never match.
func (w explanation) complete() bool {
	text := []rune(string(w.Text))
	for i, hit := range w.hits(len(text)) {
		if !hit && !unicode.IsSpace(text[i]) {
			return false
		}
	}
	return len(text) > 0
}

// within reports for each character of a shown name whether it matches the query. If the shown name
// is not the text that matched, it returns nil.
func (w explanation) within(name string) []bool {
	n := len([]rune(name))
	if !w.matches(name) || n != len([]rune(string(w.Text))) {
		return nil
	}
	return w.hits(n)
}

// matches reports whether a shown name is the text that matched. If the name or title of the record
// matched, it returns true even if the shown text differs, because the search compares normalised
// forms of Chinese characters.
func (w explanation) matches(name string) bool {
	return strings.EqualFold(string(w.Text), name) || w.Field == "name" || w.Field == "chineseName" || w.Field == "title"
}

// hits reports for each of the n characters of the matched text whether it matches the query.
func (w explanation) hits(n int) []bool {
	hit := make([]bool, n)
	for _, r := range w.Ranges {
		for i := max(0, int(r.Start)); i < min(n, int(r.End)); i++ {
			hit[i] = true
		}
	}
	return hit
}

// latin marks the matching characters in a scientific name. The case of letters does not matter,
// because the search compares names in lower case.
func (w explanation) latin(name, author string) template.HTML {
	var hit []bool
	if strings.EqualFold(string(w.Text), name) {
		hit = w.hits(len([]rune(name)))
	}
	return typeset.MarkedLatin(name, author, hit)
}

// foundBy returns a note with the text that matched, or "" if the page already shows this text as
// one of the names in shown, or as the scientific name, which may have a word for a rank there.
func (w explanation) foundBy(v *visit, shown ...string) template.HTML {
	if w.Text == "" || w.Field == "scientificName" {
		return ""
	}
	for _, s := range shown {
		if w.matches(s) {
			return ""
		}
	}
	by := template.HTML(typeset.Escape(v.say("search.by", v.lang.Known("field."+w.Field, w.Field))))
	if text := string(w.Text); han.Has(text) && len([]rune(text)) <= typeset.LongestRuby {
		return by + ` <span class="nw" lang="zh-Hans">` + template.HTML(typeset.Escape(text)) + `</span>`
	}
	return by + " " + typeset.Chinese(w.Text)
}

// nearly returns a note that tells how many herbs of the query a formula has, which ones it lacks and
// which others it has.
func (w explanation) nearly(v *visit) template.HTML {
	list := func(herbs []string) string { return strings.Join(herbs, v.say("cite.comma")) }
	text := v.say("search.nearly", w.herbs-len(w.Lacks), w.herbs, list(w.Lacks))
	if len(w.More) > 0 {
		text += v.say("search.nearly.more", list(w.More))
	}
	return template.HTML(typeset.Escape(text))
}

// exact reports whether a search found its first item by a whole name, without forgiving a mistake.
func exact(ex *api.Explanation) bool {
	return ex.Forgiven == "" && ex.Part == "" && ex.Group == "" && len(ex.Items) > 0
}
