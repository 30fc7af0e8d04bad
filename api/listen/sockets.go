package listen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"

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
	inherited []*socket // sockets that Listen has not yet returned
}

// socket is a listening socket.
type socket struct {
	net.Listener
	name string      // API or Admin
	path string      // path of a unix socket that Listen has created
	file fs.FileInfo // file of a unix socket that Listen has created; otherwise nil
}

// Addr returns the socket's address. The address of a unix socket that Listen has created has the
// form that [Parse] reads.
func (s *socket) Addr() net.Addr {
	if s.file != nil {
		return &net.UnixAddr{Name: "unix:" + s.path, Net: "unix"}
	}
	return s.Listener.Addr()
}

// Close stops listening. If Listen has created a unix socket, Close removes its file. Further calls
// return an error that wraps [net.ErrClosed].
func (s *socket) Close() error {
	err := s.Listener.Close()
	if s.file != nil && !errors.Is(err, net.ErrClosed) {
		err = errors.Join(err, removeUnix(s.path, s.file))
	}
	return err
}

// Inherit takes the sockets that systemd has passed, if there are any. A socket that is named
// neither [API] nor [Admin] is for the API. Inherit may be called only once. The caller must close
// the result.
func Inherit() (*Sockets, error) {
	s := &Sockets{}
	names := map[string]bool{}
	for _, f := range activation.Files(true) {
		name := f.Name()
		if name != API && name != Admin {
			name = API
		}
		if names[name] {
			return nil, errors.Join(fmt.Errorf("systemd hands over two sockets for %q; give them the names %q and %q by FileDescriptorName=", name, API, Admin), s.Close())
		}
		names[name] = true
		l, err := net.FileListener(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, errors.Join(fmt.Errorf("socket %q of systemd: %w; it must be a listening stream socket", name, err), s.Close())
		}
		s.inherited = append(s.inherited, &socket{Listener: l, name: name})
	}
	return s, nil
}

// Listen returns the socket that systemd passed with the given name. If there is none, Listen opens
// a socket on the address.
func (s *Sockets) Listen(ctx context.Context, name, address string) (net.Listener, error) {
	for i, in := range s.inherited {
		if in.name == name {
			s.inherited = append(s.inherited[:i], s.inherited[i+1:]...)
			return in, nil
		}
	}
	a, err := Parse(address)
	if err != nil {
		return nil, err
	}
	if a.Network != "unix" {
		return new(net.ListenConfig).Listen(ctx, a.Network, a.Place)
	}
	l, err := openUnix(ctx, a)
	if err != nil {
		return nil, err
	}
	out := &socket{Listener: l, name: name, path: a.Place}
	if out.file, err = os.Lstat(a.Place); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return out, nil
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
