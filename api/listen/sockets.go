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

// The names of sockets, also for FileDescriptorName= of systemd.
const (
	API   = "api"   // for requests
	Admin = "admin" // for operators
)

// Sockets are those that a process listens on, and those that systemd has
// handed over for that.
type Sockets struct {
	inherited []*socket // that nobody has asked for yet
}

// socket is one that this process listens on, or could.
type socket struct {
	net.Listener
	name string      // API or Admin, of systemd's
	path string      // of a unix socket of ours
	file fs.FileInfo // of a unix socket of ours; nil for others
}

// Addr returns the address, of a unix socket as [Parse] reads it.
func (s *socket) Addr() net.Addr {
	if s.file != nil {
		return &net.UnixAddr{Name: "unix:" + s.path, Net: "unix"}
	}
	return s.Listener.Addr()
}

// Close stops listening, and removes a unix socket of ours. Of several callers
// one does so; the others get [net.ErrClosed].
func (s *socket) Close() error {
	err := s.Listener.Close()
	if s.file != nil && !errors.Is(err, net.ErrClosed) {
		err = errors.Join(err, removeUnix(s.path, s.file))
	}
	return err
}

// Inherit takes the sockets that systemd hands over, if any. One without a name
// of ours is that of requests. It may be called once; its result must be
// closed.
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
			return nil, errors.Join(fmt.Errorf("socket %q of systemd: %w; it must be one of streams that listens", name, err), s.Close())
		}
		s.inherited = append(s.inherited, &socket{Listener: l, name: name})
	}
	return s, nil
}

// Listen returns the socket that systemd has handed over under the name, or
// else listens on the address.
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

// Ready tells systemd that requests are answered by now, and closes the
// sockets that were inherited and not used.
func (s *Sockets) Ready() error {
	_, told := daemon.SdNotify(false, daemon.SdNotifyReady)
	return errors.Join(s.Close(), told)
}

// Close closes the sockets that were inherited and not used. Those that were
// asked for are their users' to close.
func (s *Sockets) Close() error {
	var errs []error
	for _, in := range s.inherited {
		errs = append(errs, in.Close())
	}
	s.inherited = nil
	return errors.Join(errs...)
}
