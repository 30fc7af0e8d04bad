package mappings

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/names/han"
	"bencao/store"
)

// Prominence is how much is written about a species: of two that fit a query
// equally well, people mean the better known.
type Prominence struct {
	Formulas, Papers, Uses, Books int
}

// steps is the prominence in steps: of each kind, twice as many are a step.
func (p Prominence) steps() int {
	return bits.Len(uint(p.Formulas+1)) + bits.Len(uint(p.Papers+1)) + bits.Len(uint(p.Uses+1)) + bits.Len(uint(p.Books+1)) - 4
}

func (p Prominence) all() int { return p.Formulas + p.Papers + p.Uses + p.Books }

// classicEnd is the year before which a formula is one of the classics: those of
// 张仲景 (219), which the books after him quote under other names.
const classicEnd = 300

// Standing is how well known the name of a formula is.
type Standing struct {
	// Books is how many records have the name. A name that the classics have
	// counts one more.
	Books int
	// Repeats says that another record of the name stands before it: the oldest
	// does, then that with the most linked species.
	Repeats bool
}

// Standings returns how well known the name of each formula is, in their order.
// Species says how many species a formula's herbs lead to.
func Standings(formulas []store.Formula, species func(i int) int) []Standing {
	byName := make(map[string][]int)
	for i := range formulas {
		name := han.Fold(formulas[i].Name)
		byName[name] = append(byName[name], i)
	}
	out := make([]Standing, len(formulas))
	for _, same := range byName {
		first := slices.MinFunc(same, func(i, j int) int {
			a, b := &formulas[i], &formulas[j]
			return cmp.Or(cmp.Compare(year(a), year(b)), cmp.Compare(species(j), species(i)), cmp.Compare(a.EntryID, b.EntryID))
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
