package matchers

// Limits of tolerant matchers.
const (
	maxRunes      = 40    // maximum characters of a query
	minFuzzy      = 3     // minimum letters of a query for near sounds and shortened syllables
	maxNearSounds = 5_000 // maximum names per query that near sounds find
	minTypo       = 4     // minimum letters of a word in which one may be wrong
)
