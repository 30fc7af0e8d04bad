package spelling_test

import (
	"slices"
	"testing"

	"bencao/names/internal/spelling"
)

func TestMisreadings(t *testing.T) {
	word := []byte("ligustrurn")
	var printed []string
	for _, m := range spelling.AppendMisreadings(nil, word) {
		printed = append(printed, string(m.AppendPrinted(nil, word)))
	}
	for _, want := range []string{"ligustrum", "hgustrurn"} {
		if !slices.Contains(printed, want) {
			t.Errorf("%s may not have been %s in print, only %q", word, want, printed)
		}
	}
}
