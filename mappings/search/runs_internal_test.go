package search

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/store"
)

// mostRuns is the maximum number of searches of the index that one query may start.
const mostRuns = 20

// TestRuns counts the searches of the index that long texts start: texts with many doses, questions in
// questions, parts, brackets, numbers and excluded herbs. None of them is found, so every way is tried.
func TestRuns(t *testing.T) {
	herbs := []store.Ingredient{{Herb: "麻黄", Plain: []string{"麻黄"}}, {Herb: "甘草", Plain: []string{"甘草"}}}
	formulas := opened(t, mappings.Formulas, []store.Formula{{FormulaDetail: store.FormulaDetail{Name: "甲汤", OriginalSource: "伤寒论", Dynasty: "汉", Indications: "治咳嗽"}, Ingredients: herbs}})
	species := opened(t, mappings.Species, []store.Species{{SpeciesDetail: store.SpeciesDetail{ChineseName: "草麻黄", ScientificName: "Ephedra sinica", Family: "Ephedraceae", FamilyChinese: "麻黄科"}}})
	for _, s := range []*Searcher{formulas, species} {
		for _, unit := range []string{
			" 9g", "9g", " 三两", " 3.5 kg", "的功效", " 9g的功效", "的功效 9g", "的方", "9g的方", "是什么植物 9g", "请问", "治", " uses", " 9g uses", "uses of ",
			"what is ", " tree", "嗐 ", "嗐、", "嗐(", "(嗐)", "（嗐）", "(", ")", "《嗐》", " (Xq zq)", "1. ", "1、", "三、", "(三)", "①", "不含嗐", " 不含嗐", " 不含麻黄", "不含麻黄、", "麻黄和", "麻黄 ",
			" without", " without ephedra", "without ", "formulas with ", "Xqaceae ", "麻黄科 ", "嗐 Xq ", "嗐xq", "伤寒论 ", "汉 ", "咳嗽 ", " decoction", "的", "各", "半",
		} {
			many := strings.Repeat(unit, (MaxQuery-len("Xqzq"))/utf8.RuneCountInString(unit))
			for _, text := range []string{many, "嗐嗐嗐嗐" + many, "Xqzq" + many, many + "嗐嗐嗐嗐", many + "Xqzq"} {
				if n := runs(t, s, text); n > mostRuns {
					t.Errorf("%q starts %d searches, more than %d", text, n, mostRuns)
				}
			}
		}
	}
	if n := runs(t, formulas, "嗐嗐嗐嗐 9g"); n < 3 { // or else nothing is counted
		t.Errorf("a name with a dose starts %d searches", n)
	}
}

// TestCitedRuns counts the searches and the allocations for citations with many words before the
// year. The allocations must not grow with the square of the words.
func TestCitedRuns(t *testing.T) {
	papers := opened(t, mappings.Papers, []store.Paper{{PaperSummary: store.PaperSummary{Title: "First", Authors: "Zuo Y; Wang L", Year: "2010"}}})
	for _, unit := range []string{"Z ", "q ", "Z q ", "Zuo ", "Zuo Wang "} {
		for _, title := range []string{"", " Xqzq"} {
			cited := func(runes int) string { return strings.Repeat(unit, runes/len(unit)) + "2010" + title }
			work := func(text string) float64 {
				return testing.AllocsPerRun(3, func() {
					if n := runs(t, papers, text); n > mostRuns {
						t.Errorf("%q starts %d searches, more than %d", text, n, mostRuns)
					}
				})
			}
			if half, all := work(cited(240)), work(cited(480)); all > 3*half {
				t.Errorf("%q: %v allocations, and %v for half of the words", cited(480), all, half)
			}
		}
	}
	if n := runs(t, papers, "Zuo 2010 Xqzq"); n < 3 { // or else nothing is counted
		t.Errorf("a citation starts %d searches", n)
	}
}

// runs returns the number of searches of the index that a query starts.
func runs(t *testing.T, s *Searcher, text string) (n int) {
	t.Helper()
	err := s.withBuffers(text, func(b *buffers) error {
		before := b.Finds
		q := Query{Text: text, Size: 10}
		if err := s.run(t.Context(), b, q, strings.TrimSpace(text), nil); err != nil {
			return err
		}
		_, err := s.elsewhere(t.Context(), b, q, strings.TrimSpace(text))
		n = b.Finds - before
		return err
	})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n
}

func opened[R any](t *testing.T, fields []mappings.Field[R], records []R) *Searcher {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "index")
	if err := index.Build(t.Context(), dir, fields, records); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, fields)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
