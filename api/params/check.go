package params

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/api/problem"
	"bencao/internal/messages"
)

// Digit reports whether the values of a boolean parameter are 1 and 0 instead of true and false.
func (p *Param) Digit() bool {
	return p.Kind == reflect.Bool && (p.Standard == "0" || p.Standard == "1")
}

// rule returns a description of the values that the parameter accepts, for use in an error. It is
// either a string or a [*messages.Message].
func (p *Param) rule() any {
	switch {
	case p.Digit():
		return problem.RuleOr.With("0", "1")
	case p.Kind == reflect.Bool:
		return problem.RuleOr.With("true", "false")
	case len(p.Among) == 1:
		return p.Among[0]
	case p.Among != nil:
		return problem.RuleOr.With(strings.Join(p.Among[:len(p.Among)-1], ", "), p.Among[len(p.Among)-1])
	case p.Kind == reflect.String && p.Required:
		return problem.RuleSomeText.With(p.Runes)
	case p.Kind == reflect.String:
		return problem.RuleText.With(p.Runes)
	}
	return problem.RuleNumber.With(p.Min, p.Max)
}

// check returns the canonical form of a value. If the parameter does not accept the value, check
// returns an error with the broken rule.
func (p *Param) check(value string) (string, error) {
	wrong := func(how messages.Format, more ...any) error {
		return problem.New(problem.BadParameter, how.With(append([]any{p.Name, problem.Quote(value), p.rule()}, more...)...))
	}
	switch p.Kind {
	case reflect.Bool:
		if yes, no := p.words(); value != yes && value != no {
			return "", wrong(problem.ParamWrong)
		}
		return value, nil
	case reflect.String:
		if p.Among != nil {
			if !slices.Contains(p.Among, value) {
				return "", wrong(problem.ParamWrong)
			}
			return value, nil
		}
		if !utf8.ValidString(value) {
			return "", wrong(problem.ParamNotUTF8)
		}
		value = strings.ReplaceAll(value, "\t", " ") // a cell copied from a spreadsheet may have tabs
		if p.Lines {                                 // a prescription may have a line for each herb
			value = strings.ReplaceAll(strings.ReplaceAll(value, "\n", " "), "\r", " ")
		}
		if strings.ContainsFunc(value, unicode.IsControl) {
			return "", wrong(problem.ParamControls)
		}
		text := strings.TrimSpace(value)
		n := utf8.RuneCountInString(text)
		if n > p.Runes {
			return "", wrong(problem.ParamTooLong, n)
		}
		if n == 0 && p.Required {
			return "", wrong(problem.ParamWrong)
		}
		return text, p.checkFields(text)
	}
	if !isDecimal(strings.TrimPrefix(value, "-")) || value == "-0" {
		return "", wrong(problem.ParamWrong)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < p.Min || n > p.Max {
		return "", wrong(problem.ParamWrong)
	}
	return value, nil
}

// checkFields returns an error unless text lists some of p.Fields, separated by commas, each at
// most once. A parameter without Fields accepts any text.
func (p *Param) checkFields(text string) error {
	if p.Fields == nil {
		return nil
	}
	fields := SplitFields(text)
	for i, f := range fields {
		switch {
		case !slices.Contains(p.Fields, f):
			return problem.New(problem.BadParameter, problem.FacetUnknown.With(problem.Quote(f), strings.Join(p.Fields, ", ")))
		case slices.Contains(fields[:i], f):
			return problem.New(problem.BadParameter, problem.FacetTwice.With(problem.Quote(f)))
		}
	}
	return nil
}

// SplitFields splits the value of a parameter that is a comma-separated list of fields.
func SplitFields(list string) []string {
	fields := strings.Split(list, ",")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return fields
}

// words returns the texts that a boolean parameter accepts for true and for false.
func (p *Param) words() (yes, no string) {
	if p.Digit() {
		return "1", "0"
	}
	return "true", "false"
}

// isDecimal reports whether s consists of digits only, without a leading zero.
func isDecimal(s string) bool {
	if s == "" || len(s) > 1 && s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}
