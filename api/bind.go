package api

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
)

// A plan says how the fields of a handler's input are filled. It is made once
// per route from the fields' tags:
//
//	path:"guid"                          a part of the path, as it is
//	query:"page" min:"1" max:"100" default:"20"    int32 or int: decimal digits alone
//	query:"q" runes:"200"                string: trimmed, no control characters
//	query:"name" runes:"256" required:"true"
//	query:"fuzzy" default:"true"         bool: true or false
//	query:"name" runes:"256" most:"100"  []string: so many texts, each given by itself
//	query:"sort" words:"name,year"       string: one of the words
//	query:"fromYear" min:"-9999" max:"9999"    *int32: a number that may be absent
//
// A field of type [store.Parts] takes what the scopes of the key open, one of
// type [access.Scopes] the scopes themselves. An
// embedded struct adds its fields. doc and example describe a parameter.
type plan struct {
	params []param
	parts  []int // index of the field that takes the parts, nil if none
	scopes []int // and of the one that takes the scopes
}

// param is one parameter.
type param struct {
	name     string
	in       string // "path" or "query"
	field    []int  // for reflect.Value.FieldByIndex; nil if no field takes it
	kind     reflect.Kind
	min, max int64    // of numbers
	runes    int      // longest text
	among    []string // what a text may be; nil is anything
	standard string   // what an absent parameter means, "" for nothing
	required bool
	most     int  // how often it may be given; 0 is once
	optional bool // a number that may be absent
	doc      string
	example  string
}

// bomParam is what every list takes besides the handler's own parameters.
var bomParam = param{
	name: "bom", in: "query", kind: reflect.Bool, standard: "0",
	doc: "1 begins text/csv with a byte order mark, which Excel wants.",
}

// newPlan reads the tags of an input type. What it finds wrong is a bug of
// ours, so it panics, when the program starts.
func newPlan(in reflect.Type) *plan {
	p := &plan{}
	p.add(in, nil)
	return p
}

func (p *plan) add(t reflect.Type, at []int) {
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
			p.params = append(p.params, newParam(f, index))
		}
	}
}

func newParam(f reflect.StructField, index []int) param {
	p := param{
		name: f.Tag.Get("query"), in: "query", field: index, kind: f.Type.Kind(),
		min: number(f, "min"), max: number(f, "max"), runes: int(number(f, "runes")),
		standard: f.Tag.Get("default"), required: f.Tag.Get("required") == "true",
		doc: f.Tag.Get("doc"), example: f.Tag.Get("example"),
	}
	if name, ok := f.Tag.Lookup("path"); ok {
		p.name, p.in, p.required = name, "path", true
	}
	if words, ok := f.Tag.Lookup("words"); ok {
		p.among = strings.Split(words, ",")
	}
	switch p.kind {
	case reflect.Int, reflect.Int32, reflect.String, reflect.Bool:
	case reflect.Slice:
		p.most, p.kind = int(number(f, "most")), f.Type.Elem().Kind()
	case reflect.Pointer:
		p.optional, p.kind = true, f.Type.Elem().Kind()
	default:
		panic(fmt.Sprintf("parameter %s has the type %s, which no rule reads", p.name, f.Type))
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

// values are the parameters of one request in the order of the plan, in their
// canonical form: trimmed, with what an absent one means. Two requests with
// the same values ask for the same thing.
type values []string

// read checks the parameters of a request.
func (p *plan) read(query string, path func(name string) string) (values, error) {
	vals := make(values, len(p.params))
	given, err := p.split(query)
	if err != nil {
		return nil, err
	}
	for i := range p.params {
		param := &p.params[i]
		switch {
		case param.in == "path":
			vals[i] = path(param.name)
			continue
		case given[i] == nil && param.required:
			return nil, faultf(badParameter, "%s is missing; give %s", param.name, param.rule())
		case given[i] == nil:
			vals[i] = param.standard
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
func (p *plan) split(query string) ([][]string, error) {
	given := make([][]string, len(p.params))
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			return nil, faultf(badParameter, "the parameter name %s is wrongly percent-encoded; write %% as %%25", show(rawName))
		}
		i := slices.IndexFunc(p.params, func(known param) bool { return known.in == "query" && known.name == name })
		if i < 0 {
			return nil, faultf(badParameter, "there is no parameter %s here; %s", show(name), p.known())
		}
		value, err := url.QueryUnescape(rawValue)
		if err != nil {
			return nil, faultf(badParameter, "%s is %s, which is wrongly percent-encoded; write %% as %%25", name, show(rawValue))
		}
		switch most := p.params[i].most; {
		case most > 0 && len(given[i]) == most:
			return nil, faultf(badParameter, "%s is given more than %d times; split the list", name, most)
		case most == 0 && given[i] != nil:
			return nil, faultf(badParameter, "%s is given twice, as %s and as %s; give it once", name, show(given[i][0]), show(value))
		}
		given[i] = append(given[i], value)
	}
	return given, nil
}

// known lists the query's parameters for an error.
func (p *plan) known() string {
	var names []string
	for _, param := range p.params {
		if param.in == "query" {
			names = append(names, param.name)
		}
	}
	if names == nil {
		return "this address takes none"
	}
	return "it takes " + strings.Join(names, ", ")
}

// rule says what the parameter accepts.
func (p *param) rule() string {
	switch {
	case p.kind == reflect.Bool && p.standard == "0":
		return "0 or 1"
	case p.kind == reflect.Bool:
		return "true or false"
	case len(p.among) == 1:
		return p.among[0]
	case p.among != nil:
		return strings.Join(p.among[:len(p.among)-1], ", ") + " or " + p.among[len(p.among)-1]
	case p.kind == reflect.String && p.required:
		return fmt.Sprintf("text of 1 to %d characters", p.runes)
	case p.kind == reflect.String:
		return fmt.Sprintf("text of at most %d characters", p.runes)
	}
	return fmt.Sprintf("a whole number from %d to %d", p.min, p.max)
}

// check returns the canonical form of a value.
func (p *param) check(value string) (string, error) {
	wrong := func(why string) error {
		return faultf(badParameter, "%s is %s%s; use %s", p.name, show(value), why, p.rule())
	}
	switch p.kind {
	case reflect.Bool:
		if yes, no := p.words(); value != yes && value != no {
			return "", wrong("")
		}
		return value, nil
	case reflect.String:
		if p.among != nil {
			if !slices.Contains(p.among, value) {
				return "", wrong("")
			}
			return value, nil
		}
		if !utf8.ValidString(value) {
			return "", wrong(", which is not UTF-8")
		}
		if strings.ContainsFunc(value, unicode.IsControl) {
			return "", wrong(", which holds control characters")
		}
		text := strings.TrimSpace(value)
		n := utf8.RuneCountInString(text)
		if n > p.runes {
			return "", wrong(fmt.Sprintf(" and has %d characters", n))
		}
		if n == 0 && p.required {
			return "", wrong("")
		}
		return text, nil
	}
	if !isDecimal(strings.TrimPrefix(value, "-")) || value == "-0" {
		return "", wrong("")
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < p.min || n > p.max {
		return "", wrong("")
	}
	return value, nil
}

// words are how a boolean parameter is written.
func (p *param) words() (yes, no string) {
	if p.standard == "0" {
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

// fill sets the fields of an input that p was made for.
func (p *plan) fill(in reflect.Value, vals values, scopes access.Scopes) {
	if p.parts != nil {
		in.FieldByIndex(p.parts).SetUint(uint64(parts(scopes)))
	}
	if p.scopes != nil {
		in.FieldByIndex(p.scopes).Set(reflect.ValueOf(scopes))
	}
	for i := range p.params {
		param := &p.params[i]
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
		if param.most > 0 {
			if vals[i] != "" {
				field.Set(reflect.ValueOf(strings.Split(vals[i], listMark)))
			}
			continue
		}
		switch param.kind {
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

// get returns the value of a parameter, "" if the plan has none of that name.
func (p *plan) get(vals values, name string) string {
	for i := range p.params {
		if p.params[i].name == name {
			return vals[i]
		}
	}
	return ""
}

// query writes the values as a query, leaving out what an absent parameter
// means, with page set to n.
func (p *plan) query(vals values, n int64) string {
	var out []byte
	for i := range p.params {
		value := vals[i]
		switch {
		case p.params[i].in == "path":
			continue
		case p.params[i].name == "page":
			value = strconv.FormatInt(n, 10)
		case value == p.params[i].standard:
			continue
		}
		if len(out) > 0 {
			out = append(out, '&')
		}
		out = append(append(out, p.params[i].name...), '=')
		out = append(out, url.QueryEscape(value)...)
	}
	return string(out)
}
