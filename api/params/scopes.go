package params

import (
	"bencao/api/access"
	"bencao/store"
)

// Scoped reports whether the input has a field for the scopes, so that answers may differ by key.
func (p *Plan) Scoped() bool { return p.scopes != nil }

// parts returns the parts of a formula that the scopes open.
func parts(scopes access.Scopes) store.Parts {
	var show store.Parts
	if scopes.Has(access.PrescriptionComposition) {
		show |= store.Composition
	}
	if scopes.Has(access.PrescriptionSimilarity) {
		show |= store.Similarity
	}
	return show
}
