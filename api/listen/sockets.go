package listen

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// Names of the sockets. Units of systemd use the same names in FileDescriptorName=.
const (
	API   = "api"   // for clients of the API
	Admin = "admin" // for operators
)

// Sockets holds the sockets that systemd has passed.
type Sockets struct {
	inherited map[string]net.Listener // by name, those that Listen has not yet returned
}

// Inherit takes the sockets that systemd has passed, if there are any. A socket that is named
// neither [API] nor [Admin] is for the API. Inherit may be called only once. The caller must close
// the result.
func Inherit() (*Sockets, error) {
	s := &Sockets{map[string]net.Listener{}}
	for _, f := range activation.Files(true) {
		name := f.Name()
		if name != API && name != Admin {
			name = API
		}
		if s.inherited[name] != nil {
			return nil, errors.Join(fmt.Errorf("systemd hands over two sockets for %q; give them the names %q and %q by FileDescriptorName=", name, API, Admin), s.Close())
		}
		l, err := net.FileListener(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, errors.Join(fmt.Errorf("socket %q of systemd: %w; it must be a listening stream socket", name, err), s.Close())
		}
		s.inherited[name] = l
	}
	return s, nil
}

// Listen returns the socket that systemd passed with the given name. If there is none, Listen opens
// a socket on the address.
func (s *Sockets) Listen(ctx context.Context, name, address string) (net.Listener, error) {
	if l := s.inherited[name]; l != nil {
		delete(s.inherited, name)
		return l, nil
	}
	a, err := Parse(address)
	if err != nil {
		return nil, err
	}
	if a.Network == "unix" {
		return openUnix(ctx, a)
	}
	return new(net.ListenConfig).Listen(ctx, a.Network, a.Place)
}

// Ready tells systemd that the service is ready. It closes the inherited sockets that Listen has
// not returned.
func (s *Sockets) Ready() error {
	_, told := daemon.SdNotify(false, daemon.SdNotifyReady)
	return errors.Join(s.Close(), told)
}

// Close closes the inherited sockets that Listen has not returned.
func (s *Sockets) Close() error {
	var errs []error
	for _, in := range s.inherited {
		errs = append(errs, in.Close())
	}
	s.inherited = nil
	return errors.Join(errs...)
}
