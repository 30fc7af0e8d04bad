package api

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"
)

// byteOrderMark makes Excel read a CSV file as UTF-8.
const byteOrderMark = "\ufeff"

// writeCSV writes rows as RFC 4180 says, with a line of field names first. A
// field that JSON shows as null is empty; one that JSON may leave out is a column
// only if the first row has it.
func writeCSV[T any](out io.Writer, rows iter.Seq2[T, error]) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	t := reflect.TypeFor[T]()
	var columns []reflect.StructField
	var record []string
	header := func(first reflect.Value) error {
		for f := range t.Fields() {
			if mayLack(f) && first.FieldByIndex(f.Index).IsZero() {
				continue
			}
			columns, record = append(columns, f), append(record, jsonName(f))
		}
		return w.Write(record)
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		v := reflect.ValueOf(row)
		if columns == nil {
			if err := header(v); err != nil {
				return err
			}
		}
		for i, f := range columns {
			if record[i], err = cell(v.FieldByIndex(f.Index)); err != nil {
				return fmt.Errorf("field %s: %w", f.Name, err)
			}
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	if columns == nil {
		if err := header(reflect.Zero(t)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// cell writes a field of a list's row; rows are flat.
func cell(v reflect.Value) (string, error) {
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
	}
	return "", fmt.Errorf("a %s has no form in CSV", v.Type())
}

// mayLack says whether JSON may leave a field out.
func mayLack(f reflect.StructField) bool { return strings.Contains(f.Tag.Get("json"), ",omitempty") }

// jsonName is the name of a field in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
