package access_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"bencao/api/access"
)

var proxies = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("2001:db8:ffff::/48"),
}

func TestClient(t *testing.T) {
	tests := []struct {
		why       string
		peer      string
		forwarded []string
		want      string // empty if Client must return an error
	}{
		{"the peer", "192.0.2.1:5000", nil, "192.0.2.1"},
		{"the peer, IPv6", "[2001:db8::1]:5000", nil, "2001:db8::1"},
		{"the peer, IPv4 in IPv6", "[::ffff:192.0.2.1]:5000", nil, "192.0.2.1"},
		{"the peer, link-local", "[fe80::1%eth0]:5000", nil, "fe80::1"},
		{"forged by somebody who is no proxy", "192.0.2.1:5000", []string{"10.0.0.1"}, "192.0.2.1"},
		{"garbage from somebody who is no proxy", "192.0.2.1:5000", []string{"garbage"}, "192.0.2.1"},

		{"behind a proxy", "10.0.0.1:80", []string{"198.51.100.7"}, "198.51.100.7"},
		{"behind a proxy seen as IPv4 in IPv6", "[::ffff:10.0.0.1]:80", []string{"198.51.100.7"}, "198.51.100.7"},
		{"behind an IPv6 proxy", "[2001:db8:ffff::1]:80", []string{"2001:db8::7"}, "2001:db8::7"},
		{"the right-most that is no proxy", "10.0.0.1:80", []string{"1.1.1.1, 198.51.100.7, 10.0.0.2"}, "198.51.100.7"},
		{"several lines are one list", "10.0.0.1:80", []string{"1.1.1.1", "198.51.100.7,10.0.0.3", "10.0.0.2"}, "198.51.100.7"},
		{"a proxy as IPv4 in IPv6", "10.0.0.1:80", []string{"198.51.100.7, ::ffff:10.0.0.2"}, "198.51.100.7"},
		{"a client as IPv4 in IPv6", "10.0.0.1:80", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"garbage further left is not read", "10.0.0.1:80", []string{"garbage, ,,192.0.2.999, 198.51.100.7"}, "198.51.100.7"},
		{"with a port", "10.0.0.1:80", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"IPv6 with a port", "10.0.0.1:80", []string{"[2001:db8::7]:4711"}, "2001:db8::7"},
		{"IPv6 in brackets", "10.0.0.1:80", []string{"[2001:db8::7]"}, "2001:db8::7"},
		{"white space", "10.0.0.1:80", []string{" \t198.51.100.7\t "}, "198.51.100.7"},
		{"proxies only: the first of them", "10.0.0.1:80", []string{"10.0.0.9, 10.0.0.2"}, "10.0.0.9"},

		{"a proxy without the header", "10.0.0.1:80", nil, ""},
		{"an empty header", "10.0.0.1:80", []string{""}, ""},
		{"a comma too many", "10.0.0.1:80", []string{"198.51.100.7,"}, ""},
		{"an empty last line", "10.0.0.1:80", []string{"198.51.100.7", ""}, ""},
		{"garbage", "10.0.0.1:80", []string{"198.51.100.7, unknown"}, ""},
		{"garbage behind a proxy", "10.0.0.1:80", []string{"garbage, 10.0.0.2"}, ""},
		{"a zone", "10.0.0.1:80", []string{"fe80::1%eth0"}, ""},
		{"brackets about IPv4", "10.0.0.1:80", []string{"[198.51.100.7]"}, ""},
		{"no port after the colon", "10.0.0.1:80", []string{"198.51.100.7:"}, ""},
		{"a port too great", "10.0.0.1:80", []string{"198.51.100.7:70000"}, ""},
		{"leading zeros, read as octal by some", "10.0.0.1:80", []string{"0198.051.100.7"}, ""},
		{"a Unix socket", "@", []string{"198.51.100.7"}, ""},
	}
	c := access.NewClients(proxies)
	for _, tt := range tests {
		got, err := c.Client(tt.peer, tt.forwarded)
		switch {
		case tt.want == "" && (!errors.Is(err, access.ErrClient) || got.IsValid()):
			t.Errorf("%s: Client(%q, %q) = %v, %v; want ErrClient and no address", tt.why, tt.peer, tt.forwarded, got, err)
		case tt.want != "" && (err != nil || got.String() != tt.want):
			t.Errorf("%s: Client(%q, %q) = %v, %v; want %s", tt.why, tt.peer, tt.forwarded, got, err, tt.want)
		}
	}
}

// FuzzClient checks that the entry that the trusted proxy appends determines the client's address,
// whatever the client itself writes into X-Forwarded-For. The result must never be the proxy's own
// address.
func FuzzClient(f *testing.F) {
	for _, s := range []string{"", "198.51.100.7", "10.0.0.2", "10.0.0.2, 10.0.0.3", "garbage,", "[2001:db8::7]:80", "\x00", "::ffff:10.0.0.2", "127.0.0.1\n10.0.0.1"} {
		f.Add(s, "", true)
		f.Add("198.51.100.7", s, false)
	}
	c := access.NewClients(proxies)
	const peer = "10.255.0.1"
	f.Fuzz(func(t *testing.T, forged, second string, twoLines bool) {
		added := "203.0.113.5"
		lines := []string{forged + "," + second + ", " + added}
		if twoLines {
			lines = []string{forged, second, added}
		}
		got, err := c.Client(peer+":80", lines)
		if err != nil || got.String() != added {
			t.Errorf("Client(%q) = %v, %v; want %s whatever stands to its left", lines, got, err, added)
		}
		lines = lines[:1]
		got, err = c.Client(peer+":80", lines)
		if err == nil && got.String() == peer && !strings.Contains(lines[0], "10.255.0.1") && !strings.Contains(strings.ToLower(lines[0]), "aff:1") {
			t.Errorf("Client(%q) = %v, the proxy's own address", lines, got)
		}
		if err == nil && (got.Zone() != "" || got.Is4In6()) {
			t.Errorf("Client(%q) = %v; want it without a zone, and IPv4 as IPv4", lines, got)
		}
		if err != nil && got.IsValid() {
			t.Errorf("Client(%q) = %v and the error %v", lines, got, err)
		}
		if got, err := c.Client("192.0.2.1:80", lines); err != nil || got.String() != "192.0.2.1" {
			t.Errorf("Client(%q) = %v, %v for a peer that is no proxy", lines, got, err)
		}
	})
}
