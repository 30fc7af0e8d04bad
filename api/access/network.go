package access

import (
	"fmt"
	"net/netip"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// ParseNetwork reads a network such as 192.0.2.0/24. It reads a single address as a network with
// only this address. It refuses host bits, zones, and IPv4 written as IPv6; the error suggests the
// form that was probably meant.
func ParseNetwork(text string) (netip.Prefix, error) {
	if strings.Contains(text, "%") {
		return netip.Prefix{}, fmt.Errorf("network %q has a zone, which means nothing on another machine; %s", cut(text), suggestion(strings.Split(text, "%")[0]))
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, fmt.Errorf("network %q is neither a network such as 192.0.2.0/24 nor an address", cut(text))
		}
		p = netip.PrefixFrom(a, a.BitLen())
	}
	if a := p.Addr(); a.Is4In6() {
		v4 := a.Unmap().String()
		if bits := p.Bits() - 96; bits >= 0 {
			v4 = fmt.Sprintf("%s/%d", v4, bits)
		}
		return netip.Prefix{}, fmt.Errorf("network %q is IPv4 written as IPv6; %s", cut(text), suggestion(v4))
	}
	if m := p.Masked(); m != p {
		return netip.Prefix{}, fmt.Errorf("network %q has bits set to the right of /%d; %s, or \"%s\" for the one address", cut(text), p.Bits(), suggestion(m.String()), p.Addr())
	}
	return p, nil
}

// suggestion returns the advice to write text, if text is a valid network. Otherwise it returns an
// example of a network.
func suggestion(text string) string {
	p, err := netip.ParsePrefix(text)
	if err == nil {
		return fmt.Sprintf("write %q", p.Masked())
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return "write a network such as 192.0.2.0/24"
	}
	return fmt.Sprintf("write %q", a.Unmap())
}

// TooWide reports whether networks together admit half of the internet or more: half of all IPv4
// addresses, or half of 2000::/3, the part of IPv6 that is assigned. Such a list restricts nothing,
// even if it consists of many small networks. If the list is too wide, TooWide returns the index of
// the first network at which it becomes so, and the reason. Otherwise it returns -1 and nil.
func TooWide(networks []netip.Prefix) (index int, err error) {
	for i, p := range networks {
		if p.Bits() == 0 {
			return i, fmt.Errorf("network %q is the whole internet", p)
		}
	}
	if !vast(networks) {
		return -1, nil
	}
	// A binary search over the possible lengths finds the shortest beginning of the list that is
	// too wide.
	i := sort.Search(len(networks), func(n int) bool { return vast(networks[:n+1]) })
	return i, fmt.Errorf("network %q, with those before it, is half of the internet or more", networks[i])
}

// global is the part of IPv6 that is assigned for public use (RFC 4291, 2.4).
var global = netip.MustParsePrefix("2000::/3")

// vast reports whether networks together are at least half of IPv4 or of [global].
func vast(networks []netip.Prefix) bool {
	var v4, v6 uint64 // v4 is in addresses; v6 is in /64 networks, since a client usually has a whole /64
	for _, p := range disjoint(networks) {
		switch {
		case p.Addr().Is4():
			v4 += 1 << (32 - p.Bits())
		case p.Overlaps(global):
			if bits := max(p.Bits(), global.Bits()); bits <= 64 {
				v6 += 1 << (64 - bits)
			}
		}
	}
	return v4 >= 1<<31 || v6 >= 1<<(64-global.Bits()-1)
}

// disjoint returns networks in the order of their addresses, without those that are inside others.
func disjoint(networks []netip.Prefix) []netip.Prefix {
	all := slices.SortedFunc(slices.Values(networks), netip.Prefix.Compare) // if two networks start at the same address, the wider one comes first
	out := all[:0]
	for _, p := range all {
		if len(out) == 0 || !out[len(out)-1].Contains(p.Addr()) {
			out = append(out, p)
		}
	}
	return out
}

// contains reports whether one of networks contains addr. addr may be an IPv4 address written as
// IPv6.
func contains(networks []netip.Prefix, addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, p := range networks {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// networkText returns the text of a network. A network of a single address is written without /32
// or /128.
func networkText(p netip.Prefix) string {
	if p.IsSingleIP() {
		return p.Addr().String()
	}
	return p.String()
}

// cut shortens a user's text to 80 runes. It replaces control characters, which a terminal would
// execute.
func cut(text string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if r := []rune(clean); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return clean
}
