package access

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"bencao/api/wire"
)

// ErrClient is returned when it cannot be known who asks: 403.
var ErrClient = errors.New("the client's address is not known")

// Clients finds the address that a request comes from. It may be used from
// many goroutines.
type Clients struct {
	trusted []netip.Prefix
}

// NewClients returns a finder that believes the X-Forwarded-For header of the
// proxies in trusted, and of nobody else.
func NewClients(trusted []netip.Prefix) *Clients {
	return &Clients{trusted: append([]netip.Prefix(nil), trusted...)}
}

// Client returns the address of whoever asks: the peer, or, if the peer is a
// trusted proxy, the right-most address in the forwarded lines that is not
// one. What stands further left came from the client itself and is not even
// read. Every address passed through trusted proxies only: the left-most.
//
// remoteAddr is the peer as "address:port", or [wire.LocalPeer]: who may connect
// to a unix socket is up to the mode of its file, so whoever does is a trusted
// proxy. Forwarded are the values of the X-Forwarded-For lines in their order.
// An entry may be an address, an address with a port, or an IPv6 address in
// brackets.
//
// A trusted proxy that sends no header, or one that cannot be read, gets
// [ErrClient]: its own address, which may well be in a key's networks, would
// let everybody behind it in.
func (c *Clients) Client(remoteAddr string, forwarded []string) (netip.Addr, error) {
	proxy := "at the unix socket"
	if remoteAddr != wire.LocalPeer {
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
		return netip.Addr{}, fmt.Errorf("%w: the proxy %s sent no X-Forwarded-For; set it there, or take the proxy from the trusted ones", ErrClient, proxy)
	}
	return hop, nil
}

// cutLast splits "a, b, c" into " c" and "a, b".
func cutLast(list string) (last, rest string, more bool) {
	i := strings.LastIndexByte(list, ',')
	if i < 0 {
		return list, "", false
	}
	return list[i+1:], list[:i], true
}

// parseHop reads ip, ip:port, [ipv6] or [ipv6]:port, without a zone, and
// returns IPv4 as IPv4.
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
