package parse

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestWords parses a text for each word of the grammar, in which ~ stands for the word, ^ for the word
// with a capital, and the result may have the mark $ of the word. Without the word in its list, the result
// must be another one.
func TestWords(t *testing.T) {
	testWords(t, gardenWords, "Rosa ~", "Rosa | openNomenclature")
	testWords(t, senses, "Rosa gallica s. ~.", "Rosa gallica |")
	testWords(t, shortRanks, "Rosa gallica L. ~.", "Rosa gallica L. ~. |")
	testWords(t, notNames, "^ alba", "|")
	testWords(t, infragenericWords, "Rosa ~. Caninae", "Rosa $ Caninae | $ Caninae")
}

func testWords[V any](t *testing.T, words map[string]V, text, want string) {
	t.Helper()
	for w, mark := range maps.Clone(words) {
		form := strings.NewReplacer("~", w, "^", strings.ToUpper(w[:1])+w[1:], "$", fmt.Sprint(mark))
		if got := parsed(form.Replace(text)); !strings.HasPrefix(got, form.Replace(want)) {
			t.Errorf("%s => %s, want %s", form.Replace(text), got, form.Replace(want))
		}
		delete(words, w)
		if got := parsed(form.Replace(text)); strings.HasPrefix(got, form.Replace(want)) {
			t.Errorf("%s => %s also without %s in its list", form.Replace(text), got, w)
		}
		words[w] = mark
	}
}

// parsed returns the parts of a name that words of the grammar decide.
func parsed(text string) string {
	n := New(noWords{}).Parse(text)
	parts := append([]string{n.Canonical, n.Author, "|", n.Infragenus}, n.Flags.Words()...)
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
