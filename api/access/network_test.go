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
	for text, want := range map[string]bool{
		"0.0.0.0/0": true, "0.0.0.0/1": true, "2.0.0.0/7": true, "10.0.0.0/8": false, "192.0.2.7": false,
		"::/0": true, "2000::/3": true, "fc00::/6": true, "fc00::/7": false, "2001:db8::/32": false,
	} {
		networks := []netip.Prefix{network(t, "192.0.2.0/24"), network(t, text)}
		if err := access.TooWide(networks); (err != nil) != want {
			t.Errorf("%s: %v, want an error: %v", text, err, want)
		}
	}
}
