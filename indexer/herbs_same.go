package indexer

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bencao/mappings/patterns"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

// avoids is a significance level. Two herbs avoid each other if few formulas contain both, and
// chance alone gives so few with a probability of at most avoids. If even the probability that no
// formula contains both is above avoids, there are too few formulas to tell.
const avoids = 0.01

// reviewSameHerbs lists names that count as the same herb and herbs that may be the same herb. It reads
// the patterns, which must already exist.
func (b *build) reviewSameHerbs(ctx context.Context) error {
	b.report.Herbs.Merged, b.report.Herbs.Candidates = b.mergedNames(), []HerbCandidate{}
	e, err := patterns.Open(func(key string) []byte { return b.data.Patterns[key] })
	if err != nil {
		return err
	}
	pairs, err := e.Pairs(ctx, patterns.Question{Side: patterns.Seldom, MinFormulas: patterns.Automatic})
	if err != nil {
		return err
	}
	byID := make(map[string]store.Num, len(b.data.Herbs))
	for i := range b.data.Herbs {
		byID[b.data.Herbs[i].GUID] = store.Num(i)
	}
	c := &candidates{data: b.data, formulas: pairs.N, seen: map[[2]store.Num]bool{}}
	const page = 100
	for from := 0; ; from += page {
		list := pairs.Page(from, from+page)
		for _, p := range list {
			if p.Q < avoids {
				c.add(byID[string(p.X.ID)], byID[string(p.Y.ID)], "seldom")
			}
		}
		if len(list) < page || list[page-1].Q >= avoids {
			break
		}
	}
	c.ofOnePlant()
	order := func(c *HerbCandidate) int {
		place := 2 * slices.Index([]string{"seldom", "few", "often"}, c.Says)
		if !c.Plant {
			place++
		}
		return place
	}
	slices.SortStableFunc(c.list, func(x, y HerbCandidate) int {
		return cmp.Or(cmp.Compare(order(&x), order(&y)), cmp.Compare(min(y.Formulas, y.OtherFormulas), min(x.Formulas, x.OtherFormulas)),
			cmp.Compare(x.Herb, y.Herb), cmp.Compare(x.Other, y.Other))
	})
	b.report.Herbs.Candidates = append(b.report.Herbs.Candidates, c.list...)
	return nil
}

// mergedNames returns the names in formulas that the program counts as names of another herb
// record.
func (b *build) mergedNames() []MergedName {
	written := map[string]int{} // number of formulas by name
	for i := range b.data.Formulas {
		seen := map[string]bool{}
		for _, in := range b.data.Formulas[i].Ingredients {
			if name := b.herbs.Name(in.Herb); !seen[name] {
				seen[name] = true
				written[name]++
			}
		}
	}
	listed := map[string]bool{}
	for _, row := range b.pkg.HerbSpecies {
		if row.Plain != "" {
			listed[han.Fold(row.Herb)] = true
		}
	}
	out := []MergedName{}
	for i := range b.data.Herbs {
		for _, m := range b.data.Herbs[i].Merged {
			key := han.Fold(m.Name)
			one := MergedName{Name: m.Name, Herb: b.data.Herbs[i].Name, Formulas: written[key]}
			if one.Formulas == 0 {
				continue
			}
			statements := herb.StatementsOn(m.Name)
			if listed[key] {
				one.Source = "herb_species"
			} else if at := slices.IndexFunc(statements, func(s herb.Statement) bool { return s.Relation == herb.Same }); at >= 0 {
				one.Source, one.Line = statements[at].Source, statements[at].Line
			}
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(x, y MergedName) int {
		return cmp.Or(cmp.Compare(y.Formulas, x.Formulas), cmp.Compare(x.Herb, y.Herb), cmp.Compare(x.Name, y.Name))
	})
	return out
}

// candidates collects pairs of herbs that may be the same herb.
type candidates struct {
	data     *store.Data
	formulas int // number of formulas with a composition
	seen     map[[2]store.Num]bool
	list     []HerbCandidate
}

// ofOnePlant adds pairs of herbs that occur in formulas and are the same part of one plant.
func (c *candidates) ofOnePlant() {
	of := map[store.Num][]store.Num{} // herbs by species
	for i := range c.data.Herbs {
		h := &c.data.Herbs[i]
		for k, s := range h.Species {
			first := slices.IndexFunc(h.Species, func(o store.HerbSource) bool { return o.Species == s.Species }) == k
			if first && len(h.Formulas) > 0 {
				of[s.Species] = append(of[s.Species], store.Num(i))
			}
		}
	}
	for n := range c.data.Species {
		herbs := of[store.Num(n)]
		for i, x := range herbs {
			for _, y := range herbs[i+1:] {
				if c.samePart(x, y) {
					c.add(x, y, "")
				}
			}
		}
	}
}

// samePart reports whether two herbs come from the same species and, as far as their parts are
// known, are the same part of it.
func (c *candidates) samePart(x, y store.Num) bool {
	a, b := &c.data.Herbs[x], &c.data.Herbs[y]
	shares := slices.ContainsFunc(a.Species, func(s store.HerbSource) bool {
		return slices.ContainsFunc(b.Species, func(t store.HerbSource) bool { return s.Species == t.Species })
	})
	return shares && (len(a.Parts) == 0 || len(b.Parts) == 0 || slices.ContainsFunc(a.Parts, func(p string) bool { return slices.Contains(b.Parts, p) }))
}

// add adds a pair to the candidates, unless the pair is already there or a table relates the two
// herbs. If says is "", the number of formulas with both herbs determines HerbCandidate.Says.
func (c *candidates) add(x, y store.Num, says string) {
	key := [2]store.Num{min(x, y), max(x, y)}
	if c.seen[key] || c.related(x, y) {
		return
	}
	c.seen[key] = true
	a, b := &c.data.Herbs[x], &c.data.Herbs[y]
	one := HerbCandidate{
		Herb: a.Name, Formulas: len(a.Formulas), Other: b.Name, OtherFormulas: len(b.Formulas), Plant: c.samePart(x, y),
		Expected: float64(len(a.Formulas)) * float64(len(b.Formulas)) / float64(c.formulas),
	}
	for _, f := range a.Formulas {
		if _, both := slices.BinarySearch(b.Formulas, f); both {
			one.Together++
		}
	}
	switch {
	case says != "":
		one.Says = says
	case math.Exp(-one.Expected) > avoids:
		one.Says = "few"
	case atMost(one.Together, one.Expected) <= avoids:
		one.Says = "seldom"
	default:
		one.Says = "often"
	}
	c.list = append(c.list, one)
}

// atMost returns the probability of at most k events if mean is the expected number of events
// (Poisson distribution).
func atMost(k int, mean float64) float64 {
	sum, term := 0.0, math.Exp(-mean)
	for i := 0; i <= k; i++ {
		sum += term
		term *= mean / float64(i+1)
	}
	return sum
}

// related reports whether a table relates two herbs. It does so if it says that the herbs are
// different, that one is a variant of the other (such as a processed form), or that both are
// variants of a third.
func (c *candidates) related(x, y store.Num) bool {
	a, b := &c.data.Herbs[x], &c.data.Herbs[y]
	leads := func(h *store.Herb, to store.Num) bool {
		return slices.ContainsFunc(h.VariantOf, func(v store.HerbVariant) bool { return v.Herb == to })
	}
	return herb.AreDifferent(a.Name, b.Name) || leads(a, y) || leads(b, x) ||
		slices.ContainsFunc(a.VariantOf, func(v store.HerbVariant) bool { return leads(b, v.Herb) })
}
