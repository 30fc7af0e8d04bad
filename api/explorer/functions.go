package explorer

import (
	"fmt"
	"html/template"
	"strings"

	"bencao/api/explorer/assets"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
)

// functions returns the functions that templates in a language can call. noMap leaves maps out.
func functions(lang *texts.Language, a assets.Set, noMap bool) template.FuncMap {
	return template.FuncMap{
		"t":         lang.Say,
		"lang":      func() string { return lang.Tag },
		"asset":     a.Address,
		"n":         typeset.Thousands,
		"han":       typeset.Chinese,
		"la":        typeset.Latin,
		"name":      func(text any) template.HTML { return typeset.LatinAsCited(fmt.Sprint(text)) },
		"ruby":      typeset.Ruby,
		"word":      typeset.RubyWord,
		"herb":      herbWord(lang),
		"drug":      typeset.Herb,
		"book":      typeset.Book,
		"source":    func(name any) template.HTML { return source(lang, fmt.Sprint(name)) },
		"dynasty":   func(name any) template.HTML { return dynasty(lang, fmt.Sprint(name)) },
		"meter":     func(value float64) template.HTML { return draw.Meter(value, "f1") },
		"bar":       draw.Bar,
		"share":     func(n, most int) float64 { return float64(n) / float64(max(1, most)) },
		"badge":     typeset.Badge,
		"cells":     cells(lang),
		"barRows":   barRows(lang),
		"heatRows":  heatRows(lang),
		"yearRows":  yearRows,
		"year":      func(y *int32) string { return year(lang, y) },
		"term":      func(vocabulary string, word any) string { return lang.Word(vocabulary, fmt.Sprint(word)) },
		"join":      strings.Join,
		"api":       fromAPI(lang),
		"zh":        func() bool { return lang.Code == "zh" },
		"facet":     func(f facetView, b bar) facetRow { return facetRow{b, f.Most, f.Latin} },
		"verbatim":  typeset.Verbatim,
		"broken":    typeset.Broken,
		"checklist": func(name any) template.HTML { return checklist(lang, fmt.Sprint(name)) },
		"facts":     facts(lang),
		"cited":     cited,
		"status":    status(lang),
		"reviewed": func(by *bool) string {
			if by == nil {
				return ""
			}
			return lang.Say(map[bool]string{true: "listed.yes", false: "listed.no"}[*by])
		},
		"lifeForm": lifeForm(lang),
		"climate":  func(text any) string { return lang.Known(fmt.Sprint("climate.", text), fmt.Sprint(text)) },
		"key":      func(mark int) template.HTML { return draw.Key(draw.Mark(mark)) },
		"world": func(places []draw.Place, label string) template.HTML {
			if noMap || len(places) == 0 {
				return ""
			}
			return draw.World(a.Address("land.svg"), places, label)
		},
		"words": func(kind string, text any) string { return words(lang, kind, fmt.Sprint(text)) },
	}
}
