package params

import (
	"bencao/api/access"
	"bencao/store"
)

// Scoped tells whether the input takes the scopes of the key, so that a key with
// more of them may be answered otherwise.
func (p *Plan) Scoped() bool { return p.scopes != nil }

// parts is what of a formula the scopes open.
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
