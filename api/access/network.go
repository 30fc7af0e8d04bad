package access

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"
)

// ParseNetwork reads a network such as 192.0.2.0/24, or one address, which is
// a network of itself. Host bits, zones, and IPv4 written as IPv6 are refused,
// each with the form that was probably meant.
func ParseNetwork(text string) (netip.Prefix, error) {
	if strings.Contains(text, "%") {
		return netip.Prefix{}, fmt.Errorf("network %q has a zone, which means nothing on another machine; %s", cut(text), mended(strings.Split(text, "%")[0]))
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
		return netip.Prefix{}, fmt.Errorf("network %q is IPv4 written as IPv6; %s", cut(text), mended(v4))
	}
	if m := p.Masked(); m != p {
		return netip.Prefix{}, fmt.Errorf("network %q has bits set to the right of /%d; %s, or \"%s\" for the one address", cut(text), p.Bits(), mended(m.String()), p.Addr())
	}
	return p, nil
}

// mended says what to write instead, if text is good.
func mended(text string) string {
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

// contains tells whether one of networks has addr, which may be IPv4 in IPv6.
func contains(networks []netip.Prefix, addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, p := range networks {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// networkText writes one address without its /32 or /128.
func networkText(p netip.Prefix) string {
	if p.IsSingleIP() {
		return p.Addr().String()
	}
	return p.String()
}

// cut shortens text from outside to 80 runes and drops what a terminal could
// take for a command.
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
