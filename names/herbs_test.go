package names_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/names"
)

// judgedFigure counts the answers to names of one kind.
type judgedFigure struct{ asked, right, other int }

// todays maps species of judged herbs to the names that the checklists or the database use for them
// today. It has only the names that the file of judged herbs lacks.
var todays = map[string]string{
	"Eugenia caryophyllata": "Syzygium aromaticum", "Daemonorops draco": "Calamus draco", "Boswellia carterii": "Boswellia sacra",
	"Sophora japonica": "Styphnolobium japonicum",
}

// rightHerb compares the best answer to a herb's name with the judged herb. right reports whether
// the answer is a species of the herb, other whether it is another species. Both are false if the
// answer is only a genus.
func rightHerb(r names.Response, row map[string]string) (right, other bool) {
	entries, species := strings.Split(row["species_in_data"], "|"), strings.Split(row["species"], "|")
	if row["kind"] != "plant" {
		return len(r.Results) == 0 || r.Results[0].MatchType == "higherRank", len(r.Results) > 0 && r.Results[0].MatchType != "higherRank"
	}
	if len(r.Results) == 0 || r.Results[0].MatchType == "higherRank" {
		return false, false
	}
	e := r.Results[0]
	if e.EntryID != nil && slices.Contains(entries, strconv.Itoa(int(*e.EntryID))) {
		return true, false
	}
	for _, s := range species {
		for _, n := range []string{string(e.MatchedName), string(e.AcceptedName)} {
			if twoWords(s) == twoWords(n) || todays[s] == n {
				return true, false
			}
		}
	}
	return false, true
}

// twoWords returns the genus and the epithet of a name.
func twoWords(name string) string {
	words := strings.Fields(strings.ReplaceAll(name, "× ", ""))
	return strings.Join(words[:min(2, len(words))], " ")
}

// TestJudgedHerbs measures the answers to the names of judged herbs.
func TestJudgedHerbs(t *testing.T) {
	ix := sharedIndex(t)
	figures := map[string]*judgedFigure{}
	ask := func(kind, name string, row map[string]string) {
		if name == "" {
			return
		}
		f := figures[kind]
		if f == nil {
			f = &judgedFigure{}
			figures[kind] = f
		}
		f.asked++
		r := match(ix, name, "")
		right, other := rightHerb(r, row)
		if right {
			f.right++
			return
		}
		if other {
			f.other++
		}
		answer := "none"
		if len(r.Results) > 0 {
			answer = string(r.Results[0].MatchedName) + " " + strconv.FormatFloat(r.Results[0].Score, 'f', 2, 64)
		}
		t.Logf("%s %s: %s via %s (%s, %s)", kind, name, answer, r.MatchedVia, row["chinese"], row["species"])
	}
	for row := range judged(t, filepath.Join(sharedDir(t), "golden", "drugs-dev.tsv")) {
		plain := "plants"
		if row["kind"] != "plant" {
			plain = "no plants"
			ask("no plants", row["latin_2020"], row)
			ask("no plants", row["latin_old"], row)
		} else {
			ask("Latin, new order", row["latin_2020"], row)
			ask("Latin, old order", row["latin_old"], row)
			for p := range strings.SplitSeq(row["synonyms_zh"], "|") {
				ask("other names", p, row)
			}
		}
		ask(plain, row["chinese"], row)
		for p := range strings.SplitSeq(row["processed"], "|") {
			if plain == "plants" {
				ask("processed", p, row)
			} else {
				ask("no plants", p, row)
			}
		}
	}
	least := map[string]float64{"plants": 0.97, "Latin, new order": 0.95, "Latin, old order": 0.95, "processed": 0.95, "no plants": 1, "other names": 0.75}
	for kind, f := range figures {
		right, other := float64(f.right)/float64(f.asked), float64(f.other)/float64(f.asked)
		t.Logf("%s: %d of %d right (%.3f), another plant %d (%.3f)", kind, f.right, f.asked, right, f.other, other)
		if right < least[kind] || f.other > max(1, f.asked/100) && kind != "other names" {
			t.Errorf("%s: %.3f right, another plant %.3f; want %.2f and at most 0.01", kind, right, other, least[kind])
		}
	}
}

// TestHerbs matches the names of the herbs in the data package. At least 350 of them must resolve
// to a species that the package's table gives for the herb.
func TestHerbs(t *testing.T) {
	ix := sharedIndex(t)
	herbs := map[string][]int{}
	var order []string
	err := eachRow(filepath.Join(sharedDir(t), "data", "china-plants.zip"), "herb_species.csv", ',', func(r map[string]string) error {
		id, err := strconv.Atoi(r["species_id"])
		if herbs[r["herb"]] == nil {
			order = append(order, r["herb"])
		}
		herbs[r["herb"]] = append(herbs[r["herb"]], id)
		return err
	})
	must(t, err)
	right := 0
	for _, h := range order {
		r := match(ix, h, "")
		if len(r.Results) > 0 && r.Results[0].EntryID != nil && slices.Contains(herbs[h], int(*r.Results[0].EntryID)) {
			right++
			continue
		}
		t.Logf("%s: %v via %s, want %v", h, r.Results, r.MatchedVia, herbs[h])
	}
	t.Logf("%d of %d names of the package's drugs lead to its species", right, len(order))
	if right < 350 {
		t.Errorf("%d right, want 350", right)
	}
}

// TestHerbCorpus matches the names of testdata/herbs.txt.
func TestHerbCorpus(t *testing.T) {
	ix := sharedIndex(t)
	text, err := os.ReadFile(filepath.Join("testdata", "drugs.txt"))
	must(t, err)
	asked, wrong := 0, 0
	for line := range strings.Lines(string(text)) {
		name, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		asked++
		r := match(ix, name, "")
		switch {
		case len(r.Results) == 0:
			ok = want == "none"
		case r.Results[0].MatchType == "higherRank":
			ok = false
		default:
			e := r.Results[0]
			ok = slices.ContainsFunc(strings.Split(want, " | "), func(s string) bool {
				return twoWords(s) == twoWords(string(e.MatchedName)) || twoWords(s) == twoWords(string(e.AcceptedName))
			})
		}
		if !ok {
			wrong++
			answer := "none"
			if len(r.Results) > 0 {
				answer = string(r.Results[0].MatchedName)
			}
			t.Errorf("%s: %s via %s, want %s", name, answer, r.MatchedVia, want)
		}
	}
	t.Logf("%d of %d names right", asked-wrong, asked)
}
