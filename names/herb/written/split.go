package written

import (
	"slices"
	"unicode/utf8"
)

// minCompoundPart is the minimum length, in characters, of a name in a compound. A single character
// is too often a part of another name.
const minCompoundPart = 2

// These are the costs of one part of a compound. A split into fewer parts costs less. Of two splits
// into equally many parts, the one in which fewer names lost affixes costs less.
const (
	knownCost    = 10
	strippedCost = 11
)

// split splits a compound into plain names by dynamic programming: 龙眼肉酸枣仁 is 龙眼肉 and
// 酸枣仁. It returns nil if the text contains anything but herbs.
func (n *Names) split(s string) []string {
	type way struct {
		cost, from int
		plain      []string
	}
	runes := []rune(s)
	best := make([]way, len(runes)+1) // for each position: the cheapest split of the text before it; if its cost is 0, no split exists
	for end := minCompoundPart; end <= len(runes); end++ {
		for from := 0; from <= end-minCompoundPart; from++ {
			if from > 0 && best[from].cost == 0 || end-from == len(runes) {
				continue
			}
			plain, cost := n.part(string(runes[from:end]))
			if cost == 0 {
				continue
			}
			if cost += best[from].cost; best[end].cost == 0 || cost < best[end].cost {
				best[end] = way{cost, from, plain}
			}
		}
	}
	if best[len(runes)].cost == 0 {
		return nil
	}
	var parts []string
	for end := len(runes); end > 0; end = best[end].from {
		plain := slices.DeleteFunc(best[end].plain, func(p string) bool { return slices.Contains(parts, p) }) // 锦纹大黄 joins two names of one herb
		parts = slices.Concat(plain, parts)
	}
	return parts
}

// part returns the plain name of a part of a text, or those that it joins in one word, and the cost of
// reading the part as a herb. A cost of 0 means that it is not a herb.
func (n *Names) part(s string) (plain []string, cost int) {
	if plain = n.joined(s); plain != nil {
		return plain, knownCost
	}
	switch one := n.plainOne(s); {
	case !n.Known(one) && !isApart(one) || utf8.RuneCountInString(one) < minCompoundPart:
		return nil, 0
	case n.Known(s):
		return []string{one}, knownCost
	default:
		return []string{one}, strippedCost
	}
}
