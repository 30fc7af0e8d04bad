package main

import (
	"net"
	"net/netip"

	"bencao/api/access"
	"bencao/api/listen"
)

// nearby is how this machine reaches an address that a server listens on, for
// a URL. Of a unix socket the path tells nothing to a URL.
func nearby(address string) string {
	host, port, err := net.SplitHostPort(address)
	if at, wrong := listen.Parse(address); err != nil || wrong == nil && at.Network == "unix" {
		return "localhost"
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// trusted reads which proxies are believed. Half of the internet or more is no
// proxy: anybody in it could say that they are anybody else.
func trusted(s *settings) ([]netip.Prefix, error) {
	all, err := networks("trusted-proxy", s.trustedProxies)
	if err != nil || s.trustAnyProxy {
		return all, err
	}
	if i, err := access.TooWide(all); i >= 0 {
		return nil, usagef("trusted-proxy: %w, and whoever is trusted may say that they are anybody; name the proxies alone, or add --trust-any-proxy if nobody but proxies can reach the server", err)
	}
	return all, nil
}

// networks reads a setting that lists networks.
func networks(setting string, texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, t := range texts {
		p, err := access.ParseNetwork(t)
		if err != nil {
			return nil, usagef("%s: %w", setting, err)
		}
		all = append(all, p)
	}
	return all, nil
}
