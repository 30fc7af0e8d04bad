package answer

import (
	"math/bits"
	"slices"
)

// Flags is a set of remarks on a parsed name or a match. Answers list them as words.
type Flags uint32

// The flags, in the order in which answers list them. To add a flag, add it here and to flagTable,
// and explain in docs/name-matching.md what users should do about it.
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
	HerbDiffers
	ChineseNameDiffers
	RowAbove
	NameNotFound
	FolkName
	FlagAuthorDiffers // AuthorDiffers is a verdict on the author
)

// flagTable lists the words for the flags, in the order of the API description.
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
	{HerbDiffers, "drugDiffersFromPlant"},
	{ChineseNameDiffers, "chineseNameDiffers"},
	{RowAbove, "rowAbove"},
	{NameNotFound, "nameNotFound"},
	{FolkName, "folkName"},
	{FlagAuthorDiffers, "authorDiffers"},
}

// flagWords lists the words of the flags by the number of the flag's bit.
var flagWords = func() (words [len(flagTable)]string) {
	for _, row := range flagTable {
		words[bits.TrailingZeros32(uint32(row.flag))] = row.word
	}
	return words
}()

// Has reports whether f and g have a flag in common.
func (f Flags) Has(g Flags) bool { return f&g != 0 }

// Words returns the words of the flags. If there are none, it returns an empty list that is not
// nil.
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

// FlagWords lists flags as words, as in an answer.
type FlagWords []string

// Enum returns the words of all flags, for the enumeration in the API description.
func (FlagWords) Enum() []string {
	words := make([]string, len(flagTable))
	for i, row := range flagTable {
		words[i] = row.word
	}
	return words
}

// Has reports whether the list has the word of a flag in f.
func (w FlagWords) Has(f Flags) bool {
	return slices.ContainsFunc(f.Words(), func(word string) bool { return slices.Contains(w, word) })
}
