// Package texts holds the texts of the explorer in each of its languages. It does not know the
// pages. Begin with [Accepted] and [Language].
package texts

import (
	"embed"

	"bencao/internal/catalogue"
	"bencao/internal/messages"

	"golang.org/x/text/language"
)

//go:embed *.txt
var files embed.FS

// Language is a language of the explorer.
type Language struct {
	*catalogue.Catalogue
	// Code is the value of ?lang=: "en" or "zh".
	Code string
	// Tag is the language tag for HTML.
	Tag string
	// said translates texts of the API's description from English. It is nil for English.
	said messages.Phrases
	// wrong has texts for error messages by their codes. The English catalogue has only the errors
	// that have another text on a page.
	wrong *catalogue.Catalogue
}

// The languages.
var (
	english = read("en", "en")
	chinese = read("zh", "zh-Hans").translating("api.zh.txt")
)

// All lists the languages. The first is the default.
var All = []*Language{english, chinese}

// Traditional Chinese is listed because its users prefer simplified characters to English.
var matcher = language.NewMatcher([]language.Tag{language.English, language.Chinese, language.TraditionalChinese})

// Of returns the language with a code, or nil.
func Of(code string) *Language {
	for _, l := range All {
		if l.Code == code {
			return l
		}
	}
	return nil
}

// Accepted returns the preferred language of an Accept-Language header.
func Accepted(header string) *Language {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return english
	}
	_, i, _ := matcher.Match(tags...)
	return All[min(i, 1)]
}

// Tell translates an error.
func (l *Language) Tell(err error) string { return messages.In(err, l.wrong) }

// Translate translates a text of the API's description; ok is false if there is no translation.
func (l *Language) Translate(english string) (text string, ok bool) {
	if l.said == nil {
		return english, true
	}
	text, ok = l.said[english]
	return text, ok
}

// read reads the catalogues of a language.
func read(code, tag string) *Language {
	return &Language{Catalogue: catalogue.Read(files, code+".txt"), Code: code, Tag: tag, wrong: catalogue.Read(files, "wrong."+code+".txt")}
}

// translating adds the translations of the API's description.
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
