package access

import (
	"net/netip"
	"slices"
	"time"
)

// Entry is one key of the access file.
type Entry struct {
	// ID names the key in logs and commands: up to 64 lower-case letters,
	// digits, dots, hyphens and underscores, the first a letter or digit.
	ID string
	// Name says who holds the key, for people; may be empty.
	Name string
	Hash Hash
	// Networks are where the key may be used from; at least one.
	Networks []netip.Prefix
	// AllowAny must be set for networks that are [TooWide].
	AllowAny bool
	Scopes   Scopes
	// Rate is the number of requests in a [Window], 1 to [MaxRate].
	Rate int
	// Expires is the moment from which the key is refused; zero is never.
	Expires  time.Time
	Disabled bool
	// Note is for people; may be empty.
	Note string
}

// MaxRate bounds the rate of a key, so that a slip of the hand is noticed.
const MaxRate = 1_000_000

func (e Entry) clone() Entry {
	e.Networks = slices.Clone(e.Networks)
	return e
}

// equal tells whether the two mean the same; the order of networks does not
// matter.
func (e Entry) equal(o Entry) bool {
	return e.ID == o.ID && e.Name == o.Name && e.Hash == o.Hash && e.AllowAny == o.AllowAny &&
		e.Scopes == o.Scopes && e.Rate == o.Rate && e.Disabled == o.Disabled && e.Note == o.Note &&
		e.Expires.Equal(o.Expires) && slices.Equal(sorted(e.Networks), sorted(o.Networks))
}

// meet returns what both e and o allow; its texts are those of o.
func (e Entry) meet(o Entry) Entry {
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

// State is "active", "disabled" or "expired" at the time now.
func (e Entry) State(now time.Time) string {
	switch {
	case e.Disabled:
		return string(Disabled)
	case !e.Expires.IsZero() && !now.Before(e.Expires):
		return string(Expired)
	}
	return "active"
}

// networkTexts writes networks as they stand in the file.
func networkTexts(networks []netip.Prefix) []string {
	out := make([]string, len(networks))
	for i, p := range networks {
		out[i] = networkText(p)
	}
	return out
}
