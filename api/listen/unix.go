package listen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"
)

// openUnix listens on a unix socket. If the path has a socket on which no process listens, openUnix
// replaces it. If the path has any other file, openUnix returns an error.
func openUnix(ctx context.Context, a Address) (net.Listener, error) {
	if err := vacate(ctx, a.Place); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", a, err)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "unix", a.Place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listen on %s: %w; make the folder", a, err)
	}
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(a.Place, a.Mode); err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", a, err), l.Close())
	}
	return l, nil
}

// vacate removes a socket on which no process listens. It returns an error if the path has a file
// that must stay.
func vacate(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return errors.New("the file there is not a socket; choose another path, or remove the file")
	}
	live, err := Answers(ctx, path)
	if err != nil {
		return fmt.Errorf("it is not known whether a process listens there: %w", err)
	}
	if live {
		return fmt.Errorf("a process listens there: %w; stop it, or choose another path", syscall.EADDRINUSE)
	}
	return os.Remove(path)
}

// Answers reports whether a process listens on the unix socket at path.
func Answers(ctx context.Context, path string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		return true, c.Close()
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, syscall.EAGAIN):
		return true, nil // the queue of connections is full, so a process listens
	}
	return false, err
}
