package listen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync/atomic"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// The names of sockets, also for FileDescriptorName= of systemd.
const (
	API   = "api"   // for requests
	Admin = "admin" // for operators
)

// Sockets are what a process listens on, and what it has inherited for that.
type Sockets struct {
	inherited []*socket // that nobody has asked for yet
	open      []*socket
	ready     *os.File // tells the process before this one; nil if there is none
}

// socket is one that this process listens on, or could.
type socket struct {
	net.Listener
	// Name is API or Admin, Address as it was given. Systemd's are its own:
	// the address is the one of its unit.
	name, address string
	systemd       bool
	file          fs.FileInfo // of a unix socket of ours; nil for others
	path          string
	keep          *atomic.Bool // somebody else listens there, too
}

// Addr is the address, of a unix socket as [Parse] reads it.
func (s *socket) Addr() net.Addr {
	if s.file != nil {
		return &net.UnixAddr{Name: "unix:" + s.path, Net: "unix"}
	}
	return s.Listener.Addr()
}

// Close stops listening, and removes a unix socket that nobody else listens on.
func (s *socket) Close() error {
	err := s.Listener.Close()
	if s.file != nil && !s.keep.Load() {
		err = errors.Join(err, removeUnix(s.path, s.file))
	}
	return err
}

// handed is a socket that goes from one process to the next.
type handed struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Systemd bool   `json:"systemd"`
}

// handover is the variable of the environment that names them, as JSON, in
// the order of their descriptors, from firstFD. Behind them is one more, a
// pipe: the successor closes it, after a byte, when it is ready.
const (
	handover = "BENCAO_HANDOVER"
	firstFD  = 3
)

// Inherit takes the sockets that the process before this one or systemd hands
// over, if any. Close it. It may be called once.
func Inherit() (*Sockets, error) {
	s := &Sockets{}
	text, succeeds := os.LookupEnv(handover)
	if !succeeds {
		return s, s.fromSystemd()
	}
	if err := os.Unsetenv(handover); err != nil {
		return nil, err
	}
	var list []handed
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("environment: %s: %w; only bencao sets it", handover, err)
	}
	s.ready = os.NewFile(uintptr(firstFD+len(list)), "handover")
	for i, h := range list {
		if err := s.take(os.NewFile(uintptr(firstFD+i), h.Name), h); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// fromSystemd takes what systemd hands over. A socket without a name of ours is
// that of requests.
func (s *Sockets) fromSystemd() error {
	names := map[string]bool{}
	for _, f := range activation.Files(true) {
		h := handed{Name: f.Name(), Systemd: true}
		if h.Name != API && h.Name != Admin {
			h.Name = API
		}
		if names[h.Name] {
			return errors.Join(fmt.Errorf("systemd hands over two sockets for %q; give them the names %q and %q by FileDescriptorName=", h.Name, API, Admin), s.Close())
		}
		names[h.Name] = true
		if err := s.take(f, h); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	return nil
}

// take makes a listener of a descriptor, which it closes.
func (s *Sockets) take(f *os.File, h handed) error {
	l, err := net.FileListener(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("inherited socket %q: %w; it must be one of streams that listens", h.Name, err)
	}
	in := &socket{Listener: l, name: h.Name, address: h.Address, systemd: h.Systemd, keep: new(atomic.Bool)}
	if a, err := Parse(h.Address); err == nil && a.Network == "unix" && !h.Systemd {
		if in.file, err = os.Lstat(a.Place); err != nil {
			return errors.Join(fmt.Errorf("inherited socket %q: %w", h.Name, err), l.Close())
		}
		in.path = a.Place
	}
	s.inherited = append(s.inherited, in)
	return nil
}

// Listen listens on an address, or returns the socket that was inherited under
// the name: systemd's in any case, and that of the process before if it
// listened on the same address.
func (s *Sockets) Listen(ctx context.Context, name, address string) (net.Listener, error) {
	for i, in := range s.inherited {
		if in.name == name && (in.systemd || in.address == address) {
			s.inherited = append(s.inherited[:i], s.inherited[i+1:]...)
			s.open = append(s.open, in)
			return in, nil
		}
	}
	a, err := Parse(address)
	if err != nil {
		return nil, err
	}
	out := &socket{name: name, address: address, keep: new(atomic.Bool)}
	if a.Network == "unix" {
		l, err := openUnix(ctx, a)
		if err != nil {
			return nil, err
		}
		out.Listener, out.path = l, a.Place
		if out.file, err = os.Lstat(a.Place); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	} else if out.Listener, err = new(net.ListenConfig).Listen(ctx, a.Network, a.Place); err != nil {
		return nil, err
	}
	s.open = append(s.open, out)
	return out, nil
}

// Ready tells the process before this one, or systemd, that requests are
// answered by now, and closes what was inherited and not used.
func (s *Sockets) Ready() error {
	err := s.closeInherited()
	if s.ready == nil {
		_, told := daemon.SdNotify(false, daemon.SdNotifyReady)
		return errors.Join(err, told)
	}
	_, told := s.ready.Write([]byte{1})
	err = errors.Join(err, told, s.ready.Close())
	s.ready = nil
	return err
}

// Close closes what was inherited and not used. Those that were asked for are
// their users' to close.
func (s *Sockets) Close() error {
	err := s.closeInherited()
	if s.ready != nil {
		err = errors.Join(err, s.ready.Close())
		s.ready = nil
	}
	return err
}

func (s *Sockets) closeInherited() error {
	var errs []error
	for _, in := range s.inherited {
		errs = append(errs, in.Close())
	}
	s.inherited = nil
	return errors.Join(errs...)
}
