package matchers

import (
	"slices"
	"strconv"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// Checklists resolves names in the forms that occur in species lists: with authors and remarks,
// without spaces, or as one part of a table cell.
type Checklists interface {
	// Resolve returns the records that a text means if it is read as a name. If fuzzy is true, the
	// text may differ from a name by a few letters.
	Resolve(text string, fuzzy bool) Resolution
}

// Resolution tells which records a text means if checklists read it as a name.
type Resolution struct {
	Records []ResolvedRecord
	// Epithet and Family are the epithet and the family of a name that no checklist assigns to an
	// accepted name. If they are set, the text may mean a species of that family with that epithet.
	Epithet, Family string
	// OtherPlant is true if the text is the name of a plant without a record.
	OtherPlant bool
	// NoPlant is true if the text is the name of a herb that is not a plant.
	NoPlant bool
}

// ResolvedRecord is a record that a text names.
type ResolvedRecord struct {
	EntryID int32
	Way     mappings.Way // Listed, ListedInPart, ListedSpelling or ListedTypo
}

// resolve returns the resolution of the query. It calls the checklists once per query.
func (l *lookup) resolve(rd *reading.Reading) *Resolution {
	if l.resolved == nil {
		l.resolved = new(Resolution)
		if l.checklists != nil {
			*l.resolved = l.checklists.Resolve(rd.Raw, false)
		}
	}
	return l.resolved
}

// collectResolved collects the records that were resolved in the given ways. The first record is
// the likeliest one and gets a better tier than the others.
func collectResolved(l *lookup, records []ResolvedRecord, why hits.Why, in ...mappings.Way) {
	for _, w := range in {
		l.note(why.As(w, l.tier(why.Row, w)))
	}
	below := 0
	for _, m := range records {
		if !slices.Contains(in, m.Way) {
			continue
		}
		p := l.postings(l.rows.entryID, mappings.Whole, strconv.Itoa(int(m.EntryID)))
		l.collect(p, why.As(m.Way, l.tier(why.Row, m.Way)).Lower(below), nil)
		below = 1
	}
}

// listed finds the records to which the checklists resolve the query. It finds nothing if the query
// is a record's own name.
func listed(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Words) > 1 && l.hits.Best() < int(why.Tier) && l.checklists != nil {
		collectResolved(l, l.resolve(rd).Records, why, mappings.Listed)
	}
}

// listedInText finds the records to which the checklists resolve a name that is anywhere in the
// query.
func listedInText(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.checklists != nil {
		collectResolved(l, l.resolve(rd).Records, why, mappings.Listed, mappings.ListedSpelling, mappings.ListedInPart)
	}
}

// otherGenus finds species of a family by the epithet of the query: Chrysanthemum morifolium for
// Dendranthema morifolium. It applies to names that no checklist assigns to an accepted name.
func otherGenus(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.checklists == nil || l.resolve(rd).Epithet == "" || l.rows.family < 0 {
		return
	}
	family := l.postings(l.rows.family, mappings.Whole, terms.ChineseKey(l.resolved.Family))
	l.collect(l.postings(why.Row, mappings.Words, l.resolved.Epithet).And(family), why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool { return strings.Count(v, " ") == 1 && strings.HasSuffix(v, " "+l.resolved.Epithet) })
	})
}

// listedTypo finds the records whose name in the checklists differs from the query by one or two
// letters.
func listedTypo(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.checklists != nil && !l.resolve(rd).OtherPlant {
		collectResolved(l, l.checklists.Resolve(rd.Raw, true).Records, why, mappings.ListedTypo)
	}
}
