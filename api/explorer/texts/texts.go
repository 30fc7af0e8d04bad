// Package texts holds what the explorer says, in each of its languages.
package texts

import (
	"embed"

	"bencao/internal/catalogue"
	"bencao/internal/messages"

	"golang.org/x/text/language"
)

//go:embed *.txt
var files embed.FS

// Language is one that the explorer speaks.
type Language struct {
	*catalogue.Catalogue
	// Code is "en" or "zh": what ?lang= takes.
	Code string
	// Tag is the language as HTML names it.
	Tag string
	// said are texts of the API's description, by what they are in English.
	said messages.Phrases
	// wrong has words for what is wrong, by the codes of package messages. In English
	// they are where a page says it otherwise than the program.
	wrong *catalogue.Catalogue
}

// The languages.
var (
	english = read("en", "en")
	chinese = read("zh", "zh-Hans").translating("api.zh.txt")
)

// All are the languages, the one for whoever speaks none of them first.
var All = []*Language{english, chinese}

// Who reads traditional characters reads simplified ones rather than English.
var matcher = language.NewMatcher([]language.Tag{language.English, language.Chinese, language.TraditionalChinese})

// Of is the language of a code, or nil.
func Of(code string) *Language {
	for _, l := range All {
		if l.Code == code {
			return l
		}
	}
	return nil
}

// Accepted is the language that an Accept-Language header likes best.
func Accepted(header string) *Language {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return english
	}
	_, i, _ := matcher.Match(tags...)
	return All[min(i, 1)]
}

// Tell puts what is wrong into the language's words.
func (l *Language) Tell(err error) string { return messages.In(err, l.wrong) }

// Translate says what a text of the API's description is in the language. It is
// not ok if nobody has written it down.
func (l *Language) Translate(english string) (text string, ok bool) {
	if l.said == nil {
		return english, true
	}
	text, ok = l.said[english]
	return text, ok
}

// read reads a catalogue.
func read(code, tag string) *Language {
	return &Language{Catalogue: catalogue.Read(files, code+".txt"), Code: code, Tag: tag, wrong: catalogue.Read(files, "wrong."+code+".txt")}
}

// translating reads a file of texts of the API's description.
func (l *Language) translating(name string) *Language {
	file, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	if l.said, err = messages.ReadPhrases(name, file); err != nil {
		panic(err)
	}
	return l
}
