package access_test

import (
	"net/netip"
	"strings"
	"testing"

	"bencao/api/access"
)

func TestParseNetwork(t *testing.T) {
	tests := []struct {
		text string
		want string // wanted network, or "!" and a part of the wanted error
	}{
		{"192.0.2.0/24", "192.0.2.0/24"},
		{"192.0.2.7", "192.0.2.7/32"},
		{"192.0.2.7/32", "192.0.2.7/32"},
		{"2001:db8::/32", "2001:db8::/32"},
		{"::1", "::1/128"},
		{"0.0.0.0/0", "0.0.0.0/0"}, // valid, although an access file needs allow_any for it
		{"::/0", "::/0"},

		{"192.0.2.7/24", `!write "192.0.2.0/24", or "192.0.2.7" for the one address`},
		{"2001:db8::1/32", `!write "2001:db8::/32"`},
		{"::ffff:192.0.2.0/120", `!write "192.0.2.0/24"`},
		{"::ffff:192.0.2.7/120", `!write "192.0.2.0/24"`},
		{"::ffff:192.0.2.7", `!write "192.0.2.7/32"`},
		{"::ffff:0.0.0.0/90", `!write "0.0.0.0"`},
		{"fe80::1%eth0", `!zone, which means nothing on another machine; write "fe80::1"`},
		{"fe80::%eth0/64", `!zone`},
		{"", "!neither a network"},
		{"192.0.2.0/33", "!neither a network"},
		{"192.0.2.0/-1", "!neither a network"},
		{"192.0.2/24", "!neither a network"},
		{"192.0.02.0/24", "!neither a network"},
		{"192.0.2.0/255.255.255.0", "!neither a network"},
		{"localhost", "!neither a network"},
		{"192.0.2.0/24 ", "!neither a network"},
	}
	for _, tt := range tests {
		p, err := access.ParseNetwork(tt.text)
		if part, refused := strings.CutPrefix(tt.want, "!"); refused {
			if err == nil {
				t.Errorf("ParseNetwork(%q) = %v, want an error with %q", tt.text, p, part)
			} else if !strings.Contains(err.Error(), part) {
				t.Errorf("ParseNetwork(%q): error %q does not say %q", tt.text, err, part)
			}
		} else if err != nil || p.String() != tt.want {
			t.Errorf("ParseNetwork(%q) = %v, %v, want %s", tt.text, p, err, tt.want)
		}
	}
}

func TestTooWide(t *testing.T) {
	tests := []struct {
		networks string
		at       int // wanted index, or -1 if the networks are narrow enough
	}{
		{"", -1},
		{"0.0.0.0/0", 0},
		{"::/0", 0},
		{"192.0.2.0/24 ::/0", 1},
		{"0.0.0.0/1", 0},
		{"0.0.0.0/2", -1},
		{"0.0.0.0/1 128.0.0.0/1", 0},
		{"10.0.0.0/8 128.0.0.0/2 0.0.0.0/2", 2},
		{"128.0.0.0/2 128.0.0.0/2 128.0.0.0/3", -1}, // the first network occurs twice, but its addresses count once
		{"0.0.0.0/2 128.0.0.0/3 160.0.0.0/4 176.0.0.0/4", 3},
		{"0.0.0.0/2 128.0.0.0/3 160.0.0.0/4 176.0.0.0/5", -1},
		{"2000::/3", 0},
		{"2000::/4", 0},
		{"2000::/5", -1},
		{"2000::/5 2800::/5", 1},
		{"8000::/1 fc00::/7", -1}, // these ranges are not assigned for public use, so they do not count
		{"::/1", 0},
		{"2000::/5 2001:db8::/32 2001:db8::1", -1},
	}
	for _, tt := range tests {
		var networks []netip.Prefix
		for _, text := range strings.Fields(tt.networks) {
			networks = append(networks, network(t, text))
		}
		i, err := access.TooWide(networks)
		if i != tt.at || (err != nil) != (tt.at >= 0) {
			t.Errorf("%s: %d, %v; want %d", tt.networks, i, err, tt.at)
		}
	}
	// All addresses except one /8, in 255 networks.
	var most []netip.Prefix
	for i := range 255 {
		most = append(most, netip.PrefixFrom(netip.AddrFrom4([4]byte{byte(i)}), 8))
	}
	if i, err := access.TooWide(most); i != 127 || err == nil || !strings.Contains(err.Error(), `"127.0.0.0/8", with those before it`) {
		t.Errorf("the internet in 255 pieces: %d, %v; want 127 and the reason", i, err)
	}
}
