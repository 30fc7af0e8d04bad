package listen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// draftName returns the name that the file of a unix socket has in its folder until its mode is
// set.
func draftName(path string) string { return "." + filepath.Base(path) + ".new" }

// openUnix listens on a unix socket. If the path has a socket on which no process listens, openUnix
// replaces it. If the path has any other file, openUnix returns an error. A lock on the folder
// makes concurrent calls wait for each other.
//
// The socket is created under another name, gets its mode, and is then renamed. A socket at the
// path therefore always has the right mode and accepts connections.
func openUnix(ctx context.Context, a Address) (_ *net.UnixListener, err error) {
	dir, err := os.Open(filepath.Dir(a.Place))
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; make the folder", a, err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := lock(dir); err != nil {
		return nil, fmt.Errorf("listen on %s: lock %s: %w", a, dir.Name(), err)
	}
	if err := vacant(ctx, a.Place); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", a, err)
	}
	draft := filepath.Join(dir.Name(), draftName(a.Place))
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listen on %s: %w", a, err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: draft, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(draft, a.Mode), os.Rename(draft, a.Place)); err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", a, err), l.Close(), os.Remove(draft))
	}
	return l, nil
}

// vacant returns an error if the path has a file that must not be replaced.
func vacant(ctx context.Context, path string) error {
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
	return nil
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

// removeUnix removes the socket at path if it is still the file described by info.
func removeUnix(path string, info fs.FileInfo) error {
	now, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, info) {
		return nil // another process has put its own socket there
	}
	if err != nil {
		return err
	}
	return os.Remove(path)
}
