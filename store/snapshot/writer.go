package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"bencao/internal/durable"
	"bencao/internal/system"
)

// ErrLocked is the error if another process has the write lock of the data directory.
var ErrLocked = errors.New("data directory is locked")

// WriterOptions tunes a [Writer]. The zero value is ready for use.
type WriterOptions struct {
	// Purpose is the running command, such as "bencao index". While the Writer holds the lock, the
	// error messages of other processes name this command.
	Purpose string
	// Existing makes Lock return an error if the data directory does not exist, instead of creating
	// it.
	Existing bool
	// Announce, if not nil, is called when a snapshot has become current or is confirmed as
	// current. It signs this fact for mirrors.
	Announce func(Pointer) error
	// Now is the clock for ids. Nil is time.Now.
	Now func() time.Time
	// Log receives warnings. Nil is silent.
	Log *slog.Logger
	// Step is called before each step that changes the disk, such as "rename draft". Programs show
	// progress with it, and tests stop the program in it. Nil does nothing.
	Step func(step string)
}

// Writer changes a data directory and holds its write lock. Only one goroutine may use it.
type Writer struct {
	dir   Dir
	lock  *os.File
	opt   WriterOptions
	draft *Draft
}

// Lock creates the data directory if necessary and takes its write lock. If another process has the
// lock, Lock returns [ErrLocked] at once; the message names the process. The lock ends with
// [Writer.Close] or with the process.
//
// Any user who can open a file can lock it. So only the owner of the data directory can open LOCK:
// users who may only read snapshots must not block nightly builds.
func (d Dir) Lock(opt WriterOptions) (*Writer, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
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
	f, err := d.takeLock(opt)
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: d, lock: f, opt: opt}
	who := fmt.Sprintf("process %d (%s, since %s)\n", os.Getpid(), cmp.Or(oneLine(opt.Purpose), "bencao"), opt.Now().UTC().Format(time.RFC3339))
	// The owner in LOCK is used only in messages. So it may be missing if the disk is full, since
	// Prune must work on a full disk too.
	if err := w.write(who); err != nil && !durable.NoRoom(err) {
		return nil, errors.Join(err, f.Close())
	}
	return w, nil
}

// takeLock opens LOCK and locks it.
func (d Dir) takeLock(opt WriterOptions) (*os.File, error) {
	for {
		f, err := os.OpenFile(d.lock(), os.O_RDWR|os.O_CREATE|openFlags, lockMode)
		if errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%w; run this as the owner of %s; \"bencao doctor\" finds files of other users", err, d.path)
		}
		if err != nil {
			return nil, durable.Explain(d.path, err)
		}
		if err := lockExclusive(f); err != nil {
			if errors.Is(err, system.ErrLocked) {
				err = fmt.Errorf("%w: %s is held by %s; wait until that is done", ErrLocked, d.lock(), d.lockOwner())
			} else {
				err = fmt.Errorf("lock %s: %w", d.lock(), err)
			}
			return nil, errors.Join(err, f.Close())
		}
		// The file may have been replaced between open and lock.
		held, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		there, err := os.Lstat(d.lock())
		if err != nil || !os.SameFile(held, there) {
			if err := f.Close(); err != nil {
				return nil, err
			}
			continue
		}
		return f, nil
	}
}

// LockOwner returns the process that holds the write lock, or "" if there is none. It tests the
// lock by taking a shared lock for a moment. Only the owner of the data directory may call it;
// other users get [fs.ErrPermission].
func (d Dir) LockOwner() (owner string, err error) {
	f, err := os.OpenFile(d.lock(), os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer closing(f, &err)
	err = system.TryLock(f, true)
	if errors.Is(err, system.ErrLocked) {
		return d.lockOwner(), nil
	}
	return "", err
}

// lockExclusive takes the write lock. It retries for slightly longer than [Dir.LockOwner] of
// another process may hold its shared lock.
func lockExclusive(f *os.File) error {
	var err error
	for range lockTries {
		if err = system.TryLock(f, false); !errors.Is(err, system.ErrLocked) {
			return err
		}
		time.Sleep(pinPause)
	}
	return err
}

// Dir returns the directory that w may change.
func (w *Writer) Dir() Dir { return w.dir }

// Close aborts an unpublished draft and releases the lock. If the process runs as root, it gives
// all files to the owner of the data directory, so that the owner can write again.
func (w *Writer) Close() error {
	var aborted error
	if w.draft != nil {
		aborted = w.draft.Abort()
	}
	return errors.Join(aborted, w.write(""), durable.Adopt(w.dir.path, w.dir.path), w.lock.Close())
}

// write replaces the content of LOCK with who, the description of a process.
func (w *Writer) write(who string) error {
	if err := w.lock.Truncate(0); err != nil {
		return err
	}
	_, err := w.lock.WriteAt([]byte(who), 0)
	return err
}

// lockOwner returns the process that LOCK names, or "another process" if it names none.
func (d Dir) lockOwner() string {
	b, err := readSmall(d.lock(), 1024)
	if who := strings.TrimSpace(oneLine(string(b))); err == nil && who != "" {
		return who
	}
	return "another process"
}
