// Package patterns analyses the drugs of the formulas in a snapshot: how often drugs occur, which
// drugs occur together more or less often than by chance, which sets of drugs recur, and which
// formula descends from which. docs/patterns.md defines every number.
//
// The indexer stores the results of [Build], one value for each [Naming] and one for the descents.
// [Open] reads them. A [Question] names a population of formulas as a bit set; [Engine.Herbs],
// [Engine.Pairs] and [Engine.Sets] answer it. The package does not know how formulas are found, or
// HTTP. Start with [Open] and [Question].
package patterns
