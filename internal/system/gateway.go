package system

import (
	"fmt"
	"net/netip"
	"os"
	"strings"
)

// Gateway returns the gateway of the default route. ok is false if there is none. Gateway needs
// Linux.
func Gateway() (gateway netip.Addr, ok bool, err error) {
	text, err := os.ReadFile("/proc/net/route")
	if err != nil {
		return netip.Addr{}, false, err
	}
	gateway, ok = defaultGateway(string(text))
	return gateway, ok, nil
}

// defaultGateway returns the gateway of the default route. text is the routing table of Linux.
func defaultGateway(text string) (netip.Addr, bool) {
	for line := range strings.Lines(text) {
		var name, to, by string
		if n, err := fmt.Sscan(line, &name, &to, &by); n < 3 || err != nil || to != "00000000" {
			continue
		}
		var a [4]byte
		if n, err := fmt.Sscanf(by, "%02X%02X%02X%02X", &a[3], &a[2], &a[1], &a[0]); n == 4 && err == nil && a != [4]byte{} {
			return netip.AddrFrom4(a), true
		}
	}
	return netip.Addr{}, false
}
