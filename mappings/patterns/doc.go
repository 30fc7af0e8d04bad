// Package patterns analyses the herbs of the formulas in a snapshot: how often herbs occur, which
// herbs occur together more or less often than by chance, which sets of herbs recur, and which
// formula descends from which. docs/patterns.md defines every number.
//
// The indexer stores the values that [Build] returns, and [Open] reads them. A [Question] gives a
// population of formulas as a bit set; [Engine.Herbs], [Engine.Pairs] and [Engine.Sets] answer it.
// The package knows neither the search for formulas nor HTTP. Start with [Open] and [Question].
package patterns
