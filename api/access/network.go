package access

import (
	"fmt"
	"net/netip"
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

// TooWide returns an error if one of networks is wider than those of any organisation, and so
// restricts nothing: wider than an IPv4 /8 or an IPv6 /7, which is the size of the private range.
func TooWide(networks []netip.Prefix) error {
	for _, p := range networks {
		if p.Bits() < 7 || p.Addr().Is4() && p.Bits() < 8 {
			return fmt.Errorf("network %q is wider than an IPv4 /8 or an IPv6 /7", p)
		}
	}
	return nil
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
