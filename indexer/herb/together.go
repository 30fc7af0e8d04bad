package herb

import "unicode/utf8"

// shortest is how many characters a herb has that others may be run together
// with: of one character there are too many that are part of another name.
const shortest = 2

// Costs of a piece in a text of herbs run together: few pieces come first, and
// among as few those that need nothing taken off.
const (
	knownCost    = 10
	strippedCost = 11
)

// split parts herbs that were run together into their plain names: 龙眼肉酸枣仁
// is 龙眼肉 and 酸枣仁. It returns nil when not all of the text is herbs.
func (n *Names) split(s string) []string {
	type way struct {
		cost, from int
		plain      string
	}
	runes := []rune(s)
	best := make([]way, len(runes)+1) // the cheapest way to each place; cost 0 is none
	for end := shortest; end <= len(runes); end++ {
		for from := 0; from <= end-shortest; from++ {
			if from > 0 && best[from].cost == 0 || end-from == len(runes) {
				continue
			}
			plain, cost := n.piece(string(runes[from:end]))
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
		parts = append([]string{best[end].plain}, parts...)
	}
	return parts
}

// piece returns the plain name of a part of a text and what it costs to take it
// for a herb, or 0 if it is none.
func (n *Names) piece(s string) (plain string, cost int) {
	switch plain = n.one(s); {
	case !n.Known(plain) && !apart[plain] || utf8.RuneCountInString(plain) < shortest:
		return "", 0
	case n.Known(s):
		return plain, knownCost
	}
	return plain, strippedCost
}
