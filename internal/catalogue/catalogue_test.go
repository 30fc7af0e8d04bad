package catalogue_test

import (
	"testing"
	"testing/fstest"

	"bencao/internal/catalogue"
)

func TestCatalogue(t *testing.T) {
	c := catalogue.Read(fstest.MapFS{"en.txt": {Data: []byte("# Remark.\n\nrows: {1} of {2} rows: {1}\nhits: {1} hit{1s}\nplain: text\n")}}, "en.txt")
	if got, want := c.Say("rows", 3, "x"), "3 of x rows: 3"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if got := c.Known("plain", "other") + c.Known("none", "other"); got != "textother" {
		t.Errorf("Known returns %q, want textother", got)
	}
	if got, want := c.Word("plain", "x")+c.Word("hits", ""), "x"; got != want {
		t.Errorf("Word returns %q, want %q", got, want)
	}
	if got, want := c.Say("hits", 1)+c.Say("hits", "1,000"), "1 hit1,000 hits"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if len(c.Keys()) != 3 {
		t.Errorf("Keys returns %q, want three keys", c.Keys())
	}
}

func TestCatalogueThatIsWrong(t *testing.T) {
	for _, text := range []string{"no key\n", "a: 1\na: 2\n"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is read as a catalogue, want a panic", text)
				}
			}()
			catalogue.Read(fstest.MapFS{"x.txt": {Data: []byte(text)}}, "x.txt")
		}()
	}
}
