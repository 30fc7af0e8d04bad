// Package search answers queries from the indexes.
//
//	q ─read─▶ Reading ─for each stage, row and way: find─▶ postings ─collect by tier─▶ Hits
//
// A record is found in some way (whole, as prefix, inside …). Each way is a row of
// one table, ways.go: its stage, its column of tiers and how it finds postings.
// Hits stand by tier, then by number, which is the record's place in the answer
// order of its table: no statistics decide, the order is total, and every total
// is exact. Ways that forgive mistakes stand in later stages, which are tried only
// when all earlier ones found nothing, whatever the page.
//
// Every stage passes a value to the next; nothing is remembered between two
// queries but buffers. "One query, stage by stage" in ARCHITECTURE.md follows one.
package search
