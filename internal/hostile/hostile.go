// Package hostile makes lists of names that are meant to harm their reader: workbooks that unpack
// to a thousand times their size, nest without end, lie about themselves or lead astray, and text
// with millions of columns or quotes that never close. Only tests use it.
//
// A list is small as it is sent, less than 5 MiB, and the same for the same seed.
package hostile

import (
	"math/rand/v2"
	"slices"
)

// Kind is a way to harm a reader of lists.
type Kind struct {
	// Name is unique, such as "workbook/styles/bloated".
	Name string
	// Make returns the list of a seed. Another seed makes another list of the
	// same kind.
	Make func(seed uint64) []byte
}

// Kinds returns all kinds, always in the same order.
func Kinds() []Kind {
	return slices.Concat(partKinds(), zipKinds(), relationKinds(), sheetKinds(), textKinds())
}

// kind makes a Kind of a function that draws what it varies from r.
func kind(name string, make func(r *rand.Rand) []byte) Kind {
	return Kind{name, func(seed uint64) []byte { return make(rand.New(rand.NewPCG(seed, uint64(len(name))))) }}
}

// between draws a number from least to most.
func between(r *rand.Rand, least, most int) int { return least + r.IntN(most-least+1) }

// one draws one of several values.
func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }
