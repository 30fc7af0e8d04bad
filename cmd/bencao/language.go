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

// languageVariable says in which language people are spoken to: en or zh. Without
// it the locale does.
const languageVariable = "BENCAO_LANG"

// tongue is a language in which people are spoken to: by help, messages, tables
// and what ends the program. Nil is English. JSON, CSV, logs and metrics are the
// same in every language.
type tongue struct {
	help, said, errors messages.Phrases
}

//go:embed language
var languageFiles embed.FS

// tongueOfUser is the language that the environment asks for.
func tongueOfUser() (*tongue, error) {
	switch lang := os.Getenv(languageVariable); {
	case lang == "zh" || lang == "" && isChinese(locale()):
		return chinese(), nil
	case lang != "" && lang != "en":
		return nil, usagef("%s is %q; use en or zh", languageVariable, lang)
	}
	return nil, nil
}

// locale is the locale for messages, as POSIX finds it.
func locale() string { return cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")) }

// isChinese tells whether a locale is of Chinese, such as zh_CN.UTF-8.
func isChinese(locale string) bool {
	language, _, _ := strings.Cut(locale, ".")
	language, _, _ = strings.Cut(language, "_")
	return language == "zh"
}

// chinese reads the catalogues.
func chinese() *tongue {
	read := func(name string) messages.Phrases {
		file, err := languageFiles.ReadFile("language/" + name)
		if err != nil {
			panic(err)
		}
		c, err := messages.ReadPhrases(name, file)
		if err != nil {
			panic(err) // a test reads them all
		}
		return c
	}
	return &tongue{read("help.zh.txt"), read("said.zh.txt"), read("errors.zh.txt")}
}

type tongueKey struct{}

// speaking is a context in which the program speaks a language.
func speaking(ctx context.Context, l *tongue) context.Context {
	return context.WithValue(ctx, tongueKey{}, l)
}

// tongueOf is the language that cmd speaks.
func tongueOf(cmd *cobra.Command) *tongue {
	ctx := cmd.Root().Context()
	if ctx == nil {
		return nil
	}
	l, _ := ctx.Value(tongueKey{}).(*tongue)
	return l
}

// code is that of the language.
func (l *tongue) code() string {
	if l == nil {
		return "en"
	}
	return "zh"
}

// say says a sentence with its values.
func (l *tongue) say(format string, values ...any) string {
	if l == nil {
		return fmt.Sprintf(format, values...)
	}
	return fmt.Sprintf(cmp.Or(l.said[format], format), values...)
}

// word says a word or a sentence without values.
func (l *tongue) word(english string) string {
	if l == nil {
		return english
	}
	return cmp.Or(l.said[english], english)
}

// phrase marks a text that is said later, for the test that wants it in every
// catalogue.
func phrase(english string) string { return english }

// words says several.
func (l *tongue) words(english ...string) []string {
	said := make([]string, len(english))
	for i, w := range english {
		said[i] = l.word(w)
	}
	return said
}

// message says what is to be printed about err, if anything.
func (l *tongue) message(err error) string {
	text := message(err)
	if l == nil || text == "" {
		return text
	}
	return l.errors.Error(err)
}
