package curator

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/finding"
	"bencao/store"
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

// TestFields checks that every field of a record whose change the report tells has a name for people.
func TestFields(t *testing.T) {
	for _, record := range []any{store.SpeciesDetail{}, store.FormulaDetail{}, store.PaperSummary{}, store.HerbDetail{}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(record)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" || name == "-" || field.Tag.Get("json") == "aliasOf,omitempty" || slices.Contains(ignoredFields, name) {
				continue
			}
			if catalogues["en"].Known("field."+name, "") == "" {
				t.Errorf("the field %s of %T has no text; add field.%s to en.txt and zh.txt", name, record, name)
			}
		}
	}
}
