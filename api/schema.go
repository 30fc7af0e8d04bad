package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"bencao/internal/null"
	"bencao/names"
	"bencao/store"
)

// object is a JSON object whose members keep their order, so that the
// document reads as it was written and its golden file does not jump about.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in order.
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

// with returns the object with one more member unless its value is "".
func (o object) with(name string, value any) object {
	if value == "" {
		return o
	}
	return append(o, member{name, value})
}

// Numbers go out as JSON numbers. In bodies they are described as numbers or
// text, so that clients in languages without wide integers may read them as
// text: by anyOf, since many generators of clients do not know several types at
// once.
const (
	intPattern    = `^-?(?:0|[1-9]\d*)$`
	numberPattern = `^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$`
)

var (
	textType = reflect.TypeFor[null.Text]()
	timeType = reflect.TypeFor[time.Time]()
)

// schemas describes Go types as JSON Schema, structs under their name.
type schemas struct {
	named object
	seen  map[string]reflect.Type
}

// ref points to a schema under its name.
func ref(name string) object { return object{{"$ref", "#/components/schemas/" + name}} }

// of returns the schema of a type.
func (s *schemas) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.String, reflect.Int32, reflect.Int64, reflect.Int, reflect.Float64, reflect.Bool:
		return scalar(t, t == textType)
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return object{{"oneOf", []object{{{"type", "null"}}, s.of(t.Elem())}}}
		}
		return scalar(t.Elem(), true)
	case reflect.Slice:
		return object{{"type", "array"}, {"items", s.of(t.Elem())}}
	case reflect.Struct:
		if t == timeType {
			return object{{"type", "string"}, {"format", "date-time"}}
		}
		return s.record(t)
	}
	panic(fmt.Sprintf("no schema for %s", t)) // a bug of ours, found when the program starts
}

// schemaNames are the names of types that are called otherwise in Go.
var schemaNames = map[reflect.Type]string{
	reflect.TypeFor[names.Response]():          "NameMatchResponse",
	reflect.TypeFor[names.Entry]():             "NameMatchEntry",
	reflect.TypeFor[store.FormulaIngredient](): "Ingredient",
}

// schemaName is what the document calls a type.
func schemaName(t reflect.Type) string {
	if name, ok := schemaNames[t]; ok {
		return name
	}
	return t.Name()
}

// record files a struct's schema under its name.
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
		if f.Anonymous || f.Tag.Get("json") == "" {
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

// closed is a type whose values are some words only.
type closed interface{ Enum() []string }

// field is the schema of a struct's field with what its type and its tags add:
// doc, nullable, enum (words between commas), example.
func (s *schemas) field(f reflect.StructField) object {
	schema := s.of(f.Type)
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

// allow closes a schema's vocabulary, that of a list in its items.
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

// example is an example in the form that JSON has for it.
func example(kind reflect.Kind, text string) any {
	switch kind {
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64, reflect.Bool:
		return json.RawMessage(text)
	}
	return text
}

func scalar(t reflect.Type, nullable bool) object {
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
	either := []object{number, {{"type", "string"}, {"pattern", pattern}}}
	if nullable {
		either = append(either, object{{"type", "null"}})
	}
	return object{{"anyOf", either}}
}

// whole is a whole number, and no text.
func whole(t reflect.Type) object {
	if t.Kind() == reflect.Int64 {
		return object{{"type", "integer"}, {"format", "int64"}}
	}
	return object{{"type", "integer"}, {"format", "int32"}}
}
