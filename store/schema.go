package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// layout is the version of three forms: that of keys, that of compressed values, and that of the
// marks of a [Template]. Raise it when one of these forms changes. A change of answers or buckets
// changes [Schema] without a higher layout.
const layout = 11

// Buckets of the file. The keys of record buckets are big-endian record numbers, so that they are
// inserted in ascending order.
var (
	bucketMeta = []byte("meta")

	speciesSummaries = []byte("species.summary")
	speciesDetails   = []byte("species.detail")
	speciesFloras    = []byte("species.flora")
	speciesUses      = []byte("species.uses")
	speciesPapers    = []byte("species.papers")
	speciesFormulas  = []byte("species.formulas")
	speciesListings  = []byte("species.listings")
	speciesGUIDs     = []byte("species.guid")
	formulaSummaries = []byte("formulas.summary")
	formulaDetails   = []byte("formulas.detail")
	formulaSimilar   = []byte("formulas.likeness")
	similarSummaries = []byte("formulas.heads")
	formulaLinks     = []byte("formulas.links")
	formulaGUIDs     = []byte("formulas.guid")
	paperSummaries   = []byte("papers.summary")
	herbSummaries    = []byte("herbs.summary")
	herbDetails      = []byte("herbs.detail")
	herbFormulas     = []byte("herbs.formulas")
	herbGUIDs        = []byte("herbs.guid")
	herbAliases      = []byte("herbs.aliases")
	paperSpecies     = []byte("papers.species")
	paperIDs         = []byte("papers.id")
	formulaPatterns  = []byte("formulas.patterns")

	keySchema = []byte("schema")
	keyStats  = []byte("stats")
	keyRegion = []byte("regions")
	keyAll    = []byte("all")
)

// buckets lists all buckets of the file.
var buckets = [][]byte{
	bucketMeta,
	speciesSummaries, speciesDetails, speciesFloras, speciesUses, speciesPapers, speciesFormulas, speciesListings, speciesGUIDs,
	formulaSummaries, formulaDetails, formulaSimilar, similarSummaries, formulaLinks, formulaGUIDs,
	paperSummaries, paperSpecies, paperIDs,
	herbSummaries, herbDetails, herbFormulas, herbGUIDs, herbAliases,
	formulaPatterns,
}

// createBucket returns a bucket and creates it if necessary. It returns an error for a bucket that
// is not in buckets: such a bucket would not change the schema, and the program would accept files
// without it.
func createBucket(tx *bolt.Tx, name []byte) (*bolt.Bucket, error) {
	if !slices.ContainsFunc(buckets, func(b []byte) bool { return bytes.Equal(b, name) }) {
		return nil, fmt.Errorf("bucket %q is not in the table of buckets in store/schema.go; add it there", name)
	}
	return tx.CreateBucketIfNotExists(name)
}

// answers lists the type of the answers in each bucket, and the type of the statistics.
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

// schema is the result of [Schema].
var schema = makeSchema(buckets)

// Schema returns a hash of the form of the file and its answers. It covers the types of the answers
// with their JSON names and order, the names of the buckets, and the dictionaries for compression.
// [Open] refuses files with another schema.
func Schema() string { return schema }

func makeSchema(buckets [][]byte) string {
	h := sha256.New()
	fmt.Fprintln(h, "layout", layout, "taxa", taxaLayout)
	fmt.Fprintln(h, "buckets", string(bytes.Join(buckets, []byte(" "))))
	for _, a := range answers {
		fmt.Fprintf(h, "%s %s\n", a.bucket, shape(a.of))
	}
	for _, p := range packings {
		h.Write(p.dictionary.Bytes()) // a hash never returns an error
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// shape returns the JSON form of a type, such as {"id":int64,"year":?int32}, or its name if the
// type implements [json.Marshaler]. The fields of an embedded struct count as fields of the outer
// struct.
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
