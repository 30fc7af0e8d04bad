package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"bencao/internal/durable"

	"golang.org/x/sys/unix"
)

// openFlags keep an open from following a symbolic link or waiting for the
// other end of a pipe.
const openFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK

var (
	// ErrLocked is returned while another process writes to the data directory.
	ErrLocked = errors.New("data directory is locked")
	// ErrInUse is returned when a snapshot can't be removed because some
	// process has it open, or because the file system can't tell.
	ErrInUse = errors.New("snapshot is in use")
)

// WriterOptions tunes a [Writer]. The zero value is ready for use.
type WriterOptions struct {
	// Purpose tells others who holds the lock, such as "bencao index".
	Purpose string
	// Existing refuses a data directory that is not there, instead of making
	// it: for a rollback or a prune.
	Existing bool
	// Key signs what is built. Nil signs nothing.
	Key *SigningKey
	// Now is the clock of the ids. Nil is time.Now.
	Now func() time.Time
	// Step is told each durable step before it is taken, such as "rename
	// draft", for showing progress and for tests that stop there. Nil is
	// silent.
	Step func(step string)
}

// Writer is the right to change a data directory. It is for one goroutine.
type Writer struct {
	dir   Dir
	lock  *os.File
	opt   WriterOptions
	draft *Draft
}

// Lock makes the data directory, if there is none, and takes its lock. It
// returns [ErrLocked] at once if another process has it; the message says
// which. The lock ends with [Writer.Close] or with the process.
func (d Dir) Lock(opt WriterOptions) (*Writer, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Step == nil {
		opt.Step = func(string) {}
	}
	if _, err := os.Stat(d.snapshots()); err != nil && opt.Existing {
		return nil, fmt.Errorf("%s is not a data directory: %w", d.path, err)
	}
	if err := durable.MkdirAll(d.snapshots()); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(d.lock(), os.O_RDWR|os.O_CREATE|openFlags, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lockExclusive(f); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = fmt.Errorf("%w: %s is held by %s; wait until that is done", ErrLocked, d.lock(), d.holder())
		} else {
			err = fmt.Errorf("lock %s: %w", d.lock(), err)
		}
		return nil, errors.Join(err, f.Close())
	}
	w := &Writer{dir: d, lock: f, opt: opt}
	who := fmt.Sprintf("process %d (%s, since %s)\n", os.Getpid(), cmp.Or(oneLine(opt.Purpose), "bencao"), opt.Now().UTC().Format(time.RFC3339))
	// Who holds it is only told for the message. On a full disk it must still
	// be possible to prune.
	if err := w.write(who); err != nil && !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EDQUOT) {
		return nil, errors.Join(err, f.Close())
	}
	return w, nil
}

// Holder tells who writes to the data directory now; "" is nobody. To find
// out it takes the lock for a moment, shared.
func (d Dir) Holder() (who string, err error) {
	f, err := os.OpenFile(d.lock(), os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer closing(f, &err)
	err = flock(f, unix.LOCK_SH)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return d.holder(), nil
	}
	return "", err
}

// lockExclusive takes the lock, and tries a little longer than [Dir.Holder]
// may have it.
func lockExclusive(f *os.File) error {
	var err error
	for range lockTries {
		if err = flock(f, unix.LOCK_EX); !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		time.Sleep(pinPause)
	}
	return err
}

// Dir is the directory that w may change.
func (w *Writer) Dir() Dir { return w.dir }

// Close aborts a draft that was not published, and gives the lock back.
func (w *Writer) Close() error {
	var aborted error
	if w.draft != nil {
		aborted = w.draft.Abort()
	}
	return errors.Join(aborted, w.write(""), w.lock.Close())
}

// write replaces the content of the lock file.
func (w *Writer) write(who string) error {
	if err := w.lock.Truncate(0); err != nil {
		return err
	}
	_, err := w.lock.WriteAt([]byte(who), 0)
	return err
}

// holder says who has the lock, as far as they have written it down yet.
func (d Dir) holder() string {
	b, err := readSmall(d.lock(), 1024)
	if who := strings.TrimSpace(oneLine(string(b))); err == nil && who != "" {
		return who
	}
	return "another process"
}

// flock takes a lock on an open file or directory without waiting for it.
func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		if err != unix.EINTR {
			return err
		}
	}
}

// Others hold a snapshot's exclusive lock only while they rename it.
const (
	pinTries  = 40
	pinPause  = 25 * time.Millisecond
	lockTries = 4
)

// pin holds a snapshot's directory against removal until the file is closed.
// The lock is on the directory itself: it needs no right to write, works on a
// read-only mount, and leaves nothing behind when a process is killed.
func pin(ctx context.Context, dir, id string) (*os.File, error) {
	f, err := openDir(dir, id)
	if err != nil {
		return nil, err
	}
	for range pinTries {
		err = flock(f, unix.LOCK_SH)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			break
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(pinPause):
		}
	}
	// Some network file systems can't lock a directory. Prune removes nothing
	// there, so reading is safe without.
	if err != nil && !cannotLock(err) {
		return nil, errors.Join(fmt.Errorf("snapshot %s: lock directory: %w", id, err), f.Close())
	}
	// It may have been renamed away between open and lock.
	held, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	there, err := os.Lstat(dir)
	if err == nil && !os.SameFile(held, there) {
		err = fmt.Errorf("snapshot %s was replaced while it was opened", id)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// inUse tells whether some process has the snapshot in dir pinned.
func inUse(dir, id string) (bool, error) {
	f, err := seize(dir, id)
	if errors.Is(err, ErrInUse) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, f.Close()
}

// seize takes the exclusive lock of a snapshot's directory, or returns
// [ErrInUse]. It must be given back soon: whoever opens the snapshot waits.
func seize(dir, id string) (*os.File, error) {
	f, err := openDir(dir, id)
	if err != nil {
		return nil, err
	}
	err = flock(f, unix.LOCK_EX)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, unix.EWOULDBLOCK):
		err = ErrInUse
	case cannotLock(err):
		err = fmt.Errorf("%w, or the file system can't tell: %w", ErrInUse, err)
	}
	return nil, errors.Join(err, f.Close())
}

// openDir opens a snapshot's directory for locking.
func openDir(dir, id string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|openFlags, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("snapshot %s is not there: %w; \"bencao snapshots\" lists those that are", id, fs.ErrNotExist)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
		return nil, fmt.Errorf("snapshot %s: %s is not a directory", id, dir)
	}
	return f, err
}

// cannotLock tells that the file system has no such locks at all.
func cannotLock(err error) bool {
	for _, no := range []unix.Errno{unix.ENOLCK, unix.ENOTSUP, unix.ENOSYS, unix.EINVAL, unix.EBADF, unix.EISDIR} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}
