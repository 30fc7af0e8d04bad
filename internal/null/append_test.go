package null_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"bencao/internal/null"
)

// encoded returns the JSON of a value from encoding/json, without HTML escapes.
func encoded(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// FuzzAppend compares the appended texts with those of encoding/json.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "Panax ginseng", "人参", "C. A. Mey.", `"`, `\`, "a\x00b", "\x7f", "Hook.f. & Thomson", "<b>", "\u2028", "\u2029", "†", "×", "\xff", "\xe2\x80", "é", "𠀀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(null.AppendString([]byte("before"), s)), "before"+encoded(t, s); got != want {
			t.Errorf("%q is appended as %s, want %s", s, got, want)
		}
		if got, want := string(null.Text(s).AppendJSON([]byte("before"))), "before"+encoded(t, null.Text(s)); got != want {
			t.Errorf("text %q is appended as %s, want %s", s, got, want)
		}
	})
}
