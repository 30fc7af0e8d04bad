package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// FileOptions tunes a [File]. The zero value is ready for use.
type FileOptions struct {
	// Report is told of every change, from one goroutine at a time. It must
	// not call the file. Nil reports to nobody.
	Report func(Change)
	// Tick says when [File.Watch] looks at the file. Nil is once a second.
	Tick <-chan time.Time
	// Now is the clock that file times are compared with. Nil is [time.Now].
	Now func() time.Time
}

// Change is what became of the access file.
type Change struct {
	// Err is nil if the file is in force as it stands. Otherwise it says what
	// is wrong, and what was in force before still is.
	Err error
	// Table is what is in force.
	Table *Table
}

// File is an access file that is read again when it changes. It may be used
// from many goroutines.
type File struct {
	path  string
	opt   FileOptions
	table atomic.Pointer[Table]

	mu      sync.Mutex // guards what follows, and is held while reporting
	stat    os.FileInfo
	settled bool // the file was old enough when read to show any later change
	sum     Hash // of the content that was read last, right or wrong
	failure string
}

// settleTime is the age from which on a change of a file must show in its
// time: file systems keep seconds, or two.
const settleTime = 2 * time.Second

// OpenFile reads the access file at path. An invalid one is an error, a
// [*FileError] that says what is wrong where.
func OpenFile(path string, opt FileOptions) (*File, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Report == nil {
		opt.Report = func(Change) {}
	}
	f := &File{path: path, opt: opt}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// Read returns the table of the access file at path as it is now.
func Read(path string) (*Table, error) {
	f, err := OpenFile(path, FileOptions{})
	if err != nil {
		return nil, err
	}
	return f.Table(), nil
}

// Table returns what is in force.
func (f *File) Table() *Table { return f.table.Load() }

// Watch looks at the file at every tick, and reads it when it has changed,
// until ctx is done. It polls because a watch on a file dies when the file is
// replaced, and one on its folder misses symbolic links and network drives.
func (f *File) Watch(ctx context.Context) {
	tick := f.opt.Tick
	if tick == nil {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			f.check(false)
		}
	}
}

// Reload reads the file at once, as on SIGHUP, and returns what it reports.
func (f *File) Reload() error { return f.check(true) }

// check reads the file if it may have changed, and reports each new state
// once.
func (f *File) check(always bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !always && f.settled && f.same() {
		return nil
	}
	before, sum := f.table.Load(), f.sum
	err := f.read()
	switch {
	case err != nil && (always || err.Error() != f.failure):
		f.failure = err.Error()
		f.opt.Report(Change{Err: err, Table: before})
	case err == nil && (always || f.failure != "" || f.sum != sum):
		f.failure = ""
		f.opt.Report(Change{Table: f.table.Load()})
	}
	return err
}

// same tells whether the file looks as it did when it was read.
func (f *File) same() bool {
	stat, err := os.Stat(f.path)
	return err == nil && f.stat != nil && os.SameFile(stat, f.stat) &&
		stat.Size() == f.stat.Size() && stat.ModTime().Equal(f.stat.ModTime())
}

// read puts the file in force if it is valid.
func (f *File) read() error {
	f.settled = false // until it has been read
	data, stat, err := readFile(f.path)
	if err != nil {
		return err
	}
	f.stat, f.settled = stat, f.opt.Now().Sub(stat.ModTime()) > settleTime
	sum := Hash(sha256.Sum256(data))
	if sum == f.sum && f.failure == "" && f.table.Load() != nil {
		return nil
	}
	f.sum = sum
	t, err := Parse(f.path, data)
	if err != nil {
		return err
	}
	if stat.Mode().Perm()&0o002 != 0 {
		t.warnings = append(t.warnings, fmt.Sprintf("anybody on this machine may write to %s and so give themselves a key; run chmod o-w on it", f.path))
	}
	f.table.Store(t)
	return nil
}

func readFile(path string) (data []byte, stat os.FileInfo, err error) {
	// A pipe that nobody writes to must not hold up whoever watches the file.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil, missing(path)
		}
		return nil, nil, fmt.Errorf("access file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if stat, err = file.Stat(); err != nil {
		return nil, nil, fmt.Errorf("access file: %w", err)
	}
	if !stat.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("access file %s: is not a regular file; put one in its place", path)
	}
	if data, err = io.ReadAll(io.LimitReader(file, maxFile+1)); err != nil {
		return nil, nil, fmt.Errorf("access file: %w", err)
	}
	return data, stat, nil
}

func missing(path string) error {
	return fmt.Errorf(`access file %s: %w; make it and its first key with "bencao keys create --access %s"`, path, os.ErrNotExist, path)
}
