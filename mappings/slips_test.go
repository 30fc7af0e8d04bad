package mappings_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bencao/mappings/search"
	"bencao/names/han"
	"bencao/names/herb"
)

// TestLookAlikesFirst miswrites random names of herbs: one character becomes one that looks like it. If
// the text is in no name, the first hit has a name of which the text may be a slip. No correction by
// sound or by order leads to another herb.
func TestLookAlikesFirst(t *testing.T) {
	p := sample(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, seed))
	judged := 0
	for range 3000 {
		name := []rune(p.anyHerbName(r))
		i := r.IntN(len(name))
		alike := han.LookAlikes(name[i])
		if len(name) < 2 || len(alike) == 0 {
			continue
		}
		slip := slices.Clone(name)
		if slip[i] = alike[r.IntN(len(alike))]; han.Fold(string(slip[i])) != string(slip[i]) {
			continue // 耆 is 芪
		}
		hits := ask(t, p.herbs, search.Query{Text: string(slip), Size: 1})
		if hits.Verdict.Forgiven == "" && hits.Total > 0 {
			continue // also in a name
		}
		if hits.ReadAs != "" {
			continue // read as a name with words beside it: 蛇叁根 as 蛇, a number and a part
		}
		judged++
		if hits.Total == 0 || hits.Verdict.Forgiven != "lookAlike" || !slices.ContainsFunc(p.namesOfHerb(int(hits.Nums[0])), func(n string) bool { return mayBeSlip(slip, []rune(n)) }) {
			t.Errorf("seed %d: %s for %s finds %d %v", seed, string(slip), string(name), hits.Total, hits.Verdict)
		}
	}
	t.Logf("seed %d: %d slips judged", seed, judged)
	if judged < 100 {
		t.Errorf("seed %d: only %d slips judged", seed, judged)
	}
}

// TestOrderOfOneName asks for two characters of two names of a herb. A herb that is found by the order of
// characters has both in one name: 人叁 is not 苦参, which is called 牛人参 and 苦叁.
func TestOrderOfOneName(t *testing.T) {
	p := sample(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, seed))
	for range 2000 {
		names := p.namesOfHerb(r.IntN(len(p.Herbs)))
		one, other := []rune(names[r.IntN(len(names))]), []rune(names[r.IntN(len(names))])
		asked := []rune{one[r.IntN(len(one))], other[r.IntN(len(other))]}
		hits := ask(t, p.herbs, search.Query{Text: string(asked), Size: 3})
		if hits.Verdict.Forgiven != "order" {
			continue
		}
		for _, n := range hits.Nums {
			if !slices.ContainsFunc(p.namesOfHerb(int(n)), func(name string) bool {
				return strings.ContainsRune(name, asked[0]) && strings.ContainsRune(name, asked[1])
			}) {
				t.Errorf("seed %d: %s finds %s by the order of characters", seed, string(asked), p.Herbs[n].Name)
			}
		}
	}
}

// namesOfHerb returns the folded names of a herb.
func (p *pack) namesOfHerb(n int) []string {
	h := &p.Herbs[n]
	names := []string{han.Fold(h.Name)}
	for i := range h.Aliases {
		names = append(names, han.Fold(h.Aliases[i].Name))
	}
	return names
}

// anyHerbName returns a random name of a random herb that the table of herbs has, and not as a folk name.
func (p *pack) anyHerbName(r *rand.Rand) string {
	names := p.namesOfHerb(r.IntN(len(p.Herbs)))
	known := slices.DeleteFunc(names[1:], func(name string) bool {
		found := herb.Lookup(name)
		return len(found) == 0 || slices.ContainsFunc(found, func(m herb.Match) bool { return m.By == herb.FolkName })
	})
	names = names[:1+len(known)]
	return names[r.IntN(len(names))]
}

// mayBeSlip reports whether one character of a text stands for one of a name that looks like it.
func mayBeSlip(text, name []rune) bool {
	if len(text) != len(name) {
		return false
	}
	differ := 0
	for i := range text {
		if text[i] == name[i] {
			continue
		}
		if differ++; differ > 1 || !slices.Contains(han.LookAlikes(text[i]), name[i]) {
			return false
		}
	}
	return differ == 1
}
