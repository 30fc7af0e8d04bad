package matchers

// Limits of what is forgiven.
const (
	maxRunes      = 40    // characters of a query
	minFuzzy      = 3     // letters of a query in near sounds or with syllables cut short
	maxNearSounds = 5_000 // names of near sounds
	minTypo       = 4     // letters of a word of which one may be wrong
)
