// Package texts holds what the explorer says, in each of its languages. A
// catalogue is a file of lines "key: text"; {1}, {2} … stand for values.
package texts

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

//go:embed *.txt
var files embed.FS

// Language is one that the explorer speaks.
type Language struct {
	// Code is "en" or "zh": what ?lang= takes.
	Code string
	// Tag is the language as HTML names it.
	Tag   string
	texts map[string]string
	// said are texts of the API's description, by what they are in English.
	said map[string]string
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

// Say returns a text with its values. That there is none is a bug of ours.
func (l *Language) Say(key string, values ...any) string {
	text, ok := l.texts[key]
	if !ok {
		panic("explorer: no text " + strconv.Quote(key) + " in " + l.Code)
	}
	for i, v := range values {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i+1)+"}", fmt.Sprint(v))
	}
	return text
}

// Known returns a text, or other if there is none.
func (l *Language) Known(key, other string) string {
	if text, ok := l.texts[key]; ok {
		return text
	}
	return other
}

// Translate says what a text of the API's description is in the language. It is
// not ok if nobody has written it down.
func (l *Language) Translate(english string) (text string, ok bool) {
	if l.said == nil {
		return english, true
	}
	text, ok = l.said[english]
	return text, ok
}

// Keys are those of all texts.
func (l *Language) Keys() []string {
	keys := make([]string, 0, len(l.texts))
	for key := range l.texts {
		keys = append(keys, key)
	}
	return keys
}

// read reads a catalogue; that one is wrong is found when the program starts.
func read(code, tag string) *Language {
	file, err := files.ReadFile(code + ".txt")
	if err != nil {
		panic(err)
	}
	l := &Language{Code: code, Tag: tag, texts: map[string]string{}}
	for i, line := range strings.Split(string(file), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, text, ok := strings.Cut(line, ": ")
		if _, twice := l.texts[key]; !ok || twice {
			panic(fmt.Sprintf("%s.txt:%d: write each key once, as in \"key: text\"", code, i+1))
		}
		l.texts[key] = text
	}
	return l
}

// translating reads a file of texts of the API's description: a line of English,
// then the same in the language, indented.
func (l *Language) translating(name string) *Language {
	file, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	l.said = map[string]string{}
	english := ""
	for i, line := range strings.Split(string(file), "\n") {
		text, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !indented:
			english = line
		case english == "" || l.said[english] != "":
			panic(fmt.Sprintf("%s:%d: write a line of English once, and below it one that is indented", name, i+1))
		default:
			l.said[english] = text
		}
	}
	return l
}
