// Package matchers finds the records of a table that answer a query.
//
//	Reading ─ for each stage, field and matcher ─▶ postings ─▶ hits by tier
//
// A matcher finds records in one [mappings.Way]: by the whole value, by its prefix, by a part of
// it, and so on. matchers in table.go lists them all, with the stage in which each runs. A later
// stage is more tolerant of mistakes, and runs only when the stages before it found nothing. To add
// a matcher, add a row to that table.
//
// This package does not order, count or explain the hits. The packages hits and search do that.
package matchers
