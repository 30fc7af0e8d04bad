package invisible_test

import (
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"bencao/internal/invisible"
)

// TestIs compares Is with the properties that Unicode gives to each character.
func TestIs(t *testing.T) {
	needed := func(r rune) bool {
		return r == '\t' || r == '\n' || r == '\r' || r == 0x200C || r == 0x200D || unicode.Is(unicode.Variation_Selector, r) ||
			unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r == 0x70F || r == 0x180B || r >= 0x13430 && r <= 0x1345F
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		hidden := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
		if want := hidden && !needed(r); want && !invisible.Is(r) {
			t.Errorf("%U is invisible, but Is returns false", r)
		} else if invisible.Is(r) && !hidden && !(r >= 0xFFF0 && r <= 0xFFFB || r >= 0xE0000 && r < 0xE1000 || r == 0x180E || r == 0x2065) {
			t.Errorf("%U is visible or needed, but Is returns true", r)
		}
	}
}

func TestDropAndEscape(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                          {"", ""},
		"人参 Panax ginsẽng\n\t":      {"人参 Panax ginsẽng\n\t", "人参 Panax ginsẽng\n\t"},
		"\u202e人参":                  {"人参", `\u202e人参`},
		"a\x1b[31mb\x7f\u0085c":     {"a[31mb c", `a\u001b[31mb\u007f\u0085c`},
		"a\u2028b\u00adc\ufeff":     {"a bc", `a\u2028b\u00adc\ufeff`},
		"葛\U000E0100 e\u200d\ufe0f": {"葛\U000E0100 e\u200d\ufe0f", "葛\U000E0100 e\u200d\ufe0f"},
		"\xe4\x1bx":                 {"\uFFFDx", "\xe4\\u001bx"},
		"x\U000E0041":               {"x", `x\udb40\udc41`},
	} {
		if got := invisible.Drop(in); got != want[0] {
			t.Errorf("Drop(%q) is %q, want %q", in, got, want[0])
		}
		if got := string(invisible.DropBytes([]byte(in))); got != want[0] {
			t.Errorf("DropBytes(%q) is %q, want %q", in, got, want[0])
		}
		if got := string(invisible.Escape([]byte(in))); got != want[1] {
			t.Errorf("Escape(%q) is %q, want %q", in, got, want[1])
		}
		r, at, ok := invisible.Find(in)
		if ok != (in != want[1]) || ok && []rune(in)[at-1] != r {
			t.Errorf("Find(%q): %U at %d, %v", in, r, at, ok)
		}
	}
	if got := invisible.Name(0x202E) + invisible.Name(0x2063); got != "U+202E (right-to-left override)U+2063" {
		t.Errorf("Name returns %q for U+202E and U+2063", got)
	}
}

// FuzzEscape checks that no invisible character remains and that an escaped JSON string still
// decodes to the same text.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"\u202e人参", "a\xff\u2028", "\xc2", "\U000E0041", "\xe4\x1b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{invisible.Drop(s), string(invisible.DropBytes([]byte(s))), string(invisible.Escape([]byte(s)))} {
			if !utf8.ValidString(s) {
				continue
			}
			if r, at, ok := invisible.Find(out); ok {
				t.Errorf("%q: %U is left at %d of %q", s, r, at, out)
			}
		}
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var was, is string
		if err := json.Unmarshal(b, &was); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(invisible.Escape(b), &is); err != nil || is != was {
			t.Errorf("%q is %q when escaped: %v", was, is, err)
		}
	})
}
