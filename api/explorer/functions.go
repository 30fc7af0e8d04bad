package explorer

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"bencao/api/explorer/assets"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
)

// functions returns the functions that templates in a language can call.
func functions(lang *texts.Language, a assets.Set) template.FuncMap {
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
		"words":     func(kind string, text any) string { return words(lang, kind, fmt.Sprint(text)) },
	}
}

// between matches the separators in a list of words in the data, such as "root, leaves" and
// "medicine and food".
var between = regexp.MustCompile(`, | and `)

// words translates each word of a list in the data. Unknown words stay unchanged.
func words(lang *texts.Language, kind, text string) string {
	all := between.Split(text, -1)
	known := false
	for i, word := range all {
		said := lang.Known(kind+"."+word, lang.Known(kind+"."+strings.ToLower(word), ""))
		if known = known || said != ""; said != "" {
			all[i] = said
		}
	}
	if !known {
		return text
	}
	return strings.Join(all, lang.Say("list.comma"))
}

// checklists lists the names of the checklists that have a translation.
var checklists = []string{"World Checklist of Vascular Plants", "World Flora Online", "Catalogue of Life China", "Database of Vascular Plants of Canada"}

// checklist returns the translated name of a checklist, with its version.
func checklist(lang *texts.Language, text string) template.HTML {
	for _, name := range checklists {
		if rest, ok := strings.CutPrefix(text, name); ok {
			return typeset.Chinese(lang.Known("checklist."+name, name) + rest)
		}
	}
	return template.HTML(typeset.Escape(text))
}

// herbWord returns a function that writes the name of a herb, with pinyin above it for users who do
// not read Chinese.
func herbWord(lang *texts.Language) func(name, pinyin string) template.HTML {
	return func(name, pinyin string) template.HTML {
		if lang.Code == "zh" {
			return typeset.Chinese(name)
		}
		return typeset.RubyWord(name, pinyin)
	}
}

// dynasty returns the name of a dynasty in a language, or in Chinese if there is no translation.
func dynasty(lang *texts.Language, name string) template.HTML {
	return typeset.Chinese(lang.Known("dynasty."+name, name))
}

// source writes what gives a name to a herb: words for a reason, or the title of a book.
func source(lang *texts.Language, name string) template.HTML {
	if reason := lang.Word("herb.source", name); reason != name {
		return template.HTML(typeset.Escape(reason))
	}
	return typeset.Book(name)
}

// year returns a year as text, of the common era or before it. It returns "" if the year is
// unknown.
func year(lang *texts.Language, y *int32) string {
	switch {
	case y == nil:
		return ""
	case *y < 0:
		return lang.Say("year.before", -*y)
	}
	return fmt.Sprint(*y)
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
