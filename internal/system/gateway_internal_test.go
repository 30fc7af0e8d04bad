package system

import (
	"net/netip"
	"testing"
)

func TestDefaultGateway(t *testing.T) {
	const heading = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
	for _, tt := range []struct{ name, text, want string }{
		{"docker", heading + "eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\neth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n", "172.17.0.1"},
		{"another route first", heading + "eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\neth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", "192.168.1.1"},
		{"no network", heading, ""},
		{"a device without a gateway", heading + "tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n", ""},
		{"cut", heading + "eth0\t00000000", ""},
	} {
		got, ok := defaultGateway(tt.text)
		if want, err := netip.ParseAddr(tt.want); ok != (err == nil) || got != want {
			t.Errorf("%s: %v, %v, want %q", tt.name, got, ok, tt.want)
		}
	}
}
