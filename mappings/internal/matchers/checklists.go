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

// Checklists reads names as checklists have them: with authors and remarks, run
// together, or taken from a cell that says more.
type Checklists interface {
	// Means says what a text means. With fuzzy, names may be a few letters off.
	Resolve(text string, fuzzy bool) Resolution
}

// Resolution is what a text means to the checklists.
type Resolution struct {
	Records []ResolvedRecord
	// Epithet and Family are those of a name that no checklist places; it may be
	// one of a species of that family.
	Epithet, Family string
	// OtherPlant says that it is the name of a plant that is no record.
	OtherPlant bool
	// NoPlant says that it is the name of a drug that is no plant.
	NoPlant bool
}

// ResolvedRecord is a record that a text means.
type ResolvedRecord struct {
	EntryID int32
	Way     mappings.Way // Listed, ListedInPart, ListedSpelling or ListedTypo
}

// meaning asks the checklists what the query means, once.
func (l *lookup) resolve(rd *reading.Reading) *Resolution {
	if l.resolved == nil {
		l.resolved = new(Resolution)
		if l.checklists != nil {
			*l.resolved = l.checklists.Resolve(rd.Raw, false)
		}
	}
	return l.resolved
}

// collectResolved collects the records that were found in some ways. The first is the
// likeliest.
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

// listed finds what the checklists have a name for, unless it is a record's own.
func listed(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Words) > 1 && l.hits.Best() < int(why.Tier) && l.checklists != nil {
		collectResolved(l, l.resolve(rd).Records, why, mappings.Listed)
	}
}

// listedInText finds what the checklists understand of a text.
func listedInText(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.checklists != nil {
		collectResolved(l, l.resolve(rd).Records, why, mappings.Listed, mappings.ListedSpelling, mappings.ListedInPart)
	}
}

// otherGenus finds the species of a family that have the epithet of a name that no
// checklist places: Chrysanthemum morifolium for Dendranthema morifolium.
func otherGenus(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.checklists == nil || l.resolve(rd).Epithet == "" || l.rows.family < 0 {
		return
	}
	family := l.postings(l.rows.family, mappings.Whole, terms.ChineseKey(l.resolved.Family))
	l.collect(l.postings(why.Row, mappings.Words, l.resolved.Epithet).And(family), why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool { return strings.Count(v, " ") == 1 && strings.HasSuffix(v, " "+l.resolved.Epithet) })
	})
}

// listedTypo finds what the checklists have under a name a letter or two away.
func listedTypo(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.checklists != nil && !l.resolve(rd).OtherPlant {
		collectResolved(l, l.checklists.Resolve(rd.Raw, true).Records, why, mappings.ListedTypo)
	}
}
