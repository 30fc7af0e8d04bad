package access

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// The other reasons why a request is not let through. [ErrClient] and
// [ErrKey] come before them.
var (
	// ErrNetwork: the key may not be used from this address; 403.
	ErrNetwork = errors.New("address not listed for this key")
	// ErrLimit: too many requests in this window; 429.
	ErrLimit = errors.New("too many requests")
	// ErrScope: the key lacks a scope; 403.
	ErrScope = errors.New("scope missing")
)

// DefaultAddressRate is how many requests without a valid key an address may
// send in a [Window].
const DefaultAddressRate = 60

// GateOptions tunes a [Gate]. The zero value is ready for use.
type GateOptions struct {
	// Limiter counts requests. Nil is a new [Memory] with the clock Now.
	Limiter Limiter
	// AddressRate is how many requests without a valid key an address may
	// send in a [Window]. Zero is [DefaultAddressRate].
	AddressRate int
	// Now is the clock of expiry and limits. Nil is [time.Now].
	Now func() time.Time
}

// Gate puts the checks of a request in their order. It may be used from many
// goroutines.
type Gate struct {
	table       func() *Table
	clients     *Clients
	limiter     Limiter
	addressRate int
	now         func() time.Time
}

// NewGate returns a gate that asks table, such as [File.Table], anew for each
// request.
func NewGate(table func() *Table, clients *Clients, opt GateOptions) *Gate {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Limiter == nil {
		opt.Limiter = NewMemory(opt.Now)
	}
	if opt.AddressRate <= 0 {
		opt.AddressRate = DefaultAddressRate
	}
	return &Gate{table, clients, opt.Limiter, opt.AddressRate, opt.Now}
}

// Table is what the access file says at the moment.
func (g *Gate) Table() *Table { return g.table() }

// Request is what the gate needs to know of a request.
type Request struct {
	// RemoteAddr is the peer of the connection as "address:port".
	RemoteAddr string
	// ForwardedFor are the values of the X-Forwarded-For lines, in order.
	ForwardedFor []string
	// Keys are the values of the X-Api-Key lines.
	Keys []string
}

// Admission is what is known of a request, whether it was let through or not.
type Admission struct {
	// Client is who asks; not valid after [ErrClient].
	Client netip.Addr
	// Principal is nil until the key has been found valid.
	Principal *Principal
	// Anonymous tells that the request brought no key where none is asked for:
	// what is answered may be told to everybody.
	Anonymous bool
	// Counted is what the request counts against.
	Counted Subject
	// Quota is what the response tells about the limit. It is always set:
	// that of the key, or that of the address while no key counts.
	Quota Quota
}

// Admit checks a request for something that needs the scopes need, in this
// order: client address, key, address list, limit, scope. What fails first is
// the error: [ErrClient], [ErrKey], [ErrNetwork], [ErrLimit] or [ErrScope].
//
// A request counts against its key only if it comes from an address that the
// key lists, so that a stolen key cannot use up its owner's limit. All other
// requests count against their address, and beyond its limit they get
// [ErrLimit], which hides whether their key was valid.
func (g *Gate) Admit(r Request, need Scopes) (Admission, error) {
	client, err := g.clients.Client(r.RemoteAddr, r.ForwardedFor)
	if err != nil {
		return g.refuseClient(r, err)
	}
	a := Admission{Client: client}
	a.Principal, err = g.table().Authenticate(r.Keys, g.now())
	if err == nil && !a.Principal.Allows(client) {
		err = fmt.Errorf("%w: key %q may not be used from %s", ErrNetwork, a.Principal.ID, client)
	}
	switch {
	case err != nil:
		g.count(&a, AddressSubject(client), g.addressRate)
	case a.Principal.Anonymous():
		a.Anonymous = true
		g.count(&a, AddressSubject(client), a.Principal.Rate)
	default:
		g.count(&a, Subject{Key: a.Principal.ID}, a.Principal.Rate)
	}
	if !a.Quota.OK {
		return a, ErrLimit
	}
	if err != nil {
		return a, err
	}
	if lacks := need &^ a.Principal.Scopes; lacks != Open {
		return a, fmt.Errorf("%w: %s", ErrScope, strings.Join(lacks.Names(), ", "))
	}
	return a, nil
}

// Charge counts more requests of whoever asked, for a request that costs more
// than one. If there are not so many left it counts none and returns
// [ErrLimit], and the request must not be answered.
func (g *Gate) Charge(a *Admission, more int) error {
	if more == 0 {
		return nil
	}
	a.Quota = g.limiter.Take(a.Counted, more, a.Quota.Limit)
	if !a.Quota.OK {
		return ErrLimit
	}
	return nil
}

// AdmitPages checks a request for a page, which is let through as the key with
// the id: its networks, scopes, expiry and rate hold, in the order of [Gate.Admit].
// It counts against its address, so that no reader uses up the others' limit,
// whatever key the request brings.
func (g *Gate) AdmitPages(r Request, id string) (Admission, error) {
	client, err := g.clients.Client(r.RemoteAddr, r.ForwardedFor)
	if err != nil {
		return g.refuseClient(r, err)
	}
	a := Admission{Client: client}
	s := AddressSubject(client)
	s.Pages = true
	a.Principal, err = g.table().principal(id, g.now())
	if err != nil {
		g.count(&a, s, g.addressRate)
	} else {
		g.count(&a, s, a.Principal.Rate)
		if !a.Principal.Allows(client) {
			err = fmt.Errorf("%w: pages may not be read from %s", ErrNetwork, client)
		}
	}
	if !a.Quota.OK {
		return a, ErrLimit
	}
	return a, err
}

// AdmitPublic checks a request for something that needs no key. It counts
// against its address, whatever key it brings.
func (g *Gate) AdmitPublic(r Request) (Admission, error) {
	client, err := g.clients.Client(r.RemoteAddr, r.ForwardedFor)
	if err != nil {
		return g.refuseClient(r, err)
	}
	a := Admission{Client: client, Anonymous: len(r.Keys) == 0 && g.table().AnonymousRate() > 0}
	g.count(&a, AddressSubject(client), g.addressRate)
	if !a.Quota.OK {
		return a, ErrLimit
	}
	return a, nil
}

// refuseClient counts a request from nobody knows where against the peer, so
// that its response has a limit to tell.
func (g *Gate) refuseClient(r Request, err error) (a Admission, _ error) {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr) // not readable: all such count together
	g.count(&a, AddressSubject(peer.Addr()), g.addressRate)
	return a, err
}

func (g *Gate) count(a *Admission, s Subject, limit int) {
	a.Counted, a.Quota = s, g.limiter.Take(s, 1, limit)
}
