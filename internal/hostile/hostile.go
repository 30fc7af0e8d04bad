// Package hostile creates lists of names that are meant to harm the program that reads them:
// workbooks that unpack to a thousand times their size, nest without end, have false sizes or
// circular references, and text with millions of columns or unclosed quotes. Only tests use it.
// Begin with [Kinds].
//
// A list is less than 5 MiB as sent, and the same for the same seed.
package hostile

import (
	"math/rand/v2"
	"slices"
)

// Kind is a kind of attack on the reader of a list.
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

// kind returns a Kind whose function takes a random source.
func kind(name string, make func(r *rand.Rand) []byte) Kind {
	return Kind{name, func(seed uint64) []byte { return make(rand.New(rand.NewPCG(seed, uint64(len(name))))) }}
}

// between returns a random number from least to most.
func between(r *rand.Rand, least, most int) int { return least + r.IntN(most-least+1) }

// one returns a random one of several values.
func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }
