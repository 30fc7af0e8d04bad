package explorer

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
)

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
