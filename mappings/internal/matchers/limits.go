package matchers

// Limits of the matchers that tolerate mistakes.
const (
	maxRunes      = 40    // maximum characters of a query
	minFuzzy      = 3     // minimum letters of a query for matches by near sounds and by shortened syllables
	maxNearSounds = 5_000 // maximum names that near sounds find for a query
	minTypo       = 4     // minimum letters of a word in which one letter may be wrong
)
