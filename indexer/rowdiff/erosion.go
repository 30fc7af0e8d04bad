package rowdiff

import (
	"hash/maphash"
	"maps"
	"math"
	"slices"

	"bencao/indexer/profile"
)

// The measures in this file find damage that is small in each build and adds up over many builds.

// remember adds the old value of a changed cell to out.Left. If the cell has the value again that it
// had before an earlier build, remember counts it as changed back instead.
func (c *comparison) remember(out *Column, column int, p pair) {
	was, is := c.before(p, column), c.tonight(p, column)
	if was == "" || is == "" {
		return
	}
	if c.spec.Earlier != nil && c.spec.Earlier(out.Name, c.cell(p, is)) {
		out.Back++
		return
	}
	out.Left = append(out.Left, c.cell(p, was))
}

// cell returns the hash of a row's key and a value. It must not depend on a random seed.
func (c *comparison) cell(p pair, value string) uint64 {
	parts := []string{value}
	for _, name := range c.spec.Key {
		parts = append(parts, c.now.Cell(int(p.now), c.now.Index(name)))
	}
	return profile.KeyHash(parts...)
}

// copied counts the changed cells that have the value of the row above. In a column with equal
// values in adjacent rows, the number to be expected is the share of such rows among the others.
func (c *comparison) copied(out *Column, column int, pairs []pair) {
	changed, same, all := 0, 0, 0
	for i := 1; i < len(pairs); i++ {
		was, above := c.before(pairs[i], column), c.before(pairs[i-1], column)
		is := c.tonight(pairs[i], column)
		if is == was {
			if was != "" {
				all++
				if was == above {
					same++
				}
			}
			continue
		}
		if is == "" || was == "" {
			continue
		}
		changed++
		if is == c.tonight(pairs[i-1], column) {
			out.Copied.add(c.now.Line(int(pairs[i].now)), was, is)
		}
	}
	out.Copied.Count = beyondChance(out.Copied.Count, changed, float64(same)/float64(max(1, all)))
}

// same finds the value that most different values became. Renaming one value in many cells does not
// count.
func (c *comparison) same(out *Column, column int, pairs []pair) {
	type change struct{ was, is uint64 }
	seen := map[change]bool{}
	from := map[uint64]int{} // the number of different old values, by the new value
	changed := 0
	for _, p := range pairs {
		was, is := c.before(p, column), c.tonight(p, column)
		if was == is || was == "" || is == "" {
			continue
		}
		changed++
		if of := (change{maphash.String(seed, was), maphash.String(seed, is)}); !seen[of] {
			seen[of] = true
			from[of.is]++
		}
	}
	most, into := 0, uint64(0)
	for _, is := range slices.Sorted(maps.Keys(from)) {
		if from[is] > most {
			most, into = from[is], is
		}
	}
	if most < 2 {
		return
	}
	had := 0
	for _, p := range pairs {
		was, is := c.before(p, column), c.tonight(p, column)
		if maphash.String(seed, was) == into {
			had++
		}
		if was != is && was != "" && maphash.String(seed, is) == into {
			out.Into = clip(is)
			out.Same.add(c.now.Line(int(p.now)), was, is)
		}
	}
	out.Same.Count = beyondChance(most-1, changed, float64(had)/float64(max(1, out.Filled)))
}

// beyondChance returns how many of n more cells have a property than chance explains, or 0. share is
// the share of all cells that have the property. Chance explains the mean plus two standard
// deviations.
func beyondChance(have, n int, share float64) int {
	mean := share * float64(n)
	return max(0, have-int(math.Ceil(mean+2*math.Sqrt(mean*(1-share)))))
}

// relinked finds new rows that differ from a removed row only in one column of the key: links that
// now lead to another record.
func (c *comparison) relinked(columns []Column) {
	if len(c.spec.Key) < 2 || c.spec.Group != "" || len(c.added) == 0 || len(c.removed) == 0 {
		return
	}
	for i := range columns {
		if !columns[i].inKey(c.spec) {
			continue
		}
		was, is := slices.Delete(slices.Clone(c.was), i, i+1), slices.Delete(slices.Clone(c.is), i, i+1)
		gone := map[uint64][]int{}
		for _, row := range c.removed {
			h := c.old.hash(row, was)
			gone[h] = append(gone[h], row)
		}
		for _, row := range c.added {
			h := c.now.hash(row, is)
			if of := gone[h]; len(of) > 0 {
				columns[i].Relinked.add(c.now.Line(row), c.old.Cell(of[0], c.was[i]), c.now.Cell(row, c.is[i]))
				gone[h] = of[1:]
			}
		}
	}
}
