package api

import (
	"context"

	"bencao/api/access"
)

// terms are the addresses of the licence and of how to cite, and what every answer
// links of them.
type terms struct{ license, citeAs, links string }

func newTerms(license, citeAs string) terms {
	return terms{license, citeAs, "<" + license + `>; rel="license", <` + citeAs + `>; rel="cite-as"`}
}

// caller is what a handler may know of who asks, and under which terms.
type caller struct {
	scopes    access.Scopes
	admission access.Admission
	terms     terms
}

type callerKey struct{}

func (c caller) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns who asks.
func callerOf(ctx context.Context) caller {
	c, ok := ctx.Value(callerKey{}).(caller)
	if !ok {
		panic("api: a handler was called past its route") // a bug of ours
	}
	return c
}
