package main

import "testing"

// TestWrap checks that lines of the help end at spaces, and that an example keeps its lines.
func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"a line that is long": "a line\nthat is\nlong",
		"unbreakable-word x":  "unbreakable-word\nx",
		"\tan example stays":  "\tan example stays",
		"short":               "short",
		"本草 本草 本草":            "本草 本草\n本草",
	} {
		if got := wrap(text, 10); got != want {
			t.Errorf("%q is\n%s\nwant\n%s", text, got, want)
		}
	}
}
