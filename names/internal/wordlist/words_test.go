package wordlist_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/names/internal/answer"
	"bencao/names/internal/build"
	"bencao/names/internal/checklist"
	"bencao/names/internal/match"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// uses has, for each kind, texts as people write them, and their answers. The sign ~ stands for a word of
// the kind, and ^ for the word with a capital.
var uses = map[wordlist.Kind][]struct{ text, want string }{
	wordlist.Particle: {
		{"Quercus robur L. ~ Murray", "Quercus robur 0.90"},
		{"Rosa gallica ~ Mons", "Rosa gallica 0.90 authorDiffers"}, {"Rosa gallica ~ Mons", "Rosa gallica 0.98"},
	},
	wordlist.Open:      {{"Rosa ~", "Rosa 0.20 openNomenclature"}, {"Rosa ~3", "Rosa 0.20 openNomenclature"}},
	wordlist.Nameless:  {{"Rosaceae ~", "Rosaceae 0.20 openNomenclature"}},
	wordlist.Qualifier: {{"Rosa ~ gallica", "Rosa gallica 0.98 qualifier"}, {"~ Rosa gallica", "Rosa gallica 0.98 qualifier"}},
	wordlist.Near:      {{"Rosa ~ gallica", "Rosa 0.20 openNomenclature qualifier | gallica"}},
	wordlist.Doubt:     {{"^ Rosa gallica", "Rosa gallica 0.98 qualifier annotationIgnored"}},
	wordlist.Aggregate: {{"Rosa gallica L. ~.", "Rosa gallica 1.00 aggregate"}},
	wordlist.Note: {
		{"Rosa gallica L. ~ Mill.", "Rosa gallica 1.00 annotationIgnored"}, {"Rosa gallica L. ~ Mill.", "Rosa gallica 0.60 annotationIgnored"},
		{"Rosa gallica L. (~.)", "Rosa gallica 1.00 annotationIgnored"},
	},
	wordlist.Kept: {
		{"Rosa ~. Gallicanae (L.) Mill.", "Rosa 0.20"}, {"Rosa gallica ~ Nana", "Rosa gallica 0.98 cultivarIgnored"},
		{"Rosa gallica ~ 'Nana'", "Rosa gallica 0.98 aggregate cultivarIgnored"}, {"Rosa gallica ~ 'Nana'", "Rosa gallica 0.98 qualifier cultivarIgnored"},
		{"Rosa gallica ~ lat", "Rosa gallica 0.98 aggregate annotationIgnored"}, {"Rosa gallica ~ alba", "Rosa gallica var. alba 0.93 rankDiffers"},
		{"Rosa gallica ~ petraea", "Rosa gallica 0.85 ambiguous; Rosa 0.20 ambiguous"},
	},
	wordlist.Label:      {{"^. 12 Quercus robur L.", "Quercus robur 1.00 annotationIgnored"}},
	wordlist.Vernacular: {{"Oil ~ Quercus robur", "Quercus robur 0.98 annotationIgnored"}, {"^ of Quercus robur", "Quercus robur 0.98 annotationIgnored"}},
	wordlist.Remark:     {{"Quercus robur L. ~ 1871 Wien", "Quercus robur 1.00 annotationIgnored"}},
	wordlist.Firm:       {{"Quercus robur L. ^ 7: 18", "Quercus robur 1.00 annotationIgnored"}},
	wordlist.Work:       {{"Quercus robur L. ^. 12: 34", "Quercus robur 1.00 annotationIgnored"}},
	wordlist.Connective: {{"Quercus robur ~ Rosa gallica", "Quercus robur 0.50 ambiguous; Rosa gallica 0.50 ambiguous"}},
	wordlist.Ender: {
		{"Quercus robur, ~ Quercus petraea", "Quercus robur 0.98 annotationIgnored"}, {"Quercus robur, ~ Quercus petraea", "Quercus robur 0.60 annotationIgnored"},
		{"Quercus robur, ~ Quercus petraea", "Quercus robur 0.88 | as Quercus petraea"},
		{"Quercus robur, ~ Quercus petraea", "Quercus robur 0.88 qualifier annotationIgnored | Quercus petraea"},
	},
	wordlist.Host: {{"Quercus robur ~ Rosa gallica", "Quercus robur 0.98 annotationIgnored"}},
}

// TestWords asks the uses of each word in the lists. One of them at least must have its answer, and must
// have another one without the word in the list.
func TestWords(t *testing.T) {
	ix := fewNames(t)
	for kind, word := range wordlist.Words {
		decides, said := false, ""
		for _, use := range uses[kind] {
			text := strings.NewReplacer("~", word, "^", spelling.Capitalise(word)).Replace(use.text)
			got := ask(t, ix, text)
			said += fmt.Sprintf("\n\t%s => %s", text, got)
			if got == use.want {
				restore := wordlist.Without(kind, word)
				decides = decides || ask(t, ix, text) != got
				restore()
			}
		}
		if !decides {
			t.Errorf("%s is in a list (%b) that decides none of its uses:%s", word, kind, said)
		}
	}
}

// TestChineseWords asks each word before or behind a Chinese name, and each kind of vegetation. Without
// the word in its list the answer must be another one.
func TestChineseWords(t *testing.T) {
	ix := fewNames(t)
	for _, l := range []struct {
		words *[]string
		uses  [][2]string // a text, in which ~ stands for a word, and its answer
	}{
		{&wordlist.ChineseBefore, [][2]string{{"~短芒大麦草", "Rosa gallica 0.98"}}},
		{&wordlist.ChineseBehind, [][2]string{{"短芒大麦草~", "Rosa gallica 0.98"}, {"山桦~", "Quercus robur 0.98"}}},
		{&wordlist.ChineseVegetation, [][2]string{{"~", ""}}},
	} {
		all := *l.words
		for i, w := range all {
			decides := false
			for _, use := range l.uses {
				text := strings.Replace(use[0], "~", w, 1)
				*l.words = all
				with := ask(t, ix, text)
				*l.words = slices.Delete(slices.Clone(all), i, i+1)
				decides = decides || with == use[1] && ask(t, ix, text) != with
			}
			if *l.words = all; !decides {
				t.Errorf("%s is in a list that decides none of %v", w, l.uses)
			}
		}
	}
}

// TestKingdoms asks a name with each kingdom: with one of plants the name is found for sure, and with
// another not. Prunella and Prunella vulgaris are of animals, too.
func TestKingdoms(t *testing.T) {
	ix := fewNames(t)
	for word, plant := range maps.Clone(wordlist.Kingdoms) {
		name, want := "Rosa gallica", ""
		if plant {
			name, want = "Prunella", "Prunella 0.98"
		}
		query := answer.Query{Name: name, Kingdom: spelling.Capitalise(word)}
		with := askQuery(t, ix, query)
		delete(wordlist.Kingdoms, word)
		without := askQuery(t, ix, query)
		if wordlist.Kingdoms[word] = plant; with != want || without == want {
			t.Errorf("%s in the kingdom %s => %s, want %s; without the word %s", name, word, with, want, without)
		}
	}
}

// TestCrops asks each name of a crop in a checklist with the names of floras. Without the name in the
// table the answer must be another one.
func TestCrops(t *testing.T) {
	b := build.New()
	list := b.Checklist(checklist.Checklist{Source: checklist.SourceWCVP, Name: "WCVP", Version: "13"})
	plants := map[string]string{}
	for _, floras := range wordlist.Crops {
		for _, flora := range floras {
			if plants[flora] == "" {
				i := len(plants)
				plants[flora] = "Rosa " + string(rune('b'+i/20)) + string(rune('b'+i%20)) + "folia"
				testkit.Must(t, list.Add(checklist.Usage{ID: fmt.Sprint(i + 1), Name: plants[flora], Status: checklist.Accepted}))
				testkit.Must(t, b.Record(checklist.Record{EntryID: int32(i + 1), ChineseName: flora, ScientificName: plants[flora], Rank: "species"}))
			}
		}
	}
	ix := open(t, b)
	for name, floras := range maps.Clone(wordlist.Crops) {
		with := ask(t, ix, name)
		delete(wordlist.Crops, name)
		without := ask(t, ix, name)
		wordlist.Crops[name] = floras
		for _, flora := range floras {
			if !strings.Contains(with, plants[flora]) || with == without {
				t.Errorf("%s => %s, want %s = %s; without the name in the table %s", name, with, flora, plants[flora], without)
			}
		}
	}
}

// ask returns the answer to a name in short.
func ask(tb testing.TB, ix *match.Index, text string) string {
	tb.Helper()
	return askQuery(tb, ix, answer.Query{Name: text, Limit: 5})
}

func askQuery(tb testing.TB, ix *match.Index, q answer.Query) string {
	tb.Helper()
	r, err := ix.Match(q)
	testkit.Must(tb, err)
	var said []string
	for _, e := range r.Results {
		said = append(said, strings.TrimSpace(fmt.Sprintf("%s %.2f %s", e.MatchedName, e.Score, strings.Join(e.Flags, " "))))
	}
	return strings.TrimSuffix(strings.Join(said, "; ")+" | "+string(r.Unread), " | ")
}

// fewNames returns an index with the names of the uses.
func fewNames(tb testing.TB) *match.Index {
	tb.Helper()
	b := build.New()
	list := b.Checklist(checklist.Checklist{Source: checklist.SourceWCVP, Name: "WCVP", Version: "13"})
	family := map[string]string{"Q": "Fagaceae", "R": "Rosaceae", "P": "Lamiaceae"}
	for i, name := range []string{"Quercus", "Quercus robur|L.", "Quercus petraea|(Matt.) Liebl.", "Rosa|L.", "Rosa gallica|L.", "Rosa gallica var. alba|Mill.", "Prunella|L."} {
		name, author, _ := strings.Cut(name, "|")
		testkit.Must(tb, list.Add(checklist.Usage{ID: fmt.Sprint(i + 1), Name: name, Author: author, Status: checklist.Accepted, Family: family[name[:1]]}))
	}
	for i, chinese := range []string{"短芒大麦草", "红树", "松林", "杉木", "白桦", "桉树", "橡胶", "胡杨"} {
		name := "Rosa gallica"
		if i > 0 {
			name = "Rosa " + string(rune('a'+i)) + "folia"
			testkit.Must(tb, list.Add(checklist.Usage{ID: fmt.Sprint(i + 10), Name: name, Status: checklist.Accepted}))
		}
		testkit.Must(tb, b.Record(checklist.Record{EntryID: int32(i + 1), ChineseName: chinese, ScientificName: name, Rank: "species"}))
	}
	testkit.Must(tb, b.Record(checklist.Record{EntryID: 20, ChineseName: "山桦", ScientificName: "Quercus robur", Rank: "species", Aliases: []checklist.RecordAlias{{Name: "山桦树"}}}))
	return open(tb, b)
}

// open returns the index of the names that were added to a builder.
func open(tb testing.TB, b *build.Builder) *match.Index {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "names.idx")
	testkit.Must(tb, b.WriteFile(path))
	ix, err := match.Open(path)
	testkit.Must(tb, err)
	tb.Cleanup(func() { testkit.Must(tb, ix.Close()) })
	return ix
}
