package access

import (
	"net/netip"
	"slices"
	"time"
)

// Entry is one key of the access file.
type Entry struct {
	// ID identifies the key in logs and commands. It has up to 64 lower-case letters, digits, dots,
	// hyphens and underscores, and begins with a letter or digit.
	ID string
	// Name is the person or group that holds the key. It may be empty.
	Name string
	Hash Hash
	// Networks lists the networks from which the key may be used; at least one.
	Networks []netip.Prefix
	// AllowAny must be set for networks that are [TooWide].
	AllowAny bool
	Scopes   Scopes
	// Rate is the number of requests in a [Window], 1 to [MaxRate].
	Rate int
	// Expires is the moment from which the key is refused. The zero time means never.
	Expires  time.Time
	Disabled bool
	// Note is a remark for people. It may be empty.
	Note string
}

// MaxRate is the largest rate of a key. It exists to catch typing errors.
const MaxRate = 1_000_000

func (e Entry) clone() Entry {
	e.Networks = slices.Clone(e.Networks)
	return e
}

// equal reports whether two entries have the same values. The order of networks does not matter.
func (e Entry) equal(o Entry) bool {
	return e.ID == o.ID && e.Name == o.Name && e.Hash == o.Hash && e.AllowAny == o.AllowAny &&
		e.Scopes == o.Scopes && e.Rate == o.Rate && e.Disabled == o.Disabled && e.Note == o.Note &&
		e.Expires.Equal(o.Expires) && slices.Equal(sorted(e.Networks), sorted(o.Networks))
}

// intersect returns an entry with the rights that both e and o have. The id, the name and the note
// are those of o.
func (e Entry) intersect(o Entry) Entry {
	if !slices.Equal(e.Networks, o.Networks) {
		o.Networks = common(e.Networks, o.Networks)
	}
	o.AllowAny = o.AllowAny && e.AllowAny
	o.Scopes &= e.Scopes
	o.Rate = min(o.Rate, e.Rate)
	o.Disabled = o.Disabled || e.Disabled
	if o.Expires.IsZero() || !e.Expires.IsZero() && e.Expires.Before(o.Expires) {
		o.Expires = e.Expires
	}
	return o
}

// State returns the state of the key at the time now: "active", "disabled" or "expired".
func (e Entry) State(now time.Time) string {
	switch {
	case e.Disabled:
		return string(Disabled)
	case !e.Expires.IsZero() && !now.Before(e.Expires):
		return string(Expired)
	}
	return "active"
}

// networkTexts returns networks in the form in which the access file has them.
func networkTexts(networks []netip.Prefix) []string {
	out := make([]string, len(networks))
	for i, p := range networks {
		out[i] = networkText(p)
	}
	return out
}
