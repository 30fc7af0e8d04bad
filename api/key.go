package api

import (
	"context"
	"time"

	"bencao/internal/null"
)

// KeyInfo describes a key and the rest of its limit.
type KeyInfo struct {
	ID        null.Text  `json:"id" doc:"What the operator calls the key, which is no secret; null where no key is asked for and none was brought."`
	Anonymous bool       `json:"anonymous" doc:"Whether the request brought no key, where none is asked for."`
	Scopes    []string   `json:"scopes" enum:"species_prescriptions,plant_uses,prescriptions,prescription_composition,prescription_similarity" doc:"What it opens besides what every key does."`
	Expires   *time.Time `json:"expires" doc:"From when on it is refused; null if it does not expire."`
	Limit     int32      `json:"limit" doc:"Requests let through in a minute, as X-RateLimit-Limit says."`
	Remaining int32      `json:"remaining" doc:"Requests left in this minute, after this one."`
	Reset     int32      `json:"reset" doc:"Whole seconds until the minute ends, which began with its first request."`
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
