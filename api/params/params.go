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

	"bencao/api/access"
	"bencao/api/problem"
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
		p.Doc += ": " + strings.Join(p.Fields, ", ") + "."
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
	var room [8]pair // for as many as most queries have
	given, err := p.split(query, room[:0])
	if err != nil {
		return nil, err
	}
	for i := range p.Params {
		param := &p.Params[i]
		if param.In == "path" {
			vals[i] = path(param.Name)
			continue
		}
		times := 0
		for _, g := range given {
			if g.param != i {
				continue
			}
			value, err := param.check(g.value)
			if err != nil {
				return nil, err
			}
			if times++; times > 1 {
				value = vals[i] + listMark + value
			}
			vals[i] = value
		}
		switch {
		case times == 0 && param.Required:
			return nil, problem.New(problem.BadParameter, problem.ParamMissing.With(param.Name, param.rule()))
		case times == 0:
			vals[i] = param.Standard
		}
	}
	return vals, nil
}

// pair is a parameter of a query, by its place in the plan, with its value.
type pair struct {
	param int
	value string
}

// listMark stands between the texts of a parameter that may be given several
// times. No text holds it.
const listMark = "\n"

// split takes a query apart, behind what is given already: a parameter that is
// unknown, given twice or badly encoded is an error.
func (p *Plan) split(query string, given []pair) ([]pair, error) {
	for query != "" {
		var text string
		if text, query, _ = strings.Cut(query, "&"); text == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(text, "=")
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
		times, before := 0, ""
		for _, g := range given {
			if g.param == i {
				times++
				before = g.value
			}
		}
		switch most := p.Params[i].Most; {
		case most > 0 && times == most:
			return nil, problem.New(problem.BadParameter, problem.ParamTooOften.With(name, most))
		case most == 0 && times > 0:
			return nil, problem.New(problem.BadParameter, problem.ParamTwice.With(name, problem.Quote(before), problem.Quote(value)))
		}
		given = append(given, pair{i, value})
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

// AppendQuery appends the values as a query, leaving out what an absent parameter
// means, with page set to n.
func (p *Plan) AppendQuery(dst []byte, vals Values, n int64) []byte {
	begin := len(dst)
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
		if len(dst) > begin {
			dst = append(dst, '&')
		}
		dst = append(append(dst, p.Params[i].Name...), '=')
		dst = append(dst, url.QueryEscape(value)...)
	}
	return dst
}
