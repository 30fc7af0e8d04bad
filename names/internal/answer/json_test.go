package answer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"bencao/names/internal/answer"
)

// TestAppendJSON compares AppendJSON with encoding/json for responses with values of all kinds in
// every field. It fails if AppendJSON lacks a new field.
func TestAppendJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var r answer.Response
		fill(t, random, reflect.ValueOf(&r).Elem())
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
		if got := string(r.AppendJSON(nil)) + "\n"; got != want.String() {
			t.Fatalf("appended is\n%swant\n%s", got, want.String())
		}
	}
}

// fill sets each field of v to a random value, sometimes the zero value.
func fill(t *testing.T, random *rand.Rand, v reflect.Value) {
	t.Helper()
	if random.IntN(5) == 0 && v.Kind() != reflect.Struct {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, random, v.Field(i))
		}
	case reflect.String:
		words := []string{"Panax ginseng", "C. A. Mey.", "人参", "× hybrida", `a "b"`, "Hook.f. & Thomson", "<i>", "\u2028", "\xff", "\t"}
		v.SetString(fmt.Sprint(words[random.IntN(len(words))], strings.Repeat("x", random.IntN(3))))
	case reflect.Uint8:
		v.SetUint(uint64(random.Uint32N(256)))
	case reflect.Int, reflect.Int32:
		v.SetInt(int64(random.Int32()) - math.MaxInt32/2)
	case reflect.Float64:
		v.SetFloat([]float64{0.985, -1, 1, 1e-9, 1e22, random.Float64()}[random.IntN(6)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, random, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), random.IntN(4), 4))
		for i := range v.Len() {
			fill(t, random, v.Index(i))
		}
	default:
		t.Fatalf("a field is a %s, of which this test makes none", v.Type())
	}
}

// BenchmarkAppendJSON compares encoding/json with AppendJSON for a response with one entry.
func BenchmarkAppendJSON(b *testing.B) {
	id := int32(17)
	r := answer.Response{CanonicalName: "Panax ginseng", MatchedVia: "acceptedName", Results: []answer.Entry{{
		EntryID: &id, GUID: "af3292fc-12d3-59b2-83b2-9deda4bc842a", ChineseName: "人参", MatchedName: "Panax ginseng", MatchedAuthor: "C.A.Mey.",
		MatchedWCVPID: "145168", Rank: "species", TaxonStatus: "accepted", AcceptedName: "Panax ginseng", AcceptedAuthor: "C.A.Mey.",
		AcceptedFamily: "Araliaceae", WCVPID: "145168", IPNIID: "91488-1", WFOID: "wfo-0000266265", MatchType: "exact", MatchSource: "WCVP", Score: 0.985,
		AuthorMatch: "notGiven", Flags: answer.FlagWords{}, URL: "https://plants.example/species/af3292fc-12d3-59b2-83b2-9deda4bc842a",
	}}}
	b.Run("encoding/json", func(b *testing.B) {
		for b.Loop() {
			if _, err := json.Marshal(&r); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("append", func(b *testing.B) {
		var out []byte
		for b.Loop() {
			out = r.AppendJSON(out[:0])
		}
	})
}
