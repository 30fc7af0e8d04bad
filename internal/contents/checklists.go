package contents

import (
	"strings"

	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names"
)

// checklists answer searches of species as names.match answers: what it
// understands, a search finds.
type checklists struct {
	names *names.Index
}

// The scores from which an answer is what was asked for. One of several names in a
// text has the first; what may as well be another drug's name has less than the
// second.
const (
	leastSure     = 0.5
	leastSureDrug = 0.7
)

// Resolve implements [search.Checklists].
func (c checklists) Resolve(text string, fuzzy bool) (m search.Resolution) {
	r, err := c.names.Match(names.Query{Name: text, NoFuzzy: !fuzzy, Limit: names.MaxLimit})
	if err != nil { // the text can't be a name
		return search.Resolution{}
	}
	m.NoPlant = r.DrugKind != "" && r.DrugKind != "plant" && len(r.Results) == 0
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
		words := strings.Fields(epithet) // behind the sign of a hybrid
		m.Epithet, m.Family = words[len(words)-1], string(first.AcceptedFamily)
	default:
		m.OtherPlant = true
	}
	return m
}

// wayOf says how an entry was found. What only may be the taxon does not count, nor
// a genus for its species.
func wayOf(r *names.Response, e *names.Entry) (mappings.Way, bool) {
	inPart := r.Unread != "" || r.MatchedVia == names.ViaHybridFormula || e.Flags.Has(names.CultivarIgnored)
	switch {
	case e.Flags.Has(names.Possible):
		return 0, false
	case e.MatchType == names.MatchHigherRank:
		return mappings.ListedInPart, true
	case e.Score < leastSure, r.MatchedVia == names.ViaDrugName && e.Score < leastSureDrug:
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
