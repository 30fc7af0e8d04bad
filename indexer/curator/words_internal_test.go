package curator

import (
	"regexp"
	"slices"
	"testing"

	"bencao/indexer/finding"
)

var value = regexp.MustCompile(`\{\d\}`)

// TestCatalogues checks that every text exists in both languages and uses the same values.
func TestCatalogues(t *testing.T) {
	values := func(language, key string) []string {
		found := value.FindAllString(catalogues[language].Say(key), -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, key := range catalogues["en"].Keys() {
		if catalogues["zh"].Known(key, "") == "" {
			t.Errorf("%s is not in Chinese", key)
		} else if en, zh := values("en", key), values("zh", key); !slices.Equal(en, zh) {
			t.Errorf("%s has the values %v in English and %v in Chinese", key, en, zh)
		}
	}
	if en, zh := len(catalogues["en"].Keys()), len(catalogues["zh"].Keys()); en != zh {
		t.Errorf("%d texts in English, %d in Chinese", en, zh)
	}
	for _, code := range []finding.Code{finding.Package, finding.ForeignKey, finding.Unlinked, finding.Digest, finding.Cut} {
		if catalogues["en"].Known("code."+string(code), "") == "" {
			t.Errorf("the code %s has no text", code)
		}
	}
}
