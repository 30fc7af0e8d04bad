package explorer

import (
	"fmt"
	"html/template"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
	"bencao/store"
)

// placed lists the plain fields of records that have a place of their own on the record's page. The
// page shows all other plain fields in one list, so a new column of the data package needs no change
// of the page.
var placed = map[reflect.Type][]string{
	reflect.TypeFor[store.SpeciesDetail](): {"chineseName", "chineseNamePinyin", "scientificName", "author", "rank", "family", "familyChinese", "genus", "genusChinese"},
	reflect.TypeFor[store.FormulaDetail](): {"name", "namePinyin", "composition", "efficacy", "indications", "preparation", "dynasty", "year", "originalAuthor", "originalSource", "compilation"},
	reflect.TypeFor[store.PaperSummary]():  {"title", "authors", "source", "year", "doi", "pubmedId"},
}

// fact is a value with its label.
type fact struct{ Label, Value template.HTML }

// facts returns the plain fields of a record that are neither empty nor in placed. Their labels are
// the descriptions of the fields in the OpenAPI document.
func facts(lang *texts.Language) func(record any) []fact {
	describe := fromAPI(lang)
	return func(record any) []fact {
		var out []fact
		r := reflect.ValueOf(record)
		for field, value := range r.Fields() {
			text := valueText(value)
			if text == "" || slices.Contains(placed[r.Type()], field.Tag.Get("json")) {
				continue
			}
			label := strings.TrimRight(string(describe(field.Tag.Get("doc"))), ".。")
			out = append(out, fact{template.HTML(label), typeset.Chinese(text)})
		}
		return out
	}
}

// valueText returns the text of a field that may be null in JSON. It returns "" if the field is
// null, or has parts.
func valueText(value reflect.Value) string {
	if text, ok := value.Interface().(store.Text); ok {
		return string(text)
	}
	if value.Kind() != reflect.Pointer || value.IsNil() || value.Elem().Kind() == reflect.Struct {
		return ""
	}
	return fmt.Sprint(value.Elem())
}

// needsScope matches the sentence with the required scope, which is the last sentence of some
// descriptions in the OpenAPI document.
var needsScope = regexp.MustCompile(` ?Needs the scope ([a-z_, ]+)\.$`)

// translated translates a text of the OpenAPI document. all reports whether the whole text was
// translated.
func translated(lang *texts.Language, english string) (text string, all bool) {
	needs := needsScope.FindStringSubmatch(english)
	if needs == nil {
		if text, all = lang.Translate(english); !all {
			return english, false
		}
		return text, true
	}
	if english = strings.TrimSuffix(english, needs[0]); english != "" {
		if text, all = lang.Translate(english); !all {
			return english + needs[0], false
		}
	}
	return text + lang.Say("docs.needs", strings.ReplaceAll(needs[1], ", ", lang.Say("list.comma"))), true
}

// fromAPI returns a function that translates a text of the OpenAPI document. Texts without a
// translation are marked as English.
func fromAPI(lang *texts.Language) func(any) template.HTML {
	return func(v any) template.HTML {
		text, all := translated(lang, fmt.Sprint(v))
		if all {
			return template.HTML(typeset.Escape(text))
		}
		return template.HTML(`<span lang="en">` + typeset.Escape(text) + `</span>`)
	}
}
