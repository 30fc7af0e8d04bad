package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// layout is raised when buckets, keys, packed values or the marks of a [Template] change.
// What the answers hold needs no number: see [Schema].
const layout = 9

// Buckets of the file. Keys of the record buckets are numbers, big-endian, so
// that they are written in order.
var (
	bucketMeta = []byte("meta")

	speciesSummaries = []byte("species.summary")
	speciesDetails   = []byte("species.detail")
	speciesFloras    = []byte("species.flora")
	speciesUses      = []byte("species.uses")
	speciesPapers    = []byte("species.papers")
	speciesFormulas  = []byte("species.formulas")
	speciesGUIDs     = []byte("species.guid")
	formulaSummaries = []byte("formulas.summary")
	formulaDetails   = []byte("formulas.detail")
	formulaLikeness  = []byte("formulas.likeness")
	formulaHeads     = []byte("formulas.heads")
	formulaLinks     = []byte("formulas.links")
	formulaGUIDs     = []byte("formulas.guid")
	paperSummaries   = []byte("papers.summary")
	herbSummaries    = []byte("herbs.summary")
	herbDetails      = []byte("herbs.detail")
	herbFormulas     = []byte("herbs.formulas")
	herbGUIDs        = []byte("herbs.guid")
	paperSpecies     = []byte("papers.species")
	paperIDs         = []byte("papers.id")

	keySchema = []byte("schema")
	keyStats  = []byte("stats")
	keyAll    = []byte("all")
)

// answers says what each bucket of answers holds, and so of what types a
// store is made.
var answers = []struct {
	bucket []byte
	of     reflect.Type
}{
	{speciesSummaries, reflect.TypeFor[SpeciesSummary]()},
	{speciesDetails, reflect.TypeFor[SpeciesDetail]()},
	{speciesFloras, reflect.TypeFor[[]FloraTreatment]()},
	{speciesUses, reflect.TypeFor[[]PlantUse]()},
	{formulaSummaries, reflect.TypeFor[FormulaSummary]()},
	{formulaDetails, reflect.TypeFor[FormulaDetail]()},
	{paperSummaries, reflect.TypeFor[PaperSummary]()},
	{herbSummaries, reflect.TypeFor[HerbSummary]()},
	{herbDetails, reflect.TypeFor[HerbDetail]()},
	{keyStats, reflect.TypeFor[SiteStats]()},
}

// schema is [Schema], made once.
var schema = makeSchema()

// Schema identifies the form of the file and of every answer in it. It follows
// from the answers' types: their fields, the names and order of these in JSON,
// and what they hold; and from what they are packed with. A file of another schema is
// refused by [Open].
func Schema() string { return schema }

func makeSchema() string {
	h := sha256.New()
	fmt.Fprintln(h, "layout", layout)
	for _, a := range answers {
		fmt.Fprintf(h, "%s %s\n", a.bucket, shape(a.of))
	}
	for _, p := range packings {
		h.Write(p.dictionary.Bytes()) // a hash never returns an error
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// shape writes a type as its JSON shows it, such as {"id":int64,"year":?int32}.
// A type that writes its own JSON is known by its name.
func shape(t reflect.Type) string {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) {
		return t.String()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "?" + shape(t.Elem())
	case reflect.Slice:
		return "[" + shape(t.Elem()) + "]"
	case reflect.Struct:
		var fields []string
		for f := range t.Fields() {
			fields = append(fields, fmt.Sprintf("%q:%s", f.Tag.Get("json"), shape(f.Type)))
		}
		return "{" + strings.Join(fields, ",") + "}"
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64:
		return t.Kind().String()
	}
	panic(fmt.Sprintf("an answer has a %s; say in shape how JSON shows it", t))
}
