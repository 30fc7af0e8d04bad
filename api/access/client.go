package access

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"bencao/api/connections"
)

// ErrClient is returned when the address of the client cannot be determined. The status is 403.
var ErrClient = errors.New("the client's address is not known")

// Clients determines the address of the client that sent a request. It may be used from many
// goroutines.
type Clients struct {
	trusted []netip.Prefix
}

// NewClients returns a Clients that uses X-Forwarded-For if the header comes from a proxy in
// trusted, and ignores it otherwise.
func NewClients(trusted []netip.Prefix) *Clients {
	return &Clients{trusted: append([]netip.Prefix(nil), trusted...)}
}

// Client returns the address of the client. If the connection does not come from a trusted proxy,
// the client is the peer of the connection. Otherwise the client is the right-most address in
// X-Forwarded-For that is not a trusted proxy. Client ignores everything to the left of that
// address, since the client itself may have sent it. If all addresses in the header are trusted
// proxies, Client returns the left-most.
//
// remoteAddr is the peer as "address:port", or [connections.LocalPeer] for a unix socket. Programs at a
// unix socket count as trusted proxies, because the file mode of the socket decides which programs
// may connect. forwarded holds the values of the X-Forwarded-For lines, in order. An entry may be
// an address, an address with a port, or an IPv6 address in brackets.
//
// If a trusted proxy sends no X-Forwarded-For, or one that cannot be read, Client returns
// [ErrClient]. It does not return the address of the proxy instead, because a key whose networks
// include that address would admit all clients of the proxy.
func (c *Clients) Client(remoteAddr string, forwarded []string) (netip.Addr, error) {
	proxy := "at the unix socket"
	if remoteAddr != connections.LocalPeer {
		ap, err := netip.ParseAddrPort(remoteAddr)
		if err != nil {
			return netip.Addr{}, fmt.Errorf("%w: the connection's address %q cannot be read", ErrClient, cut(remoteAddr))
		}
		peer := ap.Addr().Unmap().WithZone("")
		if !contains(c.trusted, peer) {
			return peer, nil
		}
		proxy = peer.String()
	}
	var hop netip.Addr
	var ok bool
	for i := len(forwarded) - 1; i >= 0; i-- {
		for rest, more := forwarded[i], true; more; {
			var entry string
			entry, rest, more = cutLast(rest)
			if hop, ok = parseHop(strings.Trim(entry, " \t")); !ok {
				return netip.Addr{}, fmt.Errorf("%w: %q in X-Forwarded-For is not an address", ErrClient, cut(entry))
			}
			if !contains(c.trusted, hop) {
				return hop, nil
			}
		}
	}
	if !hop.IsValid() {
		return netip.Addr{}, fmt.Errorf("%w: the proxy %s sent no X-Forwarded-For; configure the proxy to send it, or remove the proxy from --trusted-proxy", ErrClient, proxy)
	}
	return hop, nil
}

// Peer returns the network of the peer of a connection, as [AddressSubject] does. It returns false
// for a trusted proxy and for a program at a unix socket, because their connections carry requests
// of many clients.
func (c *Clients) Peer(remote net.Addr) (netip.Prefix, bool) {
	ap, err := netip.ParseAddrPort(remote.String())
	if err != nil { // a unix socket
		return netip.Prefix{}, false
	}
	peer := ap.Addr().Unmap().WithZone("")
	return AddressSubject(peer).Network, !contains(c.trusted, peer)
}

// cutLast splits a comma-separated list before its last element: "a, b, c" into last " c" and rest
// "a, b". more is false if the list has a single element.
func cutLast(list string) (last, rest string, more bool) {
	i := strings.LastIndexByte(list, ',')
	if i < 0 {
		return list, "", false
	}
	return list[i+1:], list[:i], true
}

// parseHop reads ip, ip:port, [ipv6] or [ipv6]:port, without a zone. It returns an IPv4 address
// that is written as IPv6 (::ffff:192.0.2.1) as IPv4.
func parseHop(text string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(text)
	if err != nil {
		if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
			addr, err = netip.ParseAddr(strings.TrimSuffix(inner, "]"))
			if err != nil || !addr.Is6() {
				return netip.Addr{}, false
			}
		} else {
			ap, err := netip.ParseAddrPort(text)
			if err != nil {
				return netip.Addr{}, false
			}
			addr = ap.Addr()
		}
	}
	if addr.Zone() != "" {
		return netip.Addr{}, false
	}
	return addr.Unmap(), true
}
