// Package noplants has the names that must find no plant.
package noplants

import (
	"iter"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/names/herb"
)

// Names yields every name of the animals, minerals, fungi, algae and made drugs in the table of herbs,
// with its herb, except the names in the file both, which plants have too.
func Names(t testing.TB, both string) iter.Seq2[*herb.Herb, string] {
	t.Helper()
	plants := testkit.Table(t, both)
	return func(yield func(*herb.Herb, string) bool) {
		for _, h := range herb.All() {
			if h.IsPlant() {
				continue
			}
			named := []string{h.Name}
			for _, a := range h.Aliases {
				named = append(named, a.Name)
			}
			for _, name := range named {
				if plants[name] == "" && !yield(h, name) {
					return
				}
			}
		}
	}
}
