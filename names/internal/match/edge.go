package match

import (
	"fmt"
	"strings"

	"bencao/names/internal/file"
	"bencao/names/internal/vocabulary"
)

// edgeReasons say in an answer's steps what an edge rests on; of each the
// first %s is the name, the second what speaks for it, the third the accepted
// name that it leads to.
var edgeReasons = [...]string{
	file.ByAutonym:  "joined: %s is the autonym of %s, so part of %s",
	file.BySynonym:  "joined: %s has in the database the synonym %s, which leads to %s",
	file.BySpelling: "joined: %s is by its author spelt %s elsewhere, which leads to %s",
	file.ByBasionym: "possible: %s seems to have the type of %s, which leads to %s",
	file.ByOpinion:  "possible: %s includes %s in the opinion of the database, which leads to %s",
}

// edges says why the name of a candidate stands in a concept that its own list
// does not have it in.
func (v view) edges(c *candidate) []string {
	e, ok := v.EdgeOf(c.usage)
	if !ok || e.To != c.concept {
		return nil
	}
	cited := func(n uint32) string {
		return fmt.Sprintf("%q (%s)", strings.TrimSpace(v.Name(n)+" "+v.Text(n, file.Author)), v.Checklists[v.Usages[n].Checklist].Source)
	}
	return []string{fmt.Sprintf(edgeReasons[e.Reason], cited(c.usage), cited(e.Via), cited(e.To))}
}

// possible adds, behind what was found, the taxon that may be the best one's
// under a name of another genus or rank, or a part of it. It is never the best itself.
func (q question) possible(all []scored) []scored {
	best := &all[0]
	e, ok := q.EdgeOf(best.usage)
	if !ok || !e.Reason.Possible() || best.like == higherRank {
		return all
	}
	s := *best
	s.concept = e.To
	s.flags = s.flags&^vocabulary.Ambiguous | vocabulary.Possible
	s.score = min(scorePossible, best.score)
	if q.steps != nil {
		s.parts = []vocabulary.ScorePart{{Reason: "possible only", Value: s.score}}
	}
	return append(all, s)
}
