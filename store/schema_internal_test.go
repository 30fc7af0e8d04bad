package store

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/internal/null"
	"bencao/internal/test/testkit"

	bolt "go.etcd.io/bbolt"
)

// must ends the test if there is an error.
var must = testkit.Must

// TestShape checks that a type with other JSON has another shape, and that Go names and
// documentation do not change the shape.
func TestShape(t *testing.T) {
	type answer struct {
		ID   int64     `json:"id" doc:"A number."`
		Name null.Text `json:"name"`
		Year *int32    `json:"year,omitempty"`
		At   time.Time `json:"at"`
		List []string  `json:"list"`
	}
	const want = `{"id":int64,"name":null.Text,"year,omitempty":?int32,"at":time.Time,"list":[string]}`
	if got := shape(reflect.TypeFor[answer]()); got != want {
		t.Errorf("the shape of an answer is %s, want %s", got, want)
	}
	same := struct {
		Number int64     `json:"id" doc:"Other words."`
		Called null.Text `json:"name"`
		Y      *int32    `json:"year,omitempty"`
		When   time.Time `json:"at"`
		L      []string  `json:"list"`
	}{}
	if got := shape(reflect.TypeOf(same)); got != want {
		t.Errorf("other Go names and documentation change the shape to %s, want %s", got, want)
	}
	seen := []string{want}
	for _, other := range []any{
		struct{}{},
		struct {
			ID int32 `json:"id"`
		}{},
		struct {
			ID int64 `json:"id"`
		}{},
		struct {
			ID *int64 `json:"id"`
		}{},
		struct {
			ID []int64 `json:"id"`
		}{},
		struct {
			ID int64 `json:"ID"`
		}{},
		struct {
			ID string `json:"id"`
		}{},
		struct {
			ID null.Text `json:"id"`
		}{},
	} {
		got := shape(reflect.TypeOf(other))
		if slices.Contains(seen, got) {
			t.Errorf("%T has the shape %s, which another type also has", other, got)
		}
		seen = append(seen, got)
	}
}

// TestAnswersAreThoseOfTheFile compares the table of answers with a file. The table must contain
// each bucket that holds JSON, and the JSON must decode into the type without unknown fields.
func TestAnswersAreThoseOfTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	d := &Data{
		Species:  []Species{{SpeciesDetail: SpeciesDetail{GUID: "a", NameMatch: &NameMatchInfo{}}, Synonyms: []Synonym{{Name: "x"}}, Flora: []FloraTreatment{{ID: 1}}, Uses: []PlantUse{{ID: 1}}, Papers: []Num{0}, Formulas: []Num{0}}},
		Formulas: []Formula{{FormulaDetail: FormulaDetail{GUID: "b", Codes: []FormulaCode{{System: "x"}}}, Ingredients: []Ingredient{{Herb: "甘草", Species: []Num{0}}}, SimilarJaccard: []Similar{{}}, SimilarEuclidean: []Similar{{}}}},
		Papers:   []Paper{{PaperSummary: PaperSummary{ID: "1"}, Species: []Num{0}}},
		Herbs: []Herb{{
			GUID: "h", Latin: []string{"x"}, Aliases: []HerbName{{}}, Species: []HerbSource{{}}, VariantOf: []HerbVariant{{}},
			Formulas: []Num{0}, Written: []HerbWritten{{}}, With: []HerbTogether{{}},
		}},
	}
	must(t, Write(context.Background(), path, d, nil))
	db, err := bolt.Open(path, 0o444, &bolt.Options{ReadOnly: true})
	must(t, err)
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	s, err := Open(path)
	must(t, err)
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	reader, err := s.Begin()
	must(t, err)
	defer reader.Close()
	err = db.View(func(tx *bolt.Tx) error {
		strictly := func(bucket string, value []byte, into reflect.Type) {
			dec := json.NewDecoder(bytes.NewReader(Template(value).Append(nil, "", Composition|Similarity)))
			dec.DisallowUnknownFields()
			if err := dec.Decode(reflect.New(into).Interface()); err != nil {
				t.Errorf("%s holds %s, which is no %s: %v", bucket, value, into, err)
			}
		}
		for _, a := range answers {
			if b := tx.Bucket(a.bucket); b != nil {
				value := b.Get(numKey(0))
				if bytes.Equal(a.bucket, formulaDetails) {
					value = reader.FormulaDetail(0, Composition|Similarity)
				} else {
					value = reader.unpack(value)
				}
				strictly(string(a.bucket), value, a.of)
			} else {
				strictly(string(a.bucket), tx.Bucket(bucketMeta).Get(a.bucket), a.of)
			}
		}
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			_, first := b.Cursor().First()
			listed := slices.ContainsFunc(answers, func(a struct {
				bucket []byte
				of     reflect.Type
			}) bool {
				return bytes.Equal(a.bucket, name)
			})
			if json := bytes.HasPrefix(first, []byte("{")) || bytes.HasPrefix(first, []byte("[")); json && !listed {
				t.Errorf("bucket %s holds answers, such as %s, but is not in the table of answers", name, first)
			}
			return nil
		})
	})
	must(t, err)
}

// TestBucketsChangeSchema checks that a new bucket changes the schema, and that a bucket cannot be
// written if the table of buckets lacks it. Otherwise the program would accept older files without
// the bucket.
func TestBucketsChangeSchema(t *testing.T) {
	another := []byte("species.another")
	if makeSchema(append(slices.Clone(buckets), another)) == Schema() {
		t.Error("a new bucket does not change the schema")
	}
	db, err := bolt.Open(filepath.Join(t.TempDir(), FileName), 0o600, nil)
	must(t, err)
	w := &writer{db: db}
	if err := w.put(another, []byte("key"), []byte("value")); err == nil || !strings.Contains(err.Error(), `"species.another" is not in the table of buckets`) {
		t.Errorf("a bucket that is not in the table is written: %v", err)
	}
	if err := w.put(formulaLinks, []byte("key"), []byte("value")); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// TestOpenRefusesOtherAnswers checks that a store with other answer types is refused.
func TestOpenRefusesOtherAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	must(t, Write(context.Background(), path, &Data{}, nil))
	file, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, bytes.Replace(file, []byte(Schema()), []byte("0123456789abcdef"), -1), 0o600))
	s, err := Open(path)
	if err == nil {
		t.Fatalf("a store of another schema was opened: %v", s.Close())
	}
	if want := `has schema "0123456789abcdef", this program has "` + Schema() + `"`; !strings.Contains(err.Error(), want) {
		t.Errorf("a store of another schema gives %q; want %q in it", err, want)
	}
}
