package names

// flagSet is a set of the flags of an entry.
type flagSet uint32

// The flags, in the order in which an answer lists them.
const (
	fAmbiguous flagSet = 1 << iota
	fHomonym
	fProParte
	fDisagree
	fRankDiffers
	fRankMissing
	fHybridSignIgnored
	fGenderEnding
	fOrthography
	fGenusCorrected
	fEpithetCorrected
	fGenusExpanded
	fOpenNomenclature
	fQualifier
	fAggregate
	fCultivarIgnored
	fAutonymOfSpecies
	fFamilyHint
	fFamilyDiffers
	fHomoglyph
	fCaseFixed
	fAnnotationIgnored
)

var flagNames = [...]string{
	FlagAmbiguous, FlagHomonym, FlagProParte, FlagDisagree, FlagRankDiffers, FlagRankMissing, FlagHybridSignIgnored,
	FlagGenderEnding, FlagOrthography, FlagGenusCorrected, FlagEpithetCorrected, FlagGenusExpanded, FlagOpenNomenclature,
	FlagQualifier, FlagAggregate, FlagCultivarIgnored, FlagAutonymOfSpecies, FlagFamilyHint, FlagFamilyDiffers,
	FlagHomoglyph, FlagCaseFixed, FlagAnnotationIgnored,
}

func (f flagSet) has(g flagSet) bool { return f&g != 0 }

// names lists the flags; the list is empty, never nil, without any.
func (f flagSet) names() []string {
	if f == 0 {
		return []string{}
	}
	list := make([]string, 0, 4)
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}
