package ways

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

// Lists reads names as checklists have them: with authors and remarks, run
// together, or taken from a cell that says more.
type Lists interface {
	// Means says what a text means. With slips, names may be a few letters off.
	Means(text string, slips bool) Meaning
}

// Meaning is what a text means to the checklists.
type Meaning struct {
	Records []Meant
	// Epithet and Family are those of a name that no checklist places; it may be
	// one of a species of that family.
	Epithet, Family string
	// Elsewhere says that it is the name of a plant that is no record.
	Elsewhere bool
	// NoPlant says that it is the name of a drug that is no plant.
	NoPlant bool
}

// Meant is a record that a text means.
type Meant struct {
	EntryID int32
	Way     mappings.Way // Listed, ListedInPart, ListedSpelling or ListedTypo
}

// meaning asks the checklists what the query means, once.
func (l *lookup) meaning(rd *reading.Reading) *Meaning {
	if l.meant == nil {
		l.meant = new(Meaning)
		if l.lists != nil {
			*l.meant = l.lists.Means(rd.Raw, false)
		}
	}
	return l.meant
}

// takeMeant collects the records that were found in some ways. The first is the
// likeliest.
func takeMeant(l *lookup, records []Meant, why hits.Why, in ...mappings.Way) {
	for _, w := range in {
		l.tried(why.As(w, l.tier(why.Row, w)))
	}
	below := 0
	for _, m := range records {
		if !slices.Contains(in, m.Way) {
			continue
		}
		p := l.find(l.rows.entryID, mappings.Whole, strconv.Itoa(int(m.EntryID)))
		l.take(p, why.As(m.Way, l.tier(why.Row, m.Way)).Lower(below), nil)
		below = 1
	}
}

// listed finds what the checklists have a name for, unless it is a record's own.
func listed(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Words) > 1 && l.hits.Best() < int(why.Tier) && l.lists != nil {
		takeMeant(l, l.meaning(rd).Records, why, mappings.Listed)
	}
}

// listedInText finds what the checklists understand of a text.
func listedInText(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.lists != nil {
		takeMeant(l, l.meaning(rd).Records, why, mappings.Listed, mappings.ListedSpelling, mappings.ListedInPart)
	}
}

// otherGenus finds the species of a family that have the epithet of a name that no
// checklist places: Chrysanthemum morifolium for Dendranthema morifolium.
func otherGenus(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.lists == nil || l.meaning(rd).Epithet == "" || l.rows.family < 0 {
		return
	}
	family := l.find(l.rows.family, mappings.Whole, terms.ChineseKey(l.meant.Family))
	l.take(l.find(why.Row, mappings.Words, l.meant.Epithet).And(family), why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool { return strings.Count(v, " ") == 1 && strings.HasSuffix(v, " "+l.meant.Epithet) })
	})
}

// listedTypo finds what the checklists have under a name a letter or two away.
func listedTypo(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.lists != nil && !l.meaning(rd).Elsewhere {
		takeMeant(l, l.lists.Means(rd.Raw, true).Records, why, mappings.ListedTypo)
	}
}
