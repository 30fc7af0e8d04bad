package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/mappings/patterns"
	"bencao/names"
	"bencao/store"
)

// object is a JSON object whose members keep their order. This makes the OpenAPI document readable
// and keeps changes of its golden file small.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(m.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.value); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// with returns the object with one more member, or unchanged if the member's value is "".
func (o object) with(name string, value any) object {
	if value == "" {
		return o
	}
	return append(o, member{name, value})
}

// Answers have JSON numbers. The schema also permits strings, so that clients in languages without
// wide integers may read numbers as text. The schema uses anyOf, since many client generators do
// not support several types in one schema.
const (
	intPattern    = `^-?(?:0|[1-9]\d*)$`
	numberPattern = `^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$`
)

var textType = reflect.TypeFor[null.Text]()

// schemas builds JSON Schemas of Go types. Structs get named schemas.
type schemas struct {
	named object
	seen  map[string]reflect.Type
	plain bool // the schemas of numbers do not permit text
}

// ref returns a reference to a named schema.
func ref(name string) object { return object{{"$ref", "#/components/schemas/" + name}} }

// of returns the schema of a type.
func (s *schemas) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.String, reflect.Int32, reflect.Int64, reflect.Int, reflect.Float64, reflect.Bool:
		return s.scalar(t, t == textType)
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return object{{"oneOf", []object{{{"type", "null"}}, s.of(t.Elem())}}}
		}
		return s.scalar(t.Elem(), true)
	case reflect.Slice:
		return object{{"type", "array"}, {"items", s.of(t.Elem())}}
	case reflect.Struct:
		if t == timeType {
			return object{{"type", "string"}, {"format", "date-time"}}
		}
		return s.record(t)
	}
	panic(fmt.Sprintf("no schema for %s", t)) // a bug of this package, which shows when the program starts
}

// schemaNames has the schema name of each type whose schema is not named like the Go type.
var schemaNames = map[reflect.Type]string{
	reflect.TypeFor[names.Response]():          "NameMatchResponse",
	reflect.TypeFor[names.Entry]():             "NameMatchEntry",
	reflect.TypeFor[names.Range]():             "NameMatchDistribution",
	reflect.TypeFor[store.FormulaIngredient](): "Ingredient",
	reflect.TypeFor[patterns.Herb]():           "Drug",
	reflect.TypeFor[patterns.HerbCount]():      "Herb",
}

// schemaName returns the schema name of a type.
func schemaName(t reflect.Type) string {
	if name, ok := schemaNames[t]; ok {
		return name
	}
	return t.Name()
}

// record adds the schema of a struct and returns a reference to it.
func (s *schemas) record(t reflect.Type) object {
	name := schemaName(t)
	if known, ok := s.seen[name]; ok {
		if known != t {
			panic(fmt.Sprintf("%s and %s would share a schema; rename one", known, t))
		}
		return ref(name)
	}
	s.seen[name] = t
	var properties object
	var required []string
	for _, f := range reflect.VisibleFields(t) {
		if tag := f.Tag.Get("json"); f.Anonymous || tag == "" || tag == "-" {
			continue
		}
		properties = append(properties, member{jsonName(f), s.field(f)})
		if !strings.Contains(f.Tag.Get("json"), ",omitempty") {
			required = append(required, jsonName(f))
		}
	}
	s.named = append(s.named, member{name, object{
		{"type", "object"}, {"required", required}, {"properties", properties},
	}})
	return ref(name)
}

// closed is a type with a fixed set of values, which Enum returns.
type closed interface{ Enum() []string }

// field returns the schema of a struct's field. It adds the contents of the tags doc, nullable,
// enum and example to the schema of the field's type.
func (s *schemas) field(f reflect.StructField) object {
	schema := s.of(f.Type)
	if f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() != reflect.Struct && strings.Contains(f.Tag.Get("json"), ",omitempty") {
		schema = s.of(f.Type.Elem()) // JSON omits a nil pointer, so the value is never null
	}
	if f.Tag.Get("nullable") == "true" {
		schema[0].value = []string{"null", "array"}
	}
	if enum, ok := f.Tag.Lookup("enum"); ok {
		schema = allow(schema, strings.Split(enum, ","))
	} else if words, ok := reflect.Zero(f.Type).Interface().(closed); ok {
		schema = allow(schema, words.Enum())
	}
	if f.Name == "GUID" {
		schema = append(schema, member{"format", "uuid"})
	}
	if ex, ok := f.Tag.Lookup("example"); ok {
		schema = append(schema, member{"examples", []any{example(f.Type.Kind(), ex)}})
	}
	return schema.with("description", f.Tag.Get("doc"))
}

// allow restricts the values of a schema, or of the items of its list, to some words.
func allow(schema object, words []string) object {
	if i := slices.IndexFunc(schema, func(m member) bool { return m.name == "items" }); i >= 0 {
		schema[i].value = allow(schema[i].value.(object), words)
		return schema
	}
	enum := make([]any, 0, len(words)+1)
	for _, w := range words {
		enum = append(enum, w)
	}
	if _, nullable := schema[0].value.([]string); nullable {
		enum = append(enum, nil)
	}
	return append(schema, member{"enum", enum})
}

// example converts the text of an example to a JSON value of the given kind.
func example(kind reflect.Kind, text string) any {
	switch kind {
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64, reflect.Bool:
		return json.RawMessage(text)
	}
	return text
}

func (s *schemas) scalar(t reflect.Type, nullable bool) object {
	typed := func(name string) any {
		if nullable {
			return []string{"null", name}
		}
		return name
	}
	switch t.Kind() {
	case reflect.String:
		return object{{"type", typed("string")}}
	case reflect.Bool:
		return object{{"type", typed("boolean")}}
	}
	number, pattern := whole(t), intPattern
	if t.Kind() == reflect.Float64 {
		number, pattern = object{{"type", "number"}, {"format", "double"}}, numberPattern
	}
	if s.plain {
		number[0].value = typed(number[0].value.(string))
		return number
	}
	either := []object{number, {{"type", "string"}, {"pattern", pattern}}}
	if nullable {
		either = append(either, object{{"type", "null"}})
	}
	return object{{"anyOf", either}}
}

// whole returns the schema of an integer whose value must be a JSON number.
func whole(t reflect.Type) object {
	if t.Kind() == reflect.Int64 {
		return object{{"type", "integer"}, {"format", "int64"}}
	}
	return object{{"type", "integer"}, {"format", "int32"}}
}
