package access

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// ErrKey is returned when there is no valid key: 401. To the client all
// reasons look the same; [KeyError] tells them apart in the log.
var ErrKey = errors.New("no valid key")

// Reason is why a key was refused, as a word for logs and metrics.
type Reason string

// The reasons for a 401.
const (
	Missing   Reason = "missing"
	Several   Reason = "several"   // more than one header
	Malformed Reason = "malformed" // no key, or mistyped
	Unknown   Reason = "unknown"
	Disabled  Reason = "disabled"
	Expired   Reason = "expired"
)

// KeyError is an [ErrKey] with what the log may know and the client may not.
type KeyError struct {
	Reason Reason
	// ID is the key's id if the key was right but is disabled or expired.
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

// Principal is who asks, as far as access goes. It never changes.
type Principal struct {
	// ID is the key's id, empty for who came without a key.
	ID     string
	Name   string
	Scopes Scopes
	// Rate is the number of requests in a [Window].
	Rate int

	hash      Hash
	networks  []netip.Prefix
	anonymous bool
	disabled  bool
	expires   time.Time // zero: never
}

// Anonymous tells whether p stands for requests without a key. Their limit
// counts for each address.
func (p *Principal) Anonymous() bool { return p.anonymous }

// Expires is when the key ends to hold; zero is never.
func (p *Principal) Expires() time.Time { return p.expires }

// Allows tells whether p may come from addr.
func (p *Principal) Allows(addr netip.Addr) bool {
	return p.anonymous || contains(p.networks, addr)
}

// Table is what an access file says. It never changes and may be used from
// many goroutines.
type Table struct {
	entries   []Entry
	warnings  []string
	anonymous *Principal // nil: off
	sealed    bool       // the checksum of the file matched
	// keys are found by a hash of their hash with a salt that nobody knows,
	// so that the time of a look-up tells nothing about the hashes.
	keys map[Hash]*Principal
	salt Hash
	// nobody is looked at when a key is not there.
	nobody *Principal
}

// decoy is hashed in the place of a header that holds no key.
const decoy = "bencao_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func newTable(entries []Entry, anonymousRate int) *Table {
	t := &Table{
		entries: entries,
		keys:    make(map[Hash]*Principal, len(entries)),
		nobody:  new(Principal),
	}
	// crypto/rand never fails: it ends the program rather than return less.
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

// Authenticate returns who the values of the X-Api-Key headers stand for at
// the time now, or a [*KeyError]. There must be exactly one value; none at all
// is the anonymous principal where the file has one.
//
// Whatever is wrong, the same work is done: a text of a key's length is
// hashed, hashed with the salt, looked up, and all conditions are looked at.
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
		p = t.nobody
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

// principal returns who holds the key with the id at the time now, or a
// [*KeyError].
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

// same tells whether both tables say the same, in whatever order.
func (t *Table) same(o *Table) bool {
	if len(t.entries) != len(o.entries) || t.AnonymousRate() != o.AnonymousRate() {
		return false
	}
	byHash := t.byHash()
	return !slices.ContainsFunc(o.entries, func(e Entry) bool {
		before, ok := byHash[e.Hash]
		return !ok || !before.equal(e)
	})
}

// meet returns what both tables allow: of each key that both have, what both
// say of it. Nobody may do anything by it that t forbids, or that o does.
func (t *Table) meet(o *Table) *Table {
	byHash := t.byHash()
	var entries []Entry
	for _, e := range o.entries {
		if before, ok := byHash[e.Hash]; ok {
			entries = append(entries, before.meet(e))
		}
	}
	m := newTable(entries, min(t.AnonymousRate(), o.AnonymousRate()))
	m.warnings = o.warnings
	return m
}

func (t *Table) byHash() map[Hash]*Entry {
	m := make(map[Hash]*Entry, len(t.entries))
	for i := range t.entries {
		m[t.entries[i].Hash] = &t.entries[i]
	}
	return m
}

// Entries returns a copy of the keys in the order of the file.
func (t *Table) Entries() []Entry {
	out := make([]Entry, len(t.entries))
	for i, e := range t.entries {
		out[i] = e.clone()
	}
	return out
}

// IDs are those of the keys, in the order of the file.
func (t *Table) IDs() []string {
	ids := make([]string, len(t.entries))
	for i, e := range t.entries {
		ids[i] = e.ID
	}
	return ids
}

// Entry returns the key with the id, and whether there is one.
func (t *Table) Entry(id string) (Entry, bool) {
	for _, e := range t.entries {
		if e.ID == id {
			return e.clone(), true
		}
	}
	return Entry{}, false
}

// AnonymousRate is the limit for each address without a key; 0 means that a
// key is needed.
func (t *Table) AnonymousRate() int {
	if t.anonymous == nil {
		return 0
	}
	return t.anonymous.Rate
}

// Warnings lists what is allowed but perhaps not meant.
func (t *Table) Warnings() []string { return append([]string(nil), t.warnings...) }
