// Package patterns counts what the formulas of a snapshot have in common: how often drugs occur,
// which of them occur together more or less often than chance would have it, which sets recur, and
// which formula descends from which. docs/patterns.md defines every number.
//
// [Build] makes the stored form at night, one value for each [Naming] and one for the descents. [Open]
// reads it. A [Question] names a population of formulas as a bit set; [Engine.Herbs], [Engine.Pairs]
// and [Engine.Sets] answer it. The package does not know how formulas are found, nor HTTP. Begin with
// [Open] and [Question].
package patterns
