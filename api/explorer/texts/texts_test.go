package texts_test

import (
	"regexp"
	"slices"
	"testing"

	"bencao/api/explorer/texts"
	"bencao/api/problem"
)

var value = regexp.MustCompile(`\{\d\}`)

var english, chinese = texts.All[0], texts.All[1]

// TestCatalogues checks that every text exists in every language and has the same placeholders
// there.
func TestCatalogues(t *testing.T) {
	values := func(l *texts.Language, key string) []string {
		found := value.FindAllString(l.Say(key), -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, key := range english.Keys() {
		if chinese.Known(key, "") == "" {
			t.Errorf("%s is not in Chinese", key)
			continue
		}
		if en, zh := values(english, key), values(chinese, key); !slices.Equal(en, zh) {
			t.Errorf("%s has the values %v in English and %v in Chinese", key, en, zh)
		}
	}
	if en, zh := len(english.Keys()), len(chinese.Keys()); en != zh {
		t.Errorf("%d texts in English, %d in Chinese", en, zh)
	}
}

func TestAccepted(t *testing.T) {
	for header, want := range map[string]*texts.Language{"": english, "zh": chinese, "zh-TW,en;q=0.5": chinese, "de, en": english, "*&^": english} {
		if got := texts.Accepted(header); got != want {
			t.Errorf("%q is answered in %s", header, got.Code)
		}
	}
}

func TestQuotationMarks(t *testing.T) {
	for value, want := range map[string]string{
		`"a b"`:       "这里没有“a b”。",
		`"a\"b", "c"`: `这里没有“a\"b”、“c”。`,
		`""`:          "这里没有“”。",
		"/nothing":    "这里没有 /nothing。",
	} {
		if got := chinese.Tell(problem.NoPage.With(value)); got != want {
			t.Errorf("%s is told as %s, want %s", value, got, want)
		}
	}
}
