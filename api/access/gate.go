package access

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"
)

// Errors of [Gate.Admit]. It checks for [ErrClient] and [ErrKey] first.
var (
	// ErrNetwork is returned if the key is valid but may not be used from the client's address. The
	// status is 403.
	ErrNetwork = errors.New("address not listed for this key")
	// ErrLimit is returned if the key or address has sent too many requests in this window. The
	// status is 429.
	ErrLimit = errors.New("too many requests")
	// ErrScope is returned if the key lacks a scope that the operation needs. The status is 403.
	ErrScope = errors.New("scope missing")
)

// DefaultAddressRate is the number of requests without a valid key that an address may send in a
// [Window].
const DefaultAddressRate = 60

// GateOptions tunes a [Gate]. The zero value is ready for use.
type GateOptions struct {
	// Limiter counts requests. Nil means a new [Memory] with the clock Now.
	Limiter Limiter
	// AddressRate is the number of requests without a valid key that an address may send in a
	// [Window]. Zero means [DefaultAddressRate].
	AddressRate int
	// Now is the clock for expiry and limits. Nil means [time.Now].
	Now func() time.Time
}

// Gate decides whether a request is admitted. It may be used from many goroutines.
type Gate struct {
	table       func() *Table
	clients     *Clients
	limiter     Limiter
	addressRate int
	now         func() time.Time
}

// NewGate returns a gate that calls table, such as [File.Table], for each request.
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

// Peer returns the network that a connection counts against, or false if it counts against none. See
// [Clients.Peer].
func (g *Gate) Peer(remote net.Addr) (netip.Prefix, bool) { return g.clients.Peer(remote) }

// Table returns the current table of the access file.
func (g *Gate) Table() *Table { return g.table() }

// Request holds the parts of a request that the gate checks.
type Request struct {
	// RemoteAddr is the peer of the connection as "address:port".
	RemoteAddr string
	// ForwardedFor holds the values of the X-Forwarded-For lines, in order.
	ForwardedFor []string
	// Keys holds the values of the X-Api-Key lines.
	Keys []string
}

// Admission is the result of checking a request, which was either admitted or refused.
type Admission struct {
	// Client is the address of the client; invalid after [ErrClient].
	Client netip.Addr
	// Principal describes the key and its rights. It is nil unless the key is valid.
	Principal *Principal
	// Anonymous reports that the request has no key and needs none. The answer contains only data
	// that anyone may see.
	Anonymous bool
	// Counted is the key or network whose limit the request counts against.
	Counted Subject
	// Quota is the limit that the response reports. It is always set. It is the limit of the key,
	// or that of the address if the request does not count against a key.
	Quota Quota
}

// Admit checks a request for an operation that needs the scopes in need. It checks in this order:
// client address, key, networks of the key, limit, scopes. It returns the first error: [ErrClient],
// [ErrKey], [ErrNetwork], [ErrLimit] or [ErrScope].
//
// A request counts against its key only if it comes from a network of the key, so that somebody who
// has stolen the key cannot use up the limit of its owner. All other requests count against the
// client's address. Once an address is above its limit, all these requests get [ErrLimit], which
// does not reveal whether a key is valid.
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

// Charge is for a request that costs more than one. It counts additional requests against
// a.Counted; more is the number of these. If the limit does not permit so many, Charge counts none
// and returns [ErrLimit]. The caller must then refuse the request.
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

// AdmitPages checks a request for a web page. The key with the given id determines the rights of
// pages: its networks, scopes, expiry and rate apply, in the order of [Gate.Admit]. The request
// counts against the client's address, even if it has a key, so that one client cannot use up the
// limit of others.
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

// AdmitPublic checks the client's address and the limit of a request that needs no key. The request
// counts against the address, even if it has a key.
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

// refuseClient refuses a request whose client is not known. It counts the request against the peer
// of the connection, so that the response can report a limit. err is the error to return.
func (g *Gate) refuseClient(r Request, err error) (a Admission, _ error) {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr) // requests from invalid addresses share one limit
	g.count(&a, AddressSubject(peer.Addr()), g.addressRate)
	return a, err
}

func (g *Gate) count(a *Admission, s Subject, limit int) {
	a.Counted, a.Quota = s, g.limiter.Take(s, 1, limit)
}
