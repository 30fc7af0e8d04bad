// Package ways finds the records of a table that answer a query.
//
//	Reading ─for each stage, row and way: find─▶ postings ─▶ hits by tier
//
// A record is found in some way (whole, as prefix, inside …). Each way is a row of
// one table, ways.go: its stage, its column of tiers and how it finds postings. Ways
// that forgive mistakes stand in later stages, which are tried only when all
// earlier ones found nothing.
package ways
