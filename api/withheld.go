package api

import (
	"strings"

	"bencao/api/access"
)

// withheld are the scopes that no key has while the server has a public snapshot, which was built
// without the data of these scopes.
const withheld = access.SpeciesPrescriptions | access.PlantUses | access.PrescriptionComposition | access.PrescriptionSimilarity

// withheldError is the error of a request for data that a public snapshot lacks.
type withheldError struct{ scopes access.Scopes }

func (e *withheldError) Error() string { return "not in a public snapshot: " + e.names() }

// Is reports whether target is [access.ErrScope].
func (e *withheldError) Is(target error) bool { return target == access.ErrScope }

func (e *withheldError) names() string { return strings.Join(e.scopes.Names(), ", ") }
