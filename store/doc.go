// Package store holds the records of a snapshot and the file they rest in.
//
// A record stands in two forms:
//
//	record   [Species], [Formula], [Paper], [Herb]   what the sources say, as the indexer gathers it
//	answer   [SpeciesDetail], [Page] items …         the bodies of the API, rendered once at night
//
// A record's number ([Num]) is its place in the answer order of its table: 0 is
// the record that a listing shows first. Numbers are dense, so that listing
// everything needs no index, and they hold within one snapshot only.
//
// The package knows nothing of HTTP, of searching, or of where sources come
// from.
package store
