// Package catalogue reads the texts of a program in one language. A catalogue is a file of lines
// "key: text". In a text, {1}, {2} … are placeholders for values. {1s} is a placeholder for the
// plural s, which is left out if the first value is 1. The package does not know any language or
// text. Begin with [Read] and [Catalogue.Say].
package catalogue

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Catalogue holds the texts of one language.
type Catalogue struct {
	name  string
	texts map[string]string
}

// Read reads a catalogue that is embedded in the program. It panics on an error, so that an error
// in the file is noticed as soon as the program starts.
func Read(files fs.FS, name string) *Catalogue {
	file, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	c := &Catalogue{name, map[string]string{}}
	for i, line := range strings.Split(string(file), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, text, ok := strings.Cut(line, ": ")
		if _, twice := c.texts[key]; !ok || twice {
			panic(fmt.Sprintf("%s:%d: write each key once, as in \"key: text\"", name, i+1))
		}
		c.texts[key] = text
	}
	return c
}

// Say returns the text of a key with its values filled in. It panics if there is no such text.
func (c *Catalogue) Say(key string, values ...any) string {
	text, ok := c.texts[key]
	if !ok {
		panic("no text " + strconv.Quote(key) + " in " + c.name)
	}
	return Fill(text, values)
}

// Fill returns text with the values filled in for its placeholders.
func Fill(text string, values []any) string {
	if len(values) == 0 {
		return text
	}
	pairs := make([]string, 0, 4*len(values))
	for i, v := range values {
		text, plural := fmt.Sprint(v), "s"
		if text == "1" {
			plural = ""
		}
		pairs = append(pairs, "{"+strconv.Itoa(i+1)+"}", text, "{"+strconv.Itoa(i+1)+"s}", plural)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Known returns the text of a key. If there is none, it returns other.
func (c *Catalogue) Known(key, other string) string {
	if text, ok := c.texts[key]; ok {
		return text
	}
	return other
}

// Word returns the translation of a word from a vocabulary of the data, such as a rank. The
// translation's key in the catalogue is vocabulary.word. If the catalogue lacks this key, Word
// returns the word itself, since sources may use words of their own.
func (c *Catalogue) Word(vocabulary, word string) string {
	return c.Known(vocabulary+"."+word, word)
}

// Keys returns the keys of all texts.
func (c *Catalogue) Keys() []string {
	keys := make([]string, 0, len(c.texts))
	for key := range c.texts {
		keys = append(keys, key)
	}
	return keys
}
