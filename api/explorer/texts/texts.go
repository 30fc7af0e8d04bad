// Package texts holds the texts of the explorer in each of its languages. It does not know the
// pages. Begin with [Accepted] and [Language].
package texts

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

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
	// Tag is the language tag for the attribute lang in HTML.
	Tag string
	// said translates texts of the OpenAPI document from English. It is nil for English.
	said map[string]string
	// wrong has texts for error messages by the code of the message. For English it has only the
	// messages that have another text on a page than in the API.
	wrong *catalogue.Catalogue
}

// The languages of the explorer.
var (
	english = read("en", "en")
	chinese = read("zh", "zh-Hans").translating("api.zh.txt")
)

// All lists the languages. The first language is the default.
var All = []*Language{english, chinese}

// Users of traditional Chinese get the Chinese pages, because they prefer simplified characters to
// English.
var matcher = language.NewMatcher([]language.Tag{language.English, language.Chinese, language.TraditionalChinese})

// Of returns the language with the given code, or nil if there is none.
func Of(code string) *Language {
	for _, l := range All {
		if l.Code == code {
			return l
		}
	}
	return nil
}

// Accepted returns the language of the explorer that best fits the value of an Accept-Language
// header.
func Accepted(header string) *Language {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return english
	}
	_, i, _ := matcher.Match(tags...)
	return All[min(i, 1)]
}

// quoted matches a value of a message, which is quoted as in Go, and the spaces beside it.
var quoted = regexp.MustCompile(` ?"((?:[^"\\]|\\.)*)" ?`)

// Tell returns the text of err in language l, with the quotation marks of l.
func (l *Language) Tell(err error) string {
	text := messages.In(err, l.wrong)
	if l == chinese {
		text = strings.ReplaceAll(quoted.ReplaceAllString(text, "“$1”"), "”,“", "”、“")
	}
	return text
}

// Translate translates a text of the OpenAPI document. ok is false if the text has no translation.
func (l *Language) Translate(english string) (text string, ok bool) {
	if l.said == nil {
		return english, true
	}
	text, ok = l.said[english]
	return text, ok
}

// read reads the embedded catalogues of a language: its texts and its error messages.
func read(code, tag string) *Language {
	return &Language{Catalogue: catalogue.Read(files, code+".txt"), Code: code, Tag: tag, wrong: catalogue.Read(files, "wrong."+code+".txt")}
}

// translating adds translations of texts of the OpenAPI document to l. name is the file with the
// translations: each is a line of English, followed by a line with the translation, which is
// indented by a tab.
func (l *Language) translating(name string) *Language {
	file, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	l.said = map[string]string{}
	english := ""
	for i, line := range strings.Split(string(file), "\n") {
		translation, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case indented != (english != "") || indented && l.said[english] != "":
			panic(fmt.Sprintf("%s:%d: write a line of English once, and its translation below it, indented by a tab", name, i+1))
		case indented:
			l.said[english], english = translation, ""
		default:
			english = line
		}
	}
	return l
}
