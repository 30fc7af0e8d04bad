// Package store defines the records of a snapshot, renders them as answers, and writes and reads
// the file of these answers.
//
// A record has two forms:
//
//	record   [Species], [Formula], [Paper], [Herb]   the contents of the sources, as the indexer collects them
//	answer   [SpeciesDetail], [SpeciesSummary] …     the JSON of the API, rendered once when the snapshot is built
//
// The number of a record ([Num]) is its place in the answer order of its table: 0 is the first
// record of a listing. Numbers are dense, so a listing of all records needs no index. They are
// valid within one snapshot only.
//
// The package does not know HTTP, search, or the formats of sources. Start reading at [Write] and
// [Open]; schema.go lists the buckets of the file.
package store
