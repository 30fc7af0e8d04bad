package messages

import (
	"fmt"
	"io/fs"
	"strings"
)

// Errorf returns the same error as [fmt.Errorf]. It also keeps the format and the values, so that
// [Phrases.Error] can translate it.
func Errorf(format string, values ...any) error {
	return &formatted{fmt.Errorf(format, values...), format, values}
}

type formatted struct {
	english error
	format  string
	values  []any
}

func (f *formatted) Error() string { return f.english.Error() }
func (f *formatted) Unwrap() error { return f.english }

// Phrases maps texts and formats in English to another language.
type Phrases map[string]string

// ReadPhrases reads a file of phrases. A phrase is a line of English, followed by a line with the
// translation, which is indented by a tab. Empty lines and lines that begin with # are ignored. An
// error names the file and the line.
func ReadPhrases(name string, text []byte) (Phrases, error) {
	p := Phrases{}
	english := ""
	for i, line := range strings.Split(string(text), "\n") {
		translation, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !indented && english != "" || indented && (english == "" || p[english] != ""):
			return nil, fmt.Errorf("%s:%d: write a line of English once, and its translation below it, indented by a tab", name, i+1)
		case indented:
			p[english], english = translation, ""
		default:
			english = line
		}
	}
	if english != "" {
		return nil, fmt.Errorf("%s: %q has no translation below it", name, english)
	}
	return p, nil
}

// OneLine joins the lines of a text. Phrases are stored in this form.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Error translates err. It looks up each error in the chain: an error from [Errorf] or a [Message]
// by its format, and any other error, such as one of the operating system, by its whole text. Parts
// without a translation stay in English.
func (p Phrases) Error(err error) string {
	var format string
	var values []any
	switch e := err.(type) {
	case *Message:
		format, values = e.format.english, e.values
	case *formatted:
		format, values = e.format, e.values
	case *fs.PathError:
		format, values = e.Op+" %s: %w", []any{e.Path, e.Err}
	}
	if translation := p[strings.TrimSpace(format)]; translation != "" {
		return fmt.Errorf(translation, p.values(values)...).Error()
	}
	text := err.Error()
	if translation := p[text]; translation != "" {
		return translation
	}
	for _, cause := range unwrap(err) {
		if english := cause.Error(); english != "" {
			text = strings.Replace(text, english, p.Error(cause), 1)
		}
	}
	return text
}

// values translates some of the values of a format: those that are errors, and those that are
// phrases, such as "a whole number".
func (p Phrases) values(english []any) []any {
	values := make([]any, len(english))
	for i, v := range english {
		switch v := v.(type) {
		case error:
			values[i] = translated(p.Error(v))
		case string:
			values[i] = v
			if translation := p[v]; translation != "" {
				values[i] = translation
			}
		default:
			values[i] = v
		}
	}
	return values
}

// translated is the text of an error in another language. It is an error because %w accepts only
// errors.
type translated string

func (t translated) Error() string { return string(t) }

func unwrap(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	case interface{ Unwrap() error }:
		if cause := e.Unwrap(); cause != nil {
			return []error{cause}
		}
	}
	return nil
}
