package hostile_test

import (
	"bytes"
	"slices"
	"testing"

	"bencao/internal/test/hostile"
)

// TestKinds checks that lists are small and that the same seed gives the same list.
func TestKinds(t *testing.T) {
	names := map[string]bool{}
	for _, k := range hostile.Kinds() {
		if names[k.Name] {
			t.Errorf("two kinds are called %s", k.Name)
		}
		names[k.Name] = true
		list := k.Make(1)
		if len(list) >= 5<<20 {
			t.Errorf("%s has %d bytes, want less than 5 MiB", k.Name, len(list))
		}
		if !bytes.Equal(list, k.Make(1)) {
			t.Errorf("%s differs when it is made again with the same seed", k.Name)
		}
		if !slices.ContainsFunc([]uint64{2, 3, 4, 5}, func(seed uint64) bool { return !bytes.Equal(list, k.Make(seed)) }) {
			t.Errorf("%s is the same for every seed", k.Name)
		}
	}
}
