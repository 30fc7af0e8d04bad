package api

import (
	"context"
	"time"

	"bencao/internal/null"
)

// KeyInfo describes a key and how many requests it has left in this minute.
type KeyInfo struct {
	ID        null.Text  `json:"id" doc:"The operator's name for the key, which is not secret; null for a request without a key to a server that needs none."`
	Anonymous bool       `json:"anonymous" doc:"Whether the request had no key, on a server that needs none."`
	Scopes    []string   `json:"scopes" enum:"species_prescriptions,plant_uses,prescriptions,prescription_composition,prescription_similarity" doc:"The scopes of the key, besides the access that every key has."`
	Expires   *time.Time `json:"expires" doc:"When the key expires; null if it does not."`
	Limit     int32      `json:"limit" doc:"Requests allowed per minute, as in X-RateLimit-Limit."`
	Remaining int32      `json:"remaining" doc:"Requests left in this minute, after this one."`
	Reset     int32      `json:"reset" doc:"Whole seconds until the current minute ends. A minute begins with its first request."`
}

func (b *Backend) keyInfo(ctx context.Context, _ NoInput) (One[KeyInfo], error) {
	call := callOf(ctx)
	a := call.admission
	out := KeyInfo{
		ID: null.Text(a.Principal.ID), Anonymous: a.Anonymous, Scopes: call.scopes().Names(),
		Limit: int32(a.Quota.Limit), Remaining: int32(a.Quota.Remaining), Reset: int32(a.Quota.RetryAfter()),
	}
	if ends := a.Principal.Expires(); !ends.IsZero() {
		ends = ends.UTC()
		out.Expires = &ends
	}
	return encode(&b.buffers, out)
}
