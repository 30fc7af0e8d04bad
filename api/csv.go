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
// field that JSON shows as null is empty.
func writeCSV[T any](out io.Writer, rows iter.Seq2[T, error]) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	t := reflect.TypeFor[T]()
	record := make([]string, t.NumField())
	for i := range record {
		record[i] = jsonName(t.Field(i))
	}
	if err := w.Write(record); err != nil {
		return err
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		v := reflect.ValueOf(row)
		for i := range record {
			if record[i], err = cell(v.Field(i)); err != nil {
				return fmt.Errorf("field %s: %w", t.Field(i).Name, err)
			}
		}
		if err := w.Write(record); err != nil {
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

// jsonName is the name of a field in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
