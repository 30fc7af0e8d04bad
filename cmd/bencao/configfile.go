package main

import (
	"bencao/indexer/sample"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// configFile holds the values of a configuration file.
type configFile struct {
	// values maps the name of a setting to its values, written as for the flag.
	values map[string][]string
	fileExtras
}

// fileExtras holds the parts of a configuration file that are not settings.
type fileExtras struct {
	// Columns maps column names of the data package to the standard column names, for each table.
	Columns    map[string]map[string]string `toml:"columns"`
	Checklists []fileChecklist              `toml:"checklist"`
}

// fileChecklist is a checklist in the configuration file.
type fileChecklist struct {
	Name    string `toml:"name"`
	Path    string `toml:"path"`
	Version string `toml:"version"` // overrides the version that the checklist states
	MaxAge  string `toml:"max_age"` // such as 9000h; "" means any age
	// Columns maps column names of the checklist, if it is a CSV file, to the standard column
	// names.
	Columns map[string]string `toml:"columns"`
}

// maxAge returns the age at which the checklist becomes stale; 0 means never.
func (l fileChecklist) maxAge() (time.Duration, error) {
	if l.MaxAge == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(l.MaxAge)
	if err == nil && d < 0 {
		err = fmt.Errorf("%s is negative", d)
	}
	return d, err
}

// fileType is the struct type that go-toml reads a configuration file into. It has a field for each
// key. Because the type is complete, go-toml reports unknown keys and values of the wrong kind with
// their lines.
var fileType = tableType("", reflect.VisibleFields(reflect.TypeFor[fileExtras]()))

// tableType returns the struct type of a table of the configuration file. It has a pointer or slice
// for each setting whose key starts with prefix, nil if the file lacks the key, and the fields in
// more.
func tableType(prefix string, more []reflect.StructField) reflect.Type {
	var fields []reflect.StructField
	seen := map[string]bool{}
	for _, s := range allSettings {
		key, here := strings.CutPrefix(s.key, prefix)
		key, _, isTable := strings.Cut(key, ".")
		if key == "" || !here || seen[key] {
			continue
		}
		seen[key] = true
		field := reflect.StructField{Name: "Key_" + key, Tag: reflect.StructTag(`toml:"` + key + `"`)}
		switch value := reflect.TypeOf(s.to); {
		case isTable:
			field.Type = tableType(key+".", nil)
		case value == reflect.TypeFor[*time.Duration]():
			field.Type = reflect.TypeFor[*string]()
		case value == reflect.TypeFor[*[]string]():
			field.Type = value.Elem()
		default:
			field.Type = value
		}
		fields = append(fields, field)
	}
	return reflect.StructOf(append(fields, more...))
}

// read reads and parses the file at path.
func (c *configFile) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return usagef("configuration file: %w", err)
	}
	return c.parse(path, text)
}

// parse parses text, the content of the file at path.
func (c *configFile) parse(path string, text []byte) error {
	file := reflect.New(fileType)
	dec := toml.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(file.Interface()); err != nil {
		return &usageError{configError(path, err)}
	}
	c.values = map[string][]string{}
	for _, s := range allSettings {
		if s.key == "" {
			continue
		}
		value := file.Elem()
		for key := range strings.SplitSeq(s.key, ".") {
			value = value.FieldByName("Key_" + key)
		}
		if value.IsNil() {
			continue
		}
		values, isList := value.Interface().([]string)
		if !isList {
			values = []string{fmt.Sprint(value.Elem().Interface())}
			if s.path && values[0] != off && values[0] != sample.Source {
				values[0] = absolute(path, values[0])
			}
		}
		c.values[s.name] = values
	}
	c.Columns = file.Elem().FieldByName("Columns").Interface().(map[string]map[string]string)
	c.Checklists = file.Elem().FieldByName("Checklists").Interface().([]fileChecklist)
	for i := range c.Checklists {
		l := &c.Checklists[i]
		if l.Name == "" || l.Path == "" {
			return usagef("%s: checklist %d needs a name and a path", path, i+1)
		}
		if _, err := l.maxAge(); err != nil {
			return usagef("%s: checklist %s: max_age is %q; use a time such as 9000h", path, l.Name, l.MaxAge)
		}
		l.Path = absolute(path, l.Path)
		c.values["checklist"] = append(c.values["checklist"], l.Name+"="+l.Path)
	}
	return nil
}

// configError rewrites an error of go-toml as the line, the mistake, and the valid keys or values.
func configError(path string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var lines []string
		for i := range strict.Errors {
			e := &strict.Errors[i]
			row, _ := e.Position()
			key := e.Key()
			valid := validKeys(key[:len(key)-1])
			last := key[len(key)-1]
			lines = append(lines, fmt.Sprintf("%s:%d: unknown key %q; %svalid are %s",
				path, row, strings.Join(key, "."), didYouMean(last, valid), strings.Join(valid, ", ")))
		}
		return errors.New(strings.Join(lines, "\n"))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		row, column := wrong.Position()
		if given, mismatch := strings.CutPrefix(wrong.Error(), "toml: cannot decode TOML "); mismatch {
			given, _, _ = strings.Cut(given, " into ")
			return fmt.Errorf("%s:%d:%d: %s has a value of the kind %s; use %s",
				path, row, column, strings.Join(wrong.Key(), "."), given, wantedValue(wrong.Key()))
		}
		return fmt.Errorf("%s:%d:%d: %s", path, row, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return fmt.Errorf("%s: %w", path, err)
}

// wantedValue describes the valid values of a key in the configuration file.
func wantedValue(key []string) string {
	if len(key) == 0 {
		return "another"
	}
	table, last := fileTable(key[:len(key)-1]), key[len(key)-1]
	field, _ := fieldOf(table, last)
	switch t := field.Type; {
	case t == nil:
	case t == reflect.TypeFor[[]string]():
		return `a list such as ["10.0.0.0/8"]`
	case t == reflect.TypeFor[*string](), t == reflect.TypeFor[string]():
		return "text in quotation marks"
	case t == reflect.TypeFor[[]fileChecklist]():
		return "a block [[checklist]] for each"
	case t.Kind() == reflect.Struct:
		return "a table [" + last + "]"
	case t.Kind() == reflect.Pointer:
		return valueOf[t.Elem().Name()]
	}
	return "a table such as [columns.species], with text in quotation marks"
}

// fileTable returns the struct type of a table of the configuration file, or of the whole file if
// there is no such table.
func fileTable(table []string) reflect.Type {
	if len(table) > 0 {
		if f, found := fieldOf(fileType, table[0]); found && f.Type.Kind() == reflect.Struct {
			return f.Type
		} else if found && f.Type == reflect.TypeFor[[]fileChecklist]() {
			return f.Type.Elem()
		}
	}
	return fileType
}

// fieldOf returns the field of a struct type for a key of the configuration file.
func fieldOf(table reflect.Type, key string) (reflect.StructField, bool) {
	for f := range table.Fields() {
		if f.Tag.Get("toml") == key {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// validKeys returns the keys that a table of the configuration file may have, sorted.
func validKeys(table []string) []string {
	var keys []string
	for f := range fileTable(table).Fields() {
		keys = append(keys, f.Tag.Get("toml"))
	}
	slices.Sort(keys)
	return keys
}

// absolute returns path if it is absolute or empty. Otherwise it returns path within the folder of
// the configuration file config.
func absolute(config, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(config), path)
}
