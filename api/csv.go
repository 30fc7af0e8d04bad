package api

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// byteOrderMark at the start of a CSV file makes Excel read it as UTF-8.
const byteOrderMark = "\ufeff"

// writeCSV writes rows according to RFC 4180. A line of field names comes first unless opt.headless
// is set. A null becomes an empty field. A field that JSON may omit becomes a column only if the
// first row has that field.
func writeCSV[T any](out io.Writer, opt rowOptions, rows iter.Seq2[T, error]) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	columns := columnsOf(reflect.TypeFor[T](), nil, "")
	var record []string
	begun := false
	begin := func(first reflect.Value) error {
		begun = true
		columns = slices.DeleteFunc(columns, func(c csvColumn) bool { return c.mayLack && first.FieldByIndex(c.index).IsZero() })
		for _, c := range columns {
			record = append(record, c.name)
		}
		if opt.headless {
			return nil
		}
		return w.Write(record)
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		v := reflect.ValueOf(row)
		if !begun {
			if err := begin(v); err != nil {
				return err
			}
		}
		for i, c := range columns {
			if record[i], err = cell(v.FieldByIndex(c.index), c.of...); err != nil {
				return fmt.Errorf("field %s: %w", c.name, err)
			}
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	if !begun {
		if err := begin(reflect.Zero(reflect.TypeFor[T]())); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

var timeType = reflect.TypeFor[time.Time]()

// csvColumn is a column of CSV.
type csvColumn struct {
	name    string
	index   []int
	of      []int // for a list of records: index of the field that is shown of each record
	mayLack bool
}

// columnsOf returns the columns of a type. A field x that is itself a record becomes one column per
// field of that record, such as xId and xName.
func columnsOf(t reflect.Type, at []int, before string) (out []csvColumn) {
	for f := range t.Fields() {
		c := csvColumn{name: jsonName(f), index: append(slices.Clone(at), f.Index...), mayLack: mayLack(f)}
		if before != "" {
			c.name = before + strings.ToUpper(c.name[:1]) + c.name[1:]
		}
		switch {
		case f.Anonymous:
			out = append(out, columnsOf(f.Type, c.index, before)...)
		case f.Type.Kind() == reflect.Struct && f.Type != timeType:
			out = append(out, columnsOf(f.Type, c.index, c.name)...)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			for _, of := range columnsOf(f.Type.Elem(), nil, c.name) {
				out = append(out, csvColumn{name: of.name, index: c.index, of: of.index})
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

// cell formats a field of a row. It joins the items of a list by semicolons. If the items are
// records, it shows one field of each item. The index of that field is in of.
func cell(v reflect.Value, of ...int) (string, error) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "", nil
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		return v.String(), nil
	case reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), nil
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), nil
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case reflect.Slice:
		texts := make([]string, v.Len())
		for i := range texts {
			var err error
			item := v.Index(i)
			if of != nil {
				item = item.FieldByIndex(of)
			}
			if texts[i], err = cell(item); err != nil {
				return "", err
			}
		}
		return strings.Join(texts, "; "), nil
	}
	return "", fmt.Errorf("a %s has no form in CSV", v.Type())
}

// mayLack reports whether JSON may omit a field.
func mayLack(f reflect.StructField) bool { return strings.Contains(f.Tag.Get("json"), ",omitempty") }

// jsonName returns the name of a field in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
