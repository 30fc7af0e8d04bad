package names_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/names"
	"bencao/names/internal/answer"
	families "bencao/names/internal/family"
)

var relationSeed = flag.Uint64("relation-seed", 0, "seed of the random names in TestRelations; 0 draws one")

// relations are what must be true of any name, whatever the right answer is. holds asks an index about
// a random name and reports whether the relation holds. ok is false if the relation says nothing about
// the name. asked is the text that was asked.
var relations = []struct {
	what  string
	from  func(pools) [][]sample // the lists to draw names from
	holds func(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool)
}{
	{"a rank in another case or without a space changes nothing", below, rankAnyhow},
	{"underscores for spaces and the quotes of SQL change nothing", anyName, writtenByPrograms},
	{"an unlisted variety of a misspelt species is the species, at 0.40 or less", species, varietyOfMisspelt},
	{"the right author never lowers the score", anyName, rightAuthor},
	{"another author never silences a name", species, otherAuthor},
	{"another author never silences a misspelt name", species, otherAuthorOfMisspelt},
	{"name and author apart are the same as in one text", anyName, authorApart},
	{"the right family, the kingdom and the region never lower the score", anyName, moreSaid},
}

func species(p pools) [][]sample { return [][]sample{p.species} }
func below(p pools) [][]sample   { return [][]sample{p.below} }
func anyName(p pools) [][]sample { return [][]sample{p.species, p.synonyms} }

// TestRelations checks relations on a few hundred random names of the small checklists, and of the
// real ones if they are there. It logs the seed.
func TestRelations(t *testing.T) {
	seed := *relationSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("go test ./names -run Relations -relation-seed %d", seed)
	t.Run("small", func(t *testing.T) {
		testRelations(t, fixture(t), smallPool(t), seed)
	})
	t.Run("real", func(t *testing.T) {
		ix := sharedIndex(t)
		all, err := pool()
		must(t, err)
		testRelations(t, ix, all, seed)
	})
}

func testRelations(t *testing.T, ix *names.Index, all pools, seed uint64) {
	for _, r := range relations {
		rng := rand.New(rand.NewPCG(seed, 1))
		lists := r.from(all)
		asked, held := 0, 0
		for i := range 400 {
			list := lists[i%len(lists)]
			text, holds, ok := r.holds(ix, rng, list[rng.IntN(len(list))])
			switch {
			case !ok:
				continue
			case holds:
				held++
			case asked-held < 20:
				t.Logf("%s: not for %s: %s", r.what, text, render(match(ix, text, "")))
			}
			asked++
		}
		t.Logf("%s: %d of %d", r.what, held, asked)
		if asked < 20 || float64(held) < 0.99*float64(asked) {
			t.Errorf("%s: holds for %d of %d names", r.what, held, asked)
		}
	}
}

// smallPool returns the names of testdata/checklists.txt.
func smallPool(t *testing.T) pools {
	t.Helper()
	var all pools
	text, err := os.ReadFile(filepath.Join("testdata", "checklists.txt"))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		c := strings.Split(line, "|")
		if len(c) < 8 || strings.ContainsAny(c[3], "×'") {
			continue
		}
		s := sample{strings.TrimSpace(c[3]), strings.TrimSpace(c[4]), strings.TrimSpace(c[7])}
		switch status := strings.TrimSpace(c[6]); {
		case status == "Synonym" && strings.Count(s.name, " ") == 1:
			all.synonyms = append(all.synonyms, s)
			continue
		case status != "Accepted":
			continue
		}
		switch strings.Count(s.name, " ") {
		case 1:
			all.species = append(all.species, s)
		case 3:
			all.below = append(all.below, s)
		}
	}
	return all
}

func best(r names.Response) names.Entry {
	if len(r.Results) == 0 {
		return names.Entry{}
	}
	return r.Results[0]
}

func same(a, b names.Response) bool {
	return best(a).MatchedName == best(b).MatchedName && best(a).Score == best(b).Score
}

// title returns a word with a capital.
func title(w string) string { return strings.ToUpper(w[:1]) + w[1:] }

func rankAnyhow(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool) {
	w := strings.Fields(s.name)
	rank, epithet := w[2], w[3]
	if len(epithet) < 3 || strings.Contains(epithet, "-") && rank == "f." {
		return "", false, false
	}
	switch n := rng.IntN(5); {
	case rank == "f." && n < 2:
		w[2], w[3] = "forma", title(epithet)
	case rank == "f.":
		w[2], w[3] = "f."+epithet, ""
	case n == 0:
		w[2], w[3] = rank+epithet, ""
	case n == 1:
		w[2] = title(rank)
	case n == 2:
		w[2], w[3] = title(rank), title(epithet)
	case n == 3:
		w[2], w[3] = strings.ToUpper(rank), strings.ToUpper(epithet)
	default:
		w[2], w[3] = title(rank)+title(epithet), ""
	}
	if rng.IntN(2) == 0 {
		w = slices.Insert(w, 2, "Thunb.") // the author of the species
	}
	asked = strings.Join(strings.Fields(strings.Join(w, " ")), " ")
	return asked, same(match(ix, asked, ""), match(ix, s.name, "")), true
}

func writtenByPrograms(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool) {
	name := strings.TrimSpace(s.name + " " + s.author)
	asked = name
	if quote := "'"; strings.Contains(name, quote) && rng.IntN(2) == 0 {
		asked = quote + strings.ReplaceAll(name, quote, quote+quote) + quote
	} else {
		words := strings.Split(name, " ")
		asked = words[0]
		for _, w := range words[1:] {
			asked += []string{" ", "_"}[rng.IntN(2)] + w
		}
	}
	return asked, same(match(ix, asked, ""), match(ix, name, "")), true
}

// misspelt returns a name of two words with one edit in its epithet, and the answer to it. ok is false
// if the answer would need a review, or is not a species with an epithet like that of the name.
func misspelt(ix *names.Index, rng *rand.Rand, s sample) (name string, alone names.Entry, ok bool) {
	genus, epithet, _ := strings.Cut(s.name, " ")
	name = genus + " " + misspell(rng, epithet, 1)
	alone = best(match(ix, name, ""))
	ok = alone.Score >= names.ScoreLook && name != s.name && !alone.Flags.Has(answer.Ambiguous) && alone.MatchType != names.MatchExact && strings.Count(string(alone.MatchedName), " ") == 1
	return name, alone, ok
}

func varietyOfMisspelt(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool) {
	name, alone, ok := misspelt(ix, rng, s)
	asked = name + []string{" var. ", " Var. ", " subsp.", " L. f. "}[rng.IntN(4)] + "zyxifolia"
	got := best(match(ix, asked, ""))
	return asked, got.MatchedName == alone.MatchedName && got.Score <= 0.40, ok
}

func rightAuthor(ix *names.Index, _ *rand.Rand, s sample) (asked string, holds, ok bool) {
	asked = s.name + " " + s.author
	return asked, best(match(ix, asked, "")).Score >= best(match(ix, s.name, "")).Score, s.author != ""
}

// others are authors of few names.
var others = []string{"Quisquis", "(L.) Quisquis", "Nemo & Nullus", "Nemo ex Nullus", "Q.Nemo"}

func otherAuthor(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool) {
	asked = s.name + " " + others[rng.IntN(len(others))]
	got := best(match(ix, asked, ""))
	return asked, string(got.MatchedName) == s.name && got.Score >= 0.60, true
}

func otherAuthorOfMisspelt(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool) {
	name, alone, ok := misspelt(ix, rng, s)
	asked = name + " " + others[rng.IntN(len(others))]
	got := best(match(ix, asked, ""))
	return asked, got.MatchedName == alone.MatchedName && got.Score >= 0.60, ok
}

func authorApart(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool) {
	name, author := s.name, s.author
	if rng.IntN(2) == 0 {
		name = misspell(rng, name, 1)
	}
	if rng.IntN(4) == 0 {
		author = others[rng.IntN(len(others))]
	}
	asked = name + " " + author
	return asked, same(match(ix, asked, ""), match(ix, name, author)), author != ""
}

func moreSaid(ix *names.Index, rng *rand.Rand, s sample) (asked string, holds, ok bool) {
	q := names.Query{Name: s.name}
	if rng.IntN(2) == 0 {
		q.Name = misspell(rng, s.name, 1)
	}
	alone, err := ix.Match(q)
	q.Family, q.Kingdom = s.family, []string{"Plantae", "植物界", ""}[rng.IntN(3)]
	if best(alone).MatchedName != "" && string(best(alone).MatchedName) != s.name {
		return q.Name, true, false // the misspelt name is another name
	}
	more, again := ix.Match(q)
	least := best(alone).Score
	if !families.Same(string(best(alone).AcceptedFamily), s.family) {
		least = min(least, names.ScoreTake) // the synonym is in another family than the plant
	}
	return q.Name, err == nil && again == nil && best(more).Score >= least, true
}
