// Package messages separates errors from the language in which they are shown. The code that
// detects an error creates a message with an English format and values. The message's Error method
// returns English. The code that shows the message looks up the translation.
//
// A [Message] is made from a [Format] with a code, such as "no-herb". Pages look up its text by the
// code ([In]). The API and the command line show the English text.
//
// The package does not know any language or message. Begin with [Define].
package messages

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bencao/internal/catalogue"
)

// Format is a message without its values.
type Format struct{ code, english string }

// Code returns the key of the message in catalogues.
func (f Format) Code() string { return f.code }

// English returns the format, in the syntax of package fmt.
func (f Format) English() string { return f.english }

// Count returns a number of things in English, such as "1 row" and "2 rows". one is the singular.
func Count[N int | int32 | int64](n N, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// formats lists every format that the program defines.
var formats []Format

// Define returns a new format. It panics if another format already has the code, so it must only be
// called for package variables.
func Define(code, english string) Format {
	if slices.ContainsFunc(formats, func(f Format) bool { return f.code == code }) {
		panic("messages: two formats have the code " + strconv.Quote(code))
	}
	f := Format{code, english}
	formats = append(formats, f)
	return f
}

// Formats returns all formats that the program defines, so that a test can compare them with the
// catalogue of a language.
func Formats() []Format { return slices.Clone(formats) }

// With returns a message with the values of f. A value may itself be a message.
func (f Format) With(values ...any) *Message { return &Message{f, values} }

// Message is an error that can be shown in different languages: each language that has a text for
// its code.
type Message struct {
	format Format
	values []any
}

// Error returns the message in English.
func (m *Message) Error() string { return fmt.Errorf(m.format.english, m.values...).Error() }

// Unwrap returns the errors among the values.
func (m *Message) Unwrap() []error {
	var all []error
	for _, v := range m.values {
		if err, ok := v.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

// In returns the translation of the first [Message] in the chain of err. The catalogue words has a
// text for each code. In that text, {1}, {2} … are replaced by the values. If words has no text for
// the code, or if the chain has no message, In returns the English text.
func In(err error, words *catalogue.Catalogue) string {
	if m := (*Message)(nil); errors.As(err, &m) {
		return m.in(words)
	}
	return err.Error()
}

func (m *Message) in(words *catalogue.Catalogue) string {
	text := words.Known(m.format.code, "")
	if text == "" {
		return m.Error()
	}
	values := make([]any, len(m.values))
	for i, v := range m.values {
		if err, ok := v.(error); ok {
			v = In(err, words)
		}
		values[i] = v
	}
	return catalogue.Fill(text, values)
}
