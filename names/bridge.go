package names

import (
	"bencao/internal/null"
	"bencao/names/internal/vocabulary"
)

// The old names of what has moved, for the files that have not.
type (
	Text      = null.Text
	flagSet   = vocabulary.Flags
	ScorePart = vocabulary.ScorePart
)

const (
	fAmbiguous         = vocabulary.Ambiguous
	fHomonym           = vocabulary.Homonym
	fProParte          = vocabulary.ProParte
	fDisagree          = vocabulary.Disagree
	fRankDiffers       = vocabulary.RankDiffers
	fRankMissing       = vocabulary.RankMissing
	fHybridSignIgnored = vocabulary.HybridSignIgnored
	fGenderEnding      = vocabulary.GenderEnding
	fOrthography       = vocabulary.Orthography
	fGenusCorrected    = vocabulary.GenusCorrected
	fEpithetCorrected  = vocabulary.EpithetCorrected
	fGenusExpanded     = vocabulary.GenusExpanded
	fOpenNomenclature  = vocabulary.OpenNomenclature
	fQualifier         = vocabulary.Qualifier
	fAggregate         = vocabulary.Aggregate
	fCultivarIgnored   = vocabulary.CultivarIgnored
	fAutonymOfSpecies  = vocabulary.AutonymOfSpecies
	fFamilyHint        = vocabulary.FamilyHint
	fFamilyDiffers     = vocabulary.FamilyDiffers
	fHomoglyph         = vocabulary.Homoglyph
	fCaseFixed         = vocabulary.CaseFixed
	fAnnotationIgnored = vocabulary.AnnotationIgnored
	MatchExact         = vocabulary.MatchExact
	MatchVariant       = vocabulary.MatchVariant
	MatchFuzzy         = vocabulary.MatchFuzzy
	MatchHigherRank    = vocabulary.MatchHigherRank
	ViaAcceptedName    = vocabulary.ViaAcceptedName
	ViaSynonym         = vocabulary.ViaSynonym
	ViaUnplacedName    = vocabulary.ViaUnplacedName
	ViaMisappliedName  = vocabulary.ViaMisappliedName
	ViaChineseName     = vocabulary.ViaChineseName
	ViaChineseAlias    = vocabulary.ViaChineseAlias
	ViaPinyin          = vocabulary.ViaPinyin
	ViaIdentifier      = vocabulary.ViaIdentifier
	ViaHybridFormula   = vocabulary.ViaHybridFormula
	ViaHigherRank      = vocabulary.ViaHigherRank
	ViaNone            = vocabulary.ViaNone
	SourceIPNI         = vocabulary.SourceIPNI
	SourceWFO          = vocabulary.SourceWFO
	SourceColChina     = vocabulary.SourceColChina
	SourceDatabase     = vocabulary.SourceDatabase
	AuthorSame         = vocabulary.AuthorSame
	AuthorCompatible   = vocabulary.AuthorCompatible
	AuthorNotGiven     = vocabulary.AuthorNotGiven
	AuthorUnknown      = vocabulary.AuthorUnknown
	AuthorDiffers      = vocabulary.AuthorDiffers
	MaxNameLen         = vocabulary.MaxNameLen
)

var statuses = vocabulary.Statuses
