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
