package bulk

import (
	"reflect"
	"strings"
	"testing"

	"bencao/names"
)

// Each column of a match is a field of its JSON: another name would be null in
// every line of JSON, and filled in every row of CSV.
func TestColumnsAreFields(t *testing.T) {
	fields := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[names.Entry]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = true
	}
	for _, c := range entryColumns {
		if !fields[c.name] {
			t.Errorf("the column %s is no field of an entry in JSON", c.name)
		}
	}
}
