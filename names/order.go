package names

import (
	"cmp"

	"bencao/names/internal/file"
)

// compare orders candidates for the answer: total and stable. The numbers of
// the statuses are in the order of answers.
func (m *matcher) compare(a, b *candidate) int {
	ix := m.ix
	u, v := &ix.Usages[a.usage], &ix.Usages[b.usage]
	return cmp.Or(
		-cmp.Compare(a.score, b.score),
		cmp.Compare(a.like, b.like),
		cmp.Compare(u.Status, v.Status),
		-cmp.Compare(boolInt(m.inDatabase(a)), boolInt(m.inDatabase(b))),
		cmp.Compare(boolInt(a.flags.Has(fRankDiffers)), boolInt(b.flags.Has(fRankDiffers))),
		cmp.Compare(boolInt(a.flags.Has(fHybridSignIgnored)), boolInt(b.flags.Has(fHybridSignIgnored))),
		cmp.Compare(ix.Name(a.usage), ix.Name(b.usage)),
		cmp.Compare(ix.Text(a.usage, file.Author), ix.Text(b.usage, file.Author)),
		cmp.Compare(ix.Text(a.usage, file.ID), ix.Text(b.usage, file.ID)),
		cmp.Compare(a.usage, b.usage),
	)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// inDatabase says whether the candidate leads to a species of the database.
func (m *matcher) inDatabase(c *candidate) bool {
	if m.skipDatabase {
		return false
	}
	ix := m.ix
	for _, n := range ix.MembersOf(c.concept) {
		if ix.Usages[n].Record != 0 {
			return true
		}
	}
	return false
}
