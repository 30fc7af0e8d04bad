package bulk

import (
	"encoding/json"
	"reflect"
	"testing"

	"bencao/names"
)

// TestColumnsAreFields checks that each column of an entry has the name and the value of a JSON
// field in the API.
func TestColumnsAreFields(t *testing.T) {
	id := int32(17)
	full := names.Entry{EntryID: &id, Score: 0.985, EditDistance: 2, Flags: []string{"homonym", "rankDiffers"}}
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String {
			f.SetString(v.Type().Field(i).Name + ` <"×"> & \u2028`)
		}
	}
	for _, e := range []names.Entry{full, {Flags: []string{}}} {
		fields := map[string]json.RawMessage{}
		data, err := json.Marshal(e)
		if err == nil {
			err = json.Unmarshal(data, &fields)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range columns {
			want, ok := fields[c.name]
			switch {
			case !c.ofEntry:
			case !ok:
				t.Errorf("the column %s is no field of an entry in JSON", c.name)
			default:
				if got := c.json(nil, &matched{entry: &e}); string(got) != string(want) {
					t.Errorf("the column %s is %s in JSON; the field of the entry is %s", c.name, got, want)
				}
			}
		}
	}
}
