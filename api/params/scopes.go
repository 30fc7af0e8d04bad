package params

import (
	"bencao/api/access"
	"bencao/store"
)

// Scoped reports whether the handler's input has a field for the scopes. If so, the answer may
// depend on the key.
func (p *Plan) Scoped() bool { return p.scopes != nil }

// parts returns the parts of a formula that a key with the given scopes may see.
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
