// Package say keeps apart what is said and in which words. A text has a code and
// values: in English it is as its form says, and a page in another language finds
// its own words by the code.
package say

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bencao/internal/catalogue"
)

// Form is a text whose values are yet to come.
type Form struct{ code, english string }

// Code is what the form is known by.
func (f Form) Code() string { return f.code }

// English is the format.
func (f Form) English() string { return f.english }

// forms are all of the program, for who wants to know whether a language has words
// for each.
var forms []Form

// Sentence makes a form of a format of package fmt. A code stands for one form.
func Sentence(code, english string) Form {
	if slices.ContainsFunc(forms, func(f Form) bool { return f.code == code }) {
		panic("say: two forms have the code " + strconv.Quote(code)) // a bug of ours
	}
	f := Form{code, english}
	forms = append(forms, f)
	return f
}

// Forms are all forms of the program.
func Forms() []Form { return slices.Clone(forms) }

// With is the form with its values, some of which may be texts too.
func (f Form) With(values ...any) *Text { return &Text{f, values} }

// Text is what is said. As an error it is in English.
type Text struct {
	form   Form
	values []any
}

func (t *Text) Error() string { return fmt.Errorf(t.form.english, t.values...).Error() }

// Unwrap are the errors among the values.
func (t *Text) Unwrap() []error {
	var all []error
	for _, v := range t.values {
		if err, ok := v.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

// In is an error in the words that a catalogue has for codes, by the text that is
// it or is in it; {1}, {2} … stand there for the values. One that has no words, as
// of another program, stays as it is.
func In(err error, words *catalogue.Catalogue) string {
	if t := (*Text)(nil); errors.As(err, &t) {
		return t.in(words)
	}
	return err.Error()
}

func (t *Text) in(words *catalogue.Catalogue) string {
	form := words.Known(t.form.code, "")
	if form == "" {
		return t.Error()
	}
	values := make([]any, len(t.values))
	for i, v := range t.values {
		if err, ok := v.(error); ok {
			v = In(err, words)
		}
		values[i] = v
	}
	return catalogue.Fill(form, values)
}
