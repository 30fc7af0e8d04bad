package matchers

import (
	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/names/han"
)

// lookAlike finds names in which one character of the query is another one that looks like it.
func lookAlike(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Runes) < 2 || len(rd.Runes) > maxRunes {
		return
	}
	l.note(why)
	for i, r := range rd.Runes {
		for _, other := range han.LookAlikes(r) {
			l.collectTerm(mappings.Whole, string(rd.Runes[:i])+string(other)+string(rd.Runes[i+1:]), why, nil)
		}
	}
}
