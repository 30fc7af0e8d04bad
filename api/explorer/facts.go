package explorer

import (
	"fmt"
	"html/template"
	"reflect"
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
