package mappings

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/names/han"
	"bencao/store"
)

// Prominence counts the records about a species. Of two species that match a query equally well,
// the one with more records comes first.
type Prominence struct {
	Formulas, Papers, Uses, Books int
}

// steps returns the prominence on a logarithmic scale: each doubling of a count is one
// step.
func (p Prominence) steps() int {
	return bits.Len(uint(p.Formulas+1)) + bits.Len(uint(p.Papers+1)) + bits.Len(uint(p.Uses+1)) + bits.Len(uint(p.Books+1)) - 4
}

func (p Prominence) all() int { return p.Formulas + p.Papers + p.Uses + p.Books }

// classicEnd is the year before which a formula is a classic. The classics are the formulas of 张仲景
// (219), which later books quote under other names.
const classicEnd = 300

// Standing describes how well known the name of a formula is.
type Standing struct {
	// Books is the number of records with the name. It is higher by one if a classic has the name.
	Books int
	// Repeats is true if another record of the name comes first. The first record of a name is the
	// oldest one. Among several oldest records, it is the one with the lowest entryId: the ingredients
	// must not decide, because the order of answers would tell them to clients without their scope.
	Repeats bool
}

// Standings returns the standing of each formula.
func Standings(formulas []store.Formula) []Standing {
	byName := make(map[string][]int)
	for i := range formulas {
		name := han.Fold(string(formulas[i].Name))
		byName[name] = append(byName[name], i)
	}
	out := make([]Standing, len(formulas))
	for _, same := range byName {
		first := slices.MinFunc(same, func(i, j int) int {
			a, b := &formulas[i], &formulas[j]
			return cmp.Or(cmp.Compare(year(a), year(b)), cmp.Compare(a.EntryID, b.EntryID))
		})
		books := len(same)
		if year(&formulas[first]) < classicEnd {
			books++
		}
		for _, i := range same {
			out[i] = Standing{Books: books, Repeats: i != first}
		}
	}
	return out
}
