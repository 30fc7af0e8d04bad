// Package params reads the parameters of a request: a plan says, from the tags
// of a handler's input, what they are called, what they may be and which field
// takes them. It knows no route and answers nothing.
package params

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/internal/say"
	"bencao/store"
)

// A Plan says how the fields of a handler's input are filled. It is made once
// per route from the fields' tags:
//
//	path:"guid"                          a part of the path, as it is
//	query:"page" min:"1" max:"100" default:"20"    int32 or int: decimal digits alone
//	query:"q" runes:"200"                string: trimmed, no control characters
//	query:"name" runes:"256" required:"true"
//	query:"fuzzy" default:"true"         bool: true or false
//	query:"name" runes:"256" most:"100"  []string: so many texts, each given by itself
//	query:"sort" words:"name,year"       string: one of the words
//	query:"by" fields:"family,genus"     string: some of the fields, with commas between them; the handler checks them
//	query:"fromYear" min:"-9999" max:"9999"    *int32: a number that may be absent
//
// A field of type [store.Parts] takes what the scopes of the key open, one of
// type [access.Scopes] the scopes themselves. An
// embedded struct adds its fields. doc and example describe a parameter.
type Plan struct {
	// Params are the parameters in the order of the fields.
	Params []Param
	parts  []int // index of the field that takes the parts, nil if none
	scopes []int // and of the one that takes the scopes
}

// Param is one parameter.
type Param struct {
	Name     string
	In       string // "path" or "query"
	Kind     reflect.Kind
	Min, Max int64    // of numbers
	Runes    int      // longest text
	Among    []string // what a text may be; nil is anything
	Fields   []string // what a text may list, with commas between them; nil is anything
	Standard string   // what an absent parameter means, "" for nothing
	Required bool
	Most     int // how often it may be given; 0 is once
	Doc      string
	Example  string

	field    []int // for reflect.Value.FieldByIndex; nil if no field takes it
	optional bool  // a number that may be absent
}

var (
	partsType  = reflect.TypeFor[store.Parts]()
	scopesType = reflect.TypeFor[access.Scopes]()
)

// New reads the tags of an input type. What it finds wrong is a bug of
// ours, so it panics, when the program starts.
func New(in reflect.Type) *Plan {
	p := &Plan{}
	p.add(in, nil)
	return p
}

func (p *Plan) add(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(at), i)
		switch {
		case f.Anonymous:
			p.add(f.Type, index)
		case f.Type == partsType:
			p.parts = index
		case f.Type == scopesType:
			p.scopes = index
		default:
			p.Params = append(p.Params, newParam(f, index))
		}
	}
}

func newParam(f reflect.StructField, index []int) Param {
	p := Param{
		Name: f.Tag.Get("query"), In: "query", field: index, Kind: f.Type.Kind(),
		Min: number(f, "min"), Max: number(f, "max"), Runes: int(number(f, "runes")),
		Standard: f.Tag.Get("default"), Required: f.Tag.Get("required") == "true",
		Doc: f.Tag.Get("doc"), Example: f.Tag.Get("example"),
	}
	if name, ok := f.Tag.Lookup("path"); ok {
		p.Name, p.In, p.Required = name, "path", true
	}
	if words, ok := f.Tag.Lookup("words"); ok {
		p.Among = strings.Split(words, ",")
	}
	if fields, ok := f.Tag.Lookup("fields"); ok {
		p.Fields = strings.Split(fields, ",")
	}
	switch p.Kind {
	case reflect.Int, reflect.Int32, reflect.String, reflect.Bool:
	case reflect.Slice:
		p.Most, p.Kind = int(number(f, "most")), f.Type.Elem().Kind()
	case reflect.Pointer:
		p.optional, p.Kind = true, f.Type.Elem().Kind()
	default:
		panic(fmt.Sprintf("parameter %s has the type %s, which no rule reads", p.Name, f.Type))
	}
	return p
}

// number reads a tag that holds a whole number; an absent one is 0.
func number(f reflect.StructField, tag string) int64 {
	s, ok := f.Tag.Lookup(tag)
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("tag %s of field %s: %v", tag, f.Name, err))
	}
	return n
}

// Values are the parameters of one request in the order of the plan, in their
// canonical form: trimmed, with what an absent one means. Two requests with
// the same values ask for the same thing.
type Values []string

// Read checks the parameters of a request.
func (p *Plan) Read(query string, path func(name string) string) (Values, error) {
	vals := make(Values, len(p.Params))
	given, err := p.split(query)
	if err != nil {
		return nil, err
	}
	for i := range p.Params {
		param := &p.Params[i]
		switch {
		case param.In == "path":
			vals[i] = path(param.Name)
			continue
		case given[i] == nil && param.Required:
			return nil, problem.New(problem.BadParameter, problem.ParamMissing.With(param.Name, param.rule()))
		case given[i] == nil:
			vals[i] = param.Standard
			continue
		}
		for k, value := range given[i] {
			if value, err = param.check(value); err != nil {
				return nil, err
			}
			if k > 0 {
				vals[i] += listMark
			}
			vals[i] += value
		}
	}
	return vals, nil
}

// listMark stands between the texts of a parameter that may be given several
// times. No text holds it.
const listMark = "\n"

// split takes a query apart, undecoded parameters aside: a parameter that is
// unknown, given twice or badly encoded is an error.
func (p *Plan) split(query string) ([][]string, error) {
	given := make([][]string, len(p.Params))
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			return nil, problem.New(problem.BadParameter, problem.ParamNameCoded.With(problem.Quote(rawName)))
		}
		i := slices.IndexFunc(p.Params, func(known Param) bool { return known.In == "query" && known.Name == name })
		if i < 0 {
			return nil, p.unknown(name)
		}
		value, err := url.QueryUnescape(rawValue)
		if err != nil {
			return nil, problem.New(problem.BadParameter, problem.ParamEncoding.With(name, problem.Quote(rawValue)))
		}
		switch most := p.Params[i].Most; {
		case most > 0 && len(given[i]) == most:
			return nil, problem.New(problem.BadParameter, problem.ParamTooOften.With(name, most))
		case most == 0 && given[i] != nil:
			return nil, problem.New(problem.BadParameter, problem.ParamTwice.With(name, problem.Quote(given[i][0]), problem.Quote(value)))
		}
		given[i] = append(given[i], value)
	}
	return given, nil
}

// unknown says of a parameter that there is none of its name, and which there are.
func (p *Plan) unknown(name string) error {
	var names []string
	for _, param := range p.Params {
		if param.In == "query" {
			names = append(names, param.Name)
		}
	}
	if names == nil {
		return problem.New(problem.BadParameter, problem.ParamNone.With(problem.Quote(name)))
	}
	return problem.New(problem.BadParameter, problem.ParamUnknown.With(problem.Quote(name), strings.Join(names, ", ")))
}

// Digit tells whether yes and no are written 1 and 0.
func (p *Param) Digit() bool {
	return p.Kind == reflect.Bool && (p.Standard == "0" || p.Standard == "1")
}

// rule says what the parameter accepts: a word, or a [*say.Text].
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

// check returns the canonical form of a value.
func (p *Param) check(value string) (string, error) {
	wrong := func(how say.Form, more ...any) error {
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
		return text, nil
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

// words are how a boolean parameter is written.
func (p *Param) words() (yes, no string) {
	if p.Digit() {
		return "1", "0"
	}
	return "true", "false"
}

// isDecimal reports whether s is a number in digits alone, with no sign and no
// leading zero.
func isDecimal(s string) bool {
	if s == "" || len(s) > 1 && s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// Fill sets the fields of an input that p was made for.
func (p *Plan) Fill(in reflect.Value, vals Values, scopes access.Scopes) {
	if p.parts != nil {
		in.FieldByIndex(p.parts).SetUint(uint64(parts(scopes)))
	}
	if p.scopes != nil {
		in.FieldByIndex(p.scopes).Set(reflect.ValueOf(scopes))
	}
	for i := range p.Params {
		param := &p.Params[i]
		if param.field == nil {
			continue
		}
		field := in.FieldByIndex(param.field)
		if param.optional {
			if vals[i] == "" {
				continue
			}
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if param.Most > 0 {
			if vals[i] != "" {
				field.Set(reflect.ValueOf(strings.Split(vals[i], listMark)))
			}
			continue
		}
		switch param.Kind {
		case reflect.String:
			field.SetString(vals[i])
		case reflect.Bool:
			yes, _ := param.words()
			field.SetBool(vals[i] == yes)
		default:
			n, err := strconv.ParseInt(vals[i], 10, 64)
			if err != nil {
				panic(err) // checked before
			}
			field.SetInt(n)
		}
	}
}

// Count is how many texts are given for a parameter that may be given several
// times.
func (p *Plan) Count(vals Values, name string) int {
	return 1 + strings.Count(p.Get(vals, name), listMark)
}

// Get returns the value of a parameter, "" if the plan has none of that name.
func (p *Plan) Get(vals Values, name string) string {
	for i := range p.Params {
		if p.Params[i].Name == name {
			return vals[i]
		}
	}
	return ""
}

// Query writes the values as a query, leaving out what an absent parameter
// means, with page set to n.
func (p *Plan) Query(vals Values, n int64) string {
	var out []byte
	for i := range p.Params {
		value := vals[i]
		switch {
		case p.Params[i].In == "path":
			continue
		case p.Params[i].Name == "page":
			value = strconv.FormatInt(n, 10)
		case value == p.Params[i].Standard:
			continue
		}
		if len(out) > 0 {
			out = append(out, '&')
		}
		out = append(append(out, p.Params[i].Name...), '=')
		out = append(out, url.QueryEscape(value)...)
	}
	return string(out)
}
