// Package params reads the parameters of a request. A [Plan] is derived from the struct type of a
// handler's input and the tags of its fields. The plan has the names and rules of the parameters,
// and knows which fields they fill. The package does not know routes. Begin with [New] and
// [Plan.Read].
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
	"bencao/names/editdistance"
	"bencao/store"
)

// Plan fills the fields of a handler's input from the parameters of a request. It is derived once
// per route from the tags of the fields:
//
//	path:"guid"                                 string: a part of the path, unchanged
//	query:"page" min:"1" max:"100" default:"20" int32 or int: decimal digits only
//	query:"q" runes:"200"                       string: trimmed, without control characters; a tab is a space
//	query:"q" runes:"500" lines:"true"          the same, but the end of a line is a space too
//	query:"name" runes:"256" required:"true"    string that must be given
//	query:"fuzzy" default:"true"                bool: true or false
//	query:"name" runes:"256" most:"100"         []string: up to 100 values
//	query:"sort" words:"name,year"              string: one of the words
//	query:"fromYear" min:"-9999" max:"9999"     *int32: a number that may be absent
//
// A field of type [store.Parts] gets the parts of a record that the key may see. A field of type
// [access.Scopes] gets the scopes of the key. A field that is a [group] gets the values of several
// parameters. A field that is a [fieldList] gets a comma-separated list of fields. An embedded
// struct adds its fields. The tags doc and example describe a parameter.
type Plan struct {
	// Params are the parameters in the order of the struct's fields.
	Params []Param
	parts  []int // index of the field of type store.Parts, or nil
	scopes []int // index of the field of type access.Scopes, or nil
}

// Param is one parameter.
type Param struct {
	Name     string
	In       string // "path" or "query"
	Kind     reflect.Kind
	Min, Max int64    // limits of a number
	Runes    int      // maximum length of a text
	Lines    bool     // whether a text may have several lines
	Among    []string // permitted texts; nil permits all
	Fields   []string // permitted elements of a comma-separated list; nil permits all
	Standard string   // value if the request lacks the parameter; "" if there is no default
	Required bool
	Most     int // maximum number of values; 0 means one
	Doc      string
	Example  string

	field    []int // index for reflect.Value.FieldByIndex; nil if no field gets the value
	group    bool  // the field is a [group]
	optional bool  // the field is a pointer, which is nil if the request lacks the parameter
}

// group is a map from strings to strings that holds the values of several parameters. Describe
// returns these parameters. The map has only values that differ from the default.
type group interface {
	Describe() []Param
}

// fieldList is a string with a comma-separated list of fields. Fields returns the permitted ones.
// In the OpenAPI document, the description of the parameter ends with these fields.
type fieldList interface {
	Fields() []string
}

var (
	groupType  = reflect.TypeFor[group]()
	partsType  = reflect.TypeFor[store.Parts]()
	scopesType = reflect.TypeFor[access.Scopes]()
)

// New derives a plan from the tags of an input type. It panics if a tag is wrong. Since New is
// called when the program starts, such a bug shows at once.
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
		case f.Type.Implements(groupType):
			for _, d := range reflect.Zero(f.Type).Interface().(group).Describe() {
				d.In, d.field, d.group = "query", index, true
				p.Params = append(p.Params, d)
			}
		default:
			p.Params = append(p.Params, newParam(f, index))
		}
	}
}

func newParam(f reflect.StructField, index []int) Param {
	p := Param{
		Name: f.Tag.Get("query"), In: "query", field: index, Kind: f.Type.Kind(),
		Min: number(f, "min"), Max: number(f, "max"), Runes: int(number(f, "runes")), Lines: f.Tag.Get("lines") == "true",
		Standard: f.Tag.Get("default"), Required: f.Tag.Get("required") == "true",
		Doc: f.Tag.Get("doc"), Example: f.Tag.Get("example"),
	}
	if name, ok := f.Tag.Lookup("path"); ok {
		p.Name, p.In, p.Required = name, "path", true
	}
	if words, ok := f.Tag.Lookup("words"); ok {
		p.Among = strings.Split(words, ",")
	}
	if list, ok := reflect.Zero(f.Type).Interface().(fieldList); ok {
		p.Fields = list.Fields()
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

// number parses the tag of a field as a whole number. It returns 0 if the field lacks the tag.
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

// Values are the values of one request in the order of the plan. They are in canonical form:
// trimmed, and with defaults filled in. Two requests of the same route with equal values ask for
// the same.
type Values []string

// Read parses the parameters in the query and in the path of a request, checks them and returns
// their values. path returns the path parameter with the given name.
func (p *Plan) Read(query string, path func(name string) string) (Values, error) {
	vals := make(Values, len(p.Params))
	var room [8]pair // on the stack; large enough for most queries
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

// pair is a value in the query, with the index of its parameter in the plan.
type pair struct {
	param int
	value string
}

// listMark separates the values of a parameter with several values. A value contains no control
// characters, and so no listMark.
const listMark = "\n"

// split parses a query and appends a pair for each value to given. It returns an error for a
// parameter that is unknown, repeated or wrongly encoded.
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

// unknown returns the error for a parameter that the plan lacks. The error lists the parameters
// that the query may have.
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
	if like := editdistance.Nearest(name, names); like != "" {
		return problem.New(problem.BadParameter, problem.ParamLike.With(problem.Quote(name), like, strings.Join(names, ", ")))
	}
	return problem.New(problem.BadParameter, problem.ParamUnknown.With(problem.Quote(name), strings.Join(names, ", ")))
}

// Fill sets the fields of in, a struct of the plan's type, to the values and the scopes.
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
		if param.group {
			if vals[i] != param.Standard {
				if field.IsNil() {
					field.Set(reflect.MakeMap(field.Type()))
				}
				field.SetMapIndex(reflect.ValueOf(param.Name), reflect.ValueOf(vals[i]))
			}
			continue
		}
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
				panic(err) // Read has checked the value
			}
			field.SetInt(n)
		}
	}
}

// Count returns the number of values of a parameter.
func (p *Plan) Count(vals Values, name string) int {
	return 1 + strings.Count(p.Get(vals, name), listMark)
}

// Get returns the value of a parameter, or "" if the plan lacks the parameter.
func (p *Plan) Get(vals Values, name string) string {
	for i := range p.Params {
		if p.Params[i].Name == name {
			return vals[i]
		}
	}
	return ""
}

// AppendQuery appends the values as a query string, with n as the page. It omits values that are
// the default.
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
