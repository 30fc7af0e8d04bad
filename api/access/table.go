package access

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// ErrKey is returned when a request has no valid key. The status is 401. The client cannot see the
// reason; [KeyError] has it for the log.
var ErrKey = errors.New("no valid key")

// Reason is the reason why a key was refused, as a word for logs and metrics.
type Reason string

// The reasons for a 401. Only the log and the metrics show them.
const (
	Missing   Reason = "missing"
	Several   Reason = "several"   // more than one X-Api-Key
	Malformed Reason = "malformed" // not in the form of a key, or mistyped
	Unknown   Reason = "unknown"
	Disabled  Reason = "disabled"
	Expired   Reason = "expired"
)

// KeyError is an [ErrKey] with details. They are for the log, and the client must not see them.
type KeyError struct {
	Reason Reason
	// ID is the id of the key if the key exists but is disabled or expired.
	ID string
}

func (e *KeyError) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("no valid key: %s", e.Reason)
	}
	return fmt.Sprintf("no valid key: %q is %s", e.ID, e.Reason)
}

// Unwrap returns [ErrKey].
func (e *KeyError) Unwrap() error { return ErrKey }

// Principal is the holder of a key, or all clients without a key. It never changes.
type Principal struct {
	// ID is the id of the key, empty for clients without a key.
	ID     string
	Name   string
	Scopes Scopes
	// Rate is the number of requests in a [Window].
	Rate int

	hash      Hash
	networks  []netip.Prefix
	anonymous bool
	disabled  bool
	expires   time.Time // zero means never
}

// Anonymous reports whether p represents requests without a key. Each address then has its own
// limit.
func (p *Principal) Anonymous() bool { return p.anonymous }

// Expires returns the time from which the key is refused; the zero time means never.
func (p *Principal) Expires() time.Time { return p.expires }

// Allows reports whether p may send requests from addr.
func (p *Principal) Allows(addr netip.Addr) bool {
	return p.anonymous || contains(p.networks, addr)
}

// Table holds the rights that an access file grants. A table never changes and may be used from
// many goroutines.
type Table struct {
	entries   []Entry
	warnings  []string
	anonymous *Principal // nil if a key is required
	// keys has the principals by the hashes in the access file, each hashed once more with salt.
	// The salt is secret, so the time of a look-up reveals nothing about the hashes.
	keys map[Hash]*Principal
	salt Hash
	// unknown takes the place of the principal if no key matches, so that the checks take the same
	// time.
	unknown *Principal
}

// decoy is hashed in place of a key if the request has no well-formed key.
const decoy = "bencao_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func newTable(entries []Entry, anonymousRate int) *Table {
	t := &Table{
		entries: entries,
		keys:    make(map[Hash]*Principal, len(entries)),
		unknown: new(Principal),
	}
	// rand.Read never returns an error. If the system has no random numbers, rand.Read ends the
	// program.
	_, _ = rand.Read(t.salt[:])
	for _, e := range entries {
		t.keys[t.blind(e.Hash)] = &Principal{
			ID: e.ID, Name: e.Name, Scopes: e.Scopes, Rate: e.Rate,
			hash: e.Hash, networks: e.Networks, disabled: e.Disabled, expires: e.Expires,
		}
	}
	if anonymousRate > 0 {
		t.anonymous = &Principal{Name: "anonymous", Rate: anonymousRate, anonymous: true}
	}
	return t
}

func (t *Table) blind(h Hash) Hash {
	var both [2 * sha256.Size]byte
	copy(both[:], t.salt[:])
	copy(both[sha256.Size:], h[:])
	return sha256.Sum256(both[:])
}

// Authenticate returns the principal for the values of the X-Api-Key headers at the time now, or a
// [*KeyError]. A request must have exactly one such header. If a request has none and the access
// file allows requests without a key, Authenticate returns the anonymous principal.
//
// In all other cases it does the same work, so that the time reveals nothing about a key. It hashes
// a text of the length of a key, hashes the result with the salt, looks up that hash and evaluates
// all conditions.
func (t *Table) Authenticate(header []string, now time.Time) (*Principal, error) {
	if len(header) == 0 && t.anonymous != nil {
		return t.anonymous, nil
	}
	text, formed := decoy, false
	if len(header) == 1 && wellFormed(header[0]) {
		text, formed = header[0], true
	}
	p, known := t.keys[t.blind(sum(text))]
	if !known {
		p = t.unknown
	}
	expired := !p.expires.IsZero() && !now.Before(p.expires)

	var reason Reason
	id := ""
	switch {
	case len(header) == 0:
		reason = Missing
	case len(header) > 1:
		reason = Several
	case !formed:
		reason = Malformed
	case !known:
		reason = Unknown
	case p.disabled:
		reason, id = Disabled, p.ID
	case expired:
		reason, id = Expired, p.ID
	default:
		return p, nil
	}
	return nil, &KeyError{reason, id}
}

// principal returns the holder of the key with the given id at the time now, or a [*KeyError].
func (t *Table) principal(id string, now time.Time) (*Principal, error) {
	e, ok := t.Entry(id)
	if !ok {
		return nil, &KeyError{Reason: Unknown, ID: id}
	}
	if state := e.State(now); state != "active" {
		return nil, &KeyError{Reason: Reason(state), ID: id}
	}
	return t.keys[t.blind(e.Hash)], nil
}

// Entries returns a copy of the keys in the order of the file.
func (t *Table) Entries() []Entry {
	out := make([]Entry, len(t.entries))
	for i, e := range t.entries {
		out[i] = e.clone()
	}
	return out
}

// IDs returns the ids of the keys in the order of the file.
func (t *Table) IDs() []string {
	ids := make([]string, len(t.entries))
	for i, e := range t.entries {
		ids[i] = e.ID
	}
	return ids
}

// Entry returns the entry of the key with the given id, and whether there is one.
func (t *Table) Entry(id string) (Entry, bool) {
	for _, e := range t.entries {
		if e.ID == id {
			return e.clone(), true
		}
	}
	return Entry{}, false
}

// AnonymousRate returns the rate limit of each address that sends requests without a key, or 0 if a
// key is required.
func (t *Table) AnonymousRate() int {
	if t.anonymous == nil {
		return 0
	}
	return t.anonymous.Rate
}

// Warnings lists settings that are valid but perhaps not intended.
func (t *Table) Warnings() []string { return append([]string(nil), t.warnings...) }
