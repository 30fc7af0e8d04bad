// Package listen opens the sockets on which a service answers, or takes them from systemd
// (LISTEN_FDS). While a service with a socket from systemd restarts, clients wait and are not
// refused. Begin with [Inherit] and [Sockets.Listen].
package listen

import (
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// Address is the address of a socket.
type Address struct {
	// Network is tcp or unix.
	Network string
	// Place is host:port for tcp, or the path of a unix socket.
	Place string
	// Mode is the file mode of a unix socket. It determines which users may connect.
	Mode fs.FileMode
}

// defaultMode lets the owner and the group of a unix socket connect.
const defaultMode fs.FileMode = 0o660

// maxPath is the longest path of a unix socket, in bytes.
const maxPath = 107

// Parse parses host:port, where the host may be empty, or unix:/path/of/socket, optionally followed
// by a file mode such as ?mode=0666.
func Parse(text string) (Address, error) {
	rest, unix := strings.CutPrefix(text, "unix:")
	if !unix {
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			_, err = strconv.ParseUint(port, 10, 16)
		}
		if err != nil {
			return Address{}, fmt.Errorf("address %q is neither host:port nor unix:/path", text)
		}
		return Address{Network: "tcp", Place: text}, nil
	}
	a := Address{Network: "unix", Mode: defaultMode}
	path, query, _ := strings.Cut(rest, "?")
	a.Place = path
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return Address{}, fmt.Errorf("address %q: the path of a unix socket begins with /", text)
	}
	if len(path) > maxPath {
		return Address{}, fmt.Errorf("address %q: the path of a unix socket may have %d bytes, choose a shorter folder", text, maxPath)
	}
	options, err := url.ParseQuery(query)
	if err != nil {
		return Address{}, fmt.Errorf("address %q: %w", text, err)
	}
	for name, values := range options {
		mode, err := strconv.ParseUint(values[0], 8, 32)
		if name != "mode" || len(values) > 1 || err != nil || mode > 0o777 {
			return Address{}, fmt.Errorf("address %q: only ?mode= with an octal number such as 0660 may follow the path", text)
		}
		a.Mode = fs.FileMode(mode)
	}
	return a, nil
}

// String returns the address in the form that [Parse] reads.
func (a Address) String() string {
	switch {
	case a.Network != "unix":
		return a.Place
	case a.Mode == defaultMode:
		return "unix:" + a.Place
	}
	return fmt.Sprintf("unix:%s?mode=%04o", a.Place, a.Mode)
}
