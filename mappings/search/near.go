package search

import (
	"math/bits"
	"slices"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/store"
)

// A formula is near a list of herbs if it has most of them: all but one of four or five, and all but two
// of six or more. Near formulas answer a list that no formula has. They are never a population.

// leastMost is the least number of herbs of a list that is a prescription: formulas with most of fewer
// herbs have little in common with it.
const leastMost = 4

// mayLack returns how many of a number of herbs a near formula may lack.
func mayLack(herbs int) int {
	switch {
	case herbs < leastMost:
		return 0
	case herbs < 6:
		return 1
	}
	return 2
}

// collectNear adds to the hits the formulas that are near a list of herbs. Each element of herbs lists
// the names of one herb. Those that lack the fewest herbs come first, then those with the fewest other
// ones.
func (p *properties) collectNear(s *Searcher, herbs [][]string, to *hits.Collector) {
	most := mayLack(len(herbs))
	if most == 0 {
		return
	}
	asked, noted := p.asked(herbs)
	has, seen := make([]uint8, s.Len()), to.None()
	for _, names := range herbs {
		clear(seen)
		for _, name := range names {
			p.herbs.FindValue(name, seen)
		}
		for i, w := range seen {
			for ; w != 0; w &= w - 1 {
				has[i*64+bits.TrailingZeros64(w)]++
			}
		}
	}
	why := hits.Why{Tier: s.index.Rows[p.herbsRow].Tiers[mappings.MostHerbs], Row: p.herbsRow, Way: mappings.MostHerbs}
	for n, count := range has {
		lacks := len(herbs) - int(count)
		if lacks > most {
			continue
		}
		at := store.Num(n)
		others := min(p.others(at, asked, noted[at]), mostOthers)
		if p.incomplete[n/64]>>(n%64)&1 != 0 {
			others = mostOthers + 1
		}
		to.Add(at, why.Lower((lacks-1)*(mostOthers+2)+others))
	}
}

// asked returns which values of the field of herbs the names of herbs mean, and the values of each formula
// that have an asked name only by a note.
func (p *properties) asked(herbs [][]string) (asked []bool, noted map[store.Num][]uint32) {
	asked, noted = make([]bool, len(p.herbs.Values)), map[store.Num][]uint32{}
	for _, name := range slices.Concat(herbs...) {
		for _, v := range p.herbs.Named(name) {
			asked[v] = true
		}
		for at, v := range p.herbs.Noted(name) {
			noted[at] = append(noted[at], v)
		}
	}
	return asked, noted
}

// others returns the number of herbs that a formula has beside the asked ones, which are given by value,
// and beside those that have an asked name only by a note.
func (p *properties) others(at store.Num, asked []bool, noted []uint32) (n int) {
	for _, v := range p.herbs.Of(at) {
		if !p.text[v] && !asked[v] && !slices.Contains(noted, v) {
			n++
		}
	}
	return n
}

// compareHerbs adds to an explanation the herbs that near formulas lack and have beside those of the
// query.
func (s *Searcher) compareHerbs(record *recorder) error {
	if record == nil || record.explanation.Near == 0 {
		return nil
	}
	p, err := s.lazy.propertiesOf()
	if err != nil {
		return err
	}
	ex := &record.explanation
	for i := range ex.Hits {
		if hit := &ex.Hits[i]; hit.Verdict == mappings.MostHerbs.Verdict() {
			hit.Lacks, hit.More = p.compare(ex.Recognised, hit.Num)
		}
	}
	return nil
}

// compare returns the texts of the herbs of a query that a formula lacks, and the herbs that it has
// beside them.
func (p *properties) compare(recognised []mappings.Recognised, at store.Num) (lacks, more []string) {
	var asked []uint32
	own := p.herbs.Of(at)
	for _, r := range recognised {
		if !ofHerb(r) {
			continue
		}
		has := false
		for _, name := range r.Values {
			for _, v := range p.herbs.Named(name) {
				asked = append(asked, v)
				has = has || slices.Contains(own, v)
			}
			for of, v := range p.herbs.Noted(name) {
				if of == at { // 甘草（炙） for 炙甘草
					asked, has = append(asked, v), true
				}
			}
		}
		if !has {
			lacks = append(lacks, r.Text)
		}
	}
	for _, v := range own {
		if !p.text[v] && !slices.Contains(asked, v) {
			more = append(more, p.herbs.Values[v].Text)
		}
	}
	return lacks, more
}
