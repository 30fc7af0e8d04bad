package snapshotfiles

import (
	"strings"

	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names"
)

// checklists finds species by the same matching as names.match, so that a search accepts every name
// that names.match accepts.
type checklists struct {
	names *names.Index
}

// leastSure is the smallest score at which a search uses a match. If the text is the name of a
// herb, leastSureHerb applies instead. It is higher, since the name may also belong to another
// herb.
const (
	leastSure     = 0.5
	leastSureHerb = 0.7
)

// Resolve implements [search.Checklists].
func (c checklists) Resolve(text string, fuzzy bool) (m search.Resolution) {
	r, err := c.names.Match(names.Query{Name: text, NoFuzzy: !fuzzy, Limit: names.MaxLimit})
	if err != nil { // the text cannot be a name
		return search.Resolution{}
	}
	m.NoPlant = r.HerbKind != "" && r.HerbKind != "plant" && len(r.Results) == 0
	for _, e := range r.Results {
		way, ok := wayOf(&r, &e)
		if ok && e.EntryID != nil {
			m.Records = append(m.Records, search.ResolvedRecord{EntryID: *e.EntryID, Way: way})
		}
	}
	if len(m.Records) > 0 || len(r.Results) == 0 || r.Results[0].MatchType != names.MatchExact {
		return m
	}
	first := &r.Results[0]
	genus, epithet, two := strings.Cut(string(first.MatchedName), " ")
	switch {
	case !two || genus == "":
	case first.AcceptedName == "":
		words := strings.Fields(epithet) // a hybrid sign may come before the epithet
		m.Epithet, m.Family = words[len(words)-1], string(first.AcceptedFamily)
	default:
		m.OtherPlant = true
	}
	return m
}

// wayOf returns the way in which an entry of a response was found. It returns false for a match
// that is only possible and for a match with too low a score.
func wayOf(r *names.Response, e *names.Entry) (mappings.Way, bool) {
	inPart := r.Unread != "" || r.MatchedVia == names.ViaHybridFormula || e.Flags.Has(names.CultivarIgnored)
	switch {
	case e.Flags.Has(names.Possible):
		return 0, false
	case e.MatchType == names.MatchHigherRank:
		return mappings.ListedInPart, true
	case e.Score < leastSure, r.MatchedVia == names.ViaHerbName && e.Score < leastSureHerb:
		return 0, false
	case e.MatchType == names.MatchFuzzy:
		return mappings.ListedTypo, true
	case inPart:
		return mappings.ListedInPart, true
	case e.MatchType == names.MatchVariant:
		return mappings.ListedSpelling, true
	}
	return mappings.Listed, true
}
