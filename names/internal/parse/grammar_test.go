package parse

import (
	"strings"
	"testing"
)

// TestProductions parses the example of each production. The word after the bar in the example must
// get the kind of the production.
func TestProductions(t *testing.T) {
	p := New(nil)
	for _, row := range productions {
		before, behind, ok := strings.Cut(row.example, "|")
		if !ok {
			t.Errorf("the example %q has no bar before the word that it is for", row.example)
			continue
		}
		n := p.Parse(before + behind)
		i := len(strings.Fields(before))
		if i >= len(n.Tokens) {
			t.Errorf("%q: read as the words %v, with none at %d", row.example, n.Tokens, i)
			continue
		}
		if got := n.Tokens[i].Kind; got != row.kind {
			t.Errorf("%q: read %q as %v, want %v", row.example, n.Tokens[i].Text, got, row.kind)
		}
	}
}

// TestRemainder checks that the parser reports the words that follow a name, since a cell may
// contain more than one name.
func TestRemainder(t *testing.T) {
	for text, want := range map[string]string{
		"Rosa canina L. 12~3 Berlin":           "12~3 Berlin",
		"Rosa sp. with red fruits":             "with red fruits",
		"Rosa canina Rosa alba":                "Rosa alba",
		"Rosa canina L. var. alba (Huds.) DC.": "",
	} {
		var unread []string
		for _, w := range New(nil).Parse(text).Tokens {
			if w.Kind == Unread {
				unread = append(unread, w.Text)
			}
		}
		if got := strings.Join(unread, " "); got != want {
			t.Errorf("Parse(%q) leaves %q unread, want %q", text, got, want)
		}
	}
}
