package store

import (
	"math/rand/v2"
	"testing"
)

// TestFirstMark compares firstMark with a byte-by-byte search.
func TestFirstMark(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		text := make([]byte, rnd.IntN(40))
		for i := range text {
			if text[i] = byte(8 + rnd.IntN(248)); rnd.IntN(25) == 0 {
				text[i] = byte(rnd.IntN(10))
			}
		}
		want := 0
		for want < len(text) && text[want] >= 8 {
			want++
		}
		if got := firstMark(text); got != want {
			t.Fatalf("the first mark of %q is at %d, want %d", text, got, want)
		}
	}
}

// TestTemplateText reads fields with Text from templates whose fields contain quotes, backslashes
// and texts that look like fields.
func TestTemplateText(t *testing.T) {
	for _, want := range []string{"", "人参", `a "b" \ c`, `"name":"x"`, `\`, "tab\tand\u0002", `","guid":"y`} {
		row, err := render(FormulaSummary{GUID: want + "1", Name: Text(want), Dynasty: Text(want), URL: siteURL("/x")}, 1)
		must(t, err)
		for field, want := range map[string]string{"guid": want + "1", "name": want, "dynasty": want} {
			if got, err := row.Text(field); err != nil || got != want {
				t.Errorf("%s of %s is %q, %v; want %q", field, row, got, err, want)
			}
		}
		if got, err := row.Text("title"); err == nil {
			t.Errorf("%s has the title %q, want an error", row, got)
		}
	}
	if got, err := Template(`{"name":"cut \`).Text("name"); err == nil {
		t.Errorf("a text that is cut off reads %q, want an error", got)
	}
}
