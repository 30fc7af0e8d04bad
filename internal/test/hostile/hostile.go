// Package hostile creates lists of names that are meant to harm the program that reads them:
// workbooks that unpack to a thousand times their size, are nested endlessly, or have false sizes
// or circular references, and text with millions of columns or unclosed quotes. [Readers] returns
// readers that end in unusual ways. Only tests use the package. Begin with [Kinds].
//
// A list is smaller than 5 MiB before it is unpacked. The same seed gives the same list.
package hostile

import (
	"math/rand/v2"
	"slices"
)

// Kind is a kind of attack on a program that reads a list.
type Kind struct {
	// Name is unique, such as "workbook/styles/bloated".
	Name string
	// Make returns a list for a seed. Another seed gives another list of the same kind.
	Make func(seed uint64) []byte
}

// Kinds returns all kinds in a fixed order.
func Kinds() []Kind {
	return slices.Concat(partKinds(), zipKinds(), relationKinds(), sheetKinds(), textKinds())
}

// kind returns a Kind. Its lists come from the function make, which gets a source of random
// numbers.
func kind(name string, make func(r *rand.Rand) []byte) Kind {
	return Kind{name, func(seed uint64) []byte { return make(rand.New(rand.NewPCG(seed, uint64(len(name))))) }}
}

// between returns a random number in the range from least to most, inclusive.
func between(r *rand.Rand, least, most int) int { return least + r.IntN(most-least+1) }

// one returns one of several values at random.
func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }
