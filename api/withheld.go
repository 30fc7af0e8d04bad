package api

import (
	"strings"

	"bencao/api/access"
)

// withheld are the scopes that no key has on a public snapshot, which was built
// without what they show.
const withheld = access.SpeciesPrescriptions | access.PlantUses | access.PrescriptionComposition | access.PrescriptionSimilarity

// withheldError refuses a request for what is not in a public snapshot.
type withheldError struct{ scopes access.Scopes }

func (e *withheldError) Error() string { return "not in a public snapshot: " + e.names() }

// Is counts it among the refusals for want of a scope.
func (e *withheldError) Is(target error) bool { return target == access.ErrScope }

func (e *withheldError) names() string { return strings.Join(e.scopes.Names(), ", ") }

// lacks tells why a snapshot can't answer a route, which may be nil, to
// anybody.
func (b *Backend) lacks(r *route) error {
	if r == nil || !b.meta.Public || r.scope&withheld == 0 {
		return nil
	}
	return &withheldError{r.scope & withheld}
}

// scopes are those of whoever asks, as far as the snapshot has what they show.
func (c *call) scopes() access.Scopes {
	p := c.admission.Principal
	switch {
	case p == nil:
		return access.Open
	case c.backend.meta.Public:
		return p.Scopes &^ withheld
	}
	return p.Scopes
}
