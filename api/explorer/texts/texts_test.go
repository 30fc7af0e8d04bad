package texts_test

import (
	"regexp"
	"slices"
	"testing"

	"bencao/api/explorer/texts"
)

var value = regexp.MustCompile(`\{\d\}`)

// TestCatalogues wants every text in every language, with the same values.
func TestCatalogues(t *testing.T) {
	values := func(l *texts.Language, key string) []string {
		found := value.FindAllString(l.Say(key), -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, key := range texts.English.Keys() {
		if texts.Chinese.Known(key, "") == "" {
			t.Errorf("%s is not in Chinese", key)
			continue
		}
		if en, zh := values(texts.English, key), values(texts.Chinese, key); !slices.Equal(en, zh) {
			t.Errorf("%s has the values %v in English and %v in Chinese", key, en, zh)
		}
	}
	if en, zh := len(texts.English.Keys()), len(texts.Chinese.Keys()); en != zh {
		t.Errorf("%d texts in English, %d in Chinese", en, zh)
	}
}

func TestAccepted(t *testing.T) {
	for header, want := range map[string]*texts.Language{"": texts.English, "zh": texts.Chinese, "zh-TW,en;q=0.5": texts.Chinese, "de, en": texts.English, "*&^": texts.English} {
		if got := texts.Accepted(header); got != want {
			t.Errorf("%q is answered in %s", header, got.Code)
		}
	}
}
