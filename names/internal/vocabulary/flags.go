package vocabulary

import (
	"math/bits"
	"slices"
)

// Flags is a set of what else is to be known about a match. A parsed name and
// a candidate carry it; an answer lists its words.
type Flags uint32

// The flags, in the order in which an answer lists them. To add one, add it
// here and to flagTable, and say in docs/name-matching.md what a reader does
// with it.
const (
	Ambiguous Flags = 1 << iota
	Homonym
	ProParte
	Disagree
	RankDiffers
	RankMissing
	HybridSignIgnored
	GenderEnding
	Orthography
	GenusCorrected
	EpithetCorrected
	GenusExpanded
	OpenNomenclature
	Qualifier
	Aggregate
	CultivarIgnored
	AutonymOfSpecies
	FamilyHint
	FamilyDiffers
	Homoglyph
	CaseFixed
	AnnotationIgnored
	Possible
	DrugDiffers
)

// flagTable gives each flag its word, in the order in which the description of
// the API lists them.
var flagTable = [...]struct {
	flag Flags
	word string
}{
	{Ambiguous, "ambiguous"},
	{Homonym, "homonym"},
	{ProParte, "proParte"},
	{RankDiffers, "rankDiffers"},
	{RankMissing, "rankMissing"},
	{HybridSignIgnored, "hybridSignIgnored"},
	{GenderEnding, "genderEnding"},
	{Orthography, "orthography"},
	{GenusCorrected, "genusCorrected"},
	{EpithetCorrected, "epithetCorrected"},
	{GenusExpanded, "genusExpanded"},
	{OpenNomenclature, "openNomenclature"},
	{Qualifier, "qualifier"},
	{Aggregate, "aggregate"},
	{CultivarIgnored, "cultivarIgnored"},
	{AutonymOfSpecies, "autonymOfSpecies"},
	{FamilyHint, "familyHint"},
	{FamilyDiffers, "familyDiffers"},
	{Disagree, "checklistsDisagree"},
	{Homoglyph, "homoglyph"},
	{CaseFixed, "caseFixed"},
	{AnnotationIgnored, "annotationIgnored"},
	{Possible, "possible"},
	{DrugDiffers, "drugDiffersFromPlant"},
}

// flagWords is flagTable by the number of a flag's bit.
var flagWords = func() (words [len(flagTable)]string) {
	for _, row := range flagTable {
		words[bits.TrailingZeros32(uint32(row.flag))] = row.word
	}
	return words
}()

// Has says whether f has some flag of g.
func (f Flags) Has(g Flags) bool { return f&g != 0 }

// Words lists the flags; the list is empty, never nil, without any.
func (f Flags) Words() FlagWords {
	if f == 0 {
		return FlagWords{}
	}
	list := make(FlagWords, 0, 4)
	for i, word := range flagWords {
		if f&(1<<i) != 0 {
			list = append(list, word)
		}
	}
	return list
}

// FlagWords are flags as an answer has them.
type FlagWords []string

// Enum lists every word there is: the description of the API closes the
// vocabulary with it.
func (FlagWords) Enum() []string {
	words := make([]string, len(flagTable))
	for i, row := range flagTable {
		words[i] = row.word
	}
	return words
}

// Has says whether one of f is among the words.
func (w FlagWords) Has(f Flags) bool {
	return slices.ContainsFunc(f.Words(), func(word string) bool { return slices.Contains(w, word) })
}
