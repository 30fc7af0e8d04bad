package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"os"
	"strings"

	"bencao/internal/messages"

	"github.com/spf13/cobra"
)

// languageVariable is the environment variable for the language of messages: en or zh. If the
// variable is not set, the locale decides.
const languageVariable = "BENCAO_LANG"

// language is a language of help, messages, tables and errors. A nil language is English. JSON,
// CSV, logs and metrics are the same in every language.
type language struct {
	help, said, errors messages.Phrases
}

//go:embed language
var languageFiles embed.FS

// userLanguage returns the language that the environment sets.
func userLanguage() (*language, error) {
	switch lang := os.Getenv(languageVariable); {
	case lang == "zh" || lang == "" && isChinese(locale()):
		return chinese(), nil
	case lang != "" && lang != "en":
		return nil, usagef("%s is %q; use en or zh", languageVariable, lang)
	}
	return nil, nil
}

// locale returns the user's locale for messages, by the rules of POSIX.
func locale() string { return cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")) }

// isChinese reports whether a locale is Chinese, such as zh_CN.UTF-8.
func isChinese(locale string) bool {
	language, _, _ := strings.Cut(locale, ".")
	language, _, _ = strings.Cut(language, "_")
	return language == "zh"
}

// chinese reads the catalogues and returns Chinese.
func chinese() *language {
	read := func(name string) messages.Phrases {
		file, err := languageFiles.ReadFile("language/" + name)
		if err != nil {
			panic(err)
		}
		c, err := messages.ReadPhrases(name, file)
		if err != nil {
			panic(err) // a test reads all catalogues
		}
		return c
	}
	return &language{read("help.zh.txt"), read("said.zh.txt"), read("errors.zh.txt")}
}

type languageKey struct{}

// withLanguage returns a context that makes commands use the language l.
func withLanguage(ctx context.Context, l *language) context.Context {
	return context.WithValue(ctx, languageKey{}, l)
}

// languageOf returns the language in which cmd prints.
func languageOf(cmd *cobra.Command) *language {
	ctx := cmd.Root().Context()
	if ctx == nil {
		return nil
	}
	l, _ := ctx.Value(languageKey{}).(*language)
	return l
}

// code returns the code of the language: en or zh.
func (l *language) code() string {
	if l == nil {
		return "en"
	}
	return "zh"
}

// say translates a sentence and formats its values.
func (l *language) say(format string, values ...any) string {
	if l == nil {
		return fmt.Sprintf(format, values...)
	}
	return fmt.Sprintf(cmp.Or(l.said[format], format), values...)
}

// word translates a word or a sentence without values.
func (l *language) word(english string) string {
	if l == nil {
		return english
	}
	return cmp.Or(l.said[english], english)
}

// phrase returns english unchanged. The call marks a text that the program translates later: a test
// requires a translation of every marked text.
func phrase(english string) string { return english }

// words translates several words.
func (l *language) words(english ...string) []string {
	said := make([]string, len(english))
	for i, w := range english {
		said[i] = l.word(w)
	}
	return said
}

// message returns the translated text that the program prints about err, or "" if the command has
// printed everything.
func (l *language) message(err error) string {
	text := message(err)
	if l == nil || text == "" {
		return text
	}
	return l.errors.Error(err)
}
