package access

import (
	"bytes"
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

	"bencao/internal/system"
)

// FileOptions tunes a [File]. The zero value is ready for use.
type FileOptions struct {
	// Report is told of every change, from one goroutine at a time. It must
	// not call the file. Nil reports to nobody.
	Report func(Change)
	// Tick says when [File.Watch] looks at the file. Nil is once a second.
	Tick <-chan time.Time
	// Now is the clock that tells how long a file has rested. Nil is
	// [time.Now], whose monotonic reading a change of the machine's clock does
	// not touch.
	Now func() time.Time
	// Sleep lets [OpenFile] wait for a file that is being written. Nil is
	// [time.Sleep].
	Sleep func(time.Duration)
}

// Change is what became of the access file.
type Change struct {
	// Err is nil if the file is in force as it stands. If it wraps [ErrDoubt],
	// the file may be half written: what it withdraws is withdrawn, what it
	// grants is not granted yet. Otherwise it says what is wrong, and what was
	// in force before still is.
	Err error
	// Table is what is in force.
	Table *Table
}

// ErrDoubt is returned while it can't be told whether a file is whole.
var ErrDoubt = errors.New("may be half written")

// File is an access file that is read again when it changes. It may be used
// from many goroutines.
//
// A file that is half written must not give a right that no whole file gave:
// without its last line a disabled key may be an open one. So a text that
// proves itself whole is in force at once, as is one that has rested: that was
// read twice, [restTime] apart, and had not been touched in between. Any other
// valid text can only take rights away. One that is known to be cut off is
// invalid, and does nothing.
type File struct {
	path  string
	opt   FileOptions
	table atomic.Pointer[Table]

	mu     sync.Mutex // guards what follows, and is held while reporting
	text   text       // as it was read last
	since  time.Time  // when it was first read so
	rested bool       // it was read so again, restTime later
	said   string     // the error that was reported last, empty for none
}

// restTime is how long a text must have stayed as it is to be believed without
// proof. It is also longer than the grain of a file system's times, so that a
// change after it shows in them.
const restTime = 2 * time.Second

// A text is what a file held, and what it means.
type text struct {
	stamp stamp // of the file
	sum   Hash  // of the bytes
	table *Table
	err   error // why there is no table
	// believed tells that it was in force at once: it proved itself whole, or
	// said what was in force anyway.
	believed bool
}

func newText(path string, data []byte, stat os.FileInfo, at stamp) text {
	t := text{stamp: at, sum: sha256.Sum256(data)}
	if t.table, t.err = Parse(path, data); t.err == nil && system.Modes && stat.Mode().Perm()&0o002 != 0 {
		t.table.warnings = append(t.table.warnings, fmt.Sprintf("anybody on this machine may write to %s and so give themselves a key; run chmod o-w on it", path))
	}
	return t
}

// OpenFile reads the access file at path. An invalid one is an error, a
// [*FileError] that says what is wrong where. One that does not prove itself
// whole and was changed just now is read until it has rested.
func OpenFile(path string, opt FileOptions) (*File, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Sleep == nil {
		opt.Sleep = time.Sleep
	}
	if opt.Report == nil {
		opt.Report = func(Change) {}
	}
	data, stat, at, err := readRested(path, opt.Now, opt.Sleep)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, opt: opt, text: newText(path, data, stat, at), since: opt.Now()}
	f.text.believed = true
	f.table.Store(f.text.table)
	return f, f.text.err
}

// Read returns the table of the access file at path as it is now, half written
// or not. It is for showing: a server takes [OpenFile].
func Read(path string) (*Table, error) {
	data, stat, at, err := readFile(path)
	if err != nil {
		return nil, err
	}
	t := newText(path, data, stat, at)
	return t.table, t.err
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
			// An error has been reported.
			_ = f.check(false)
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
	if !always && f.rested {
		if now, err := stampAt(f.path); err == nil && now == f.text.stamp {
			return nil
		}
	}
	before := f.table.Load()
	err := f.read()
	said := ""
	if err != nil {
		said = err.Error()
	}
	if after := f.table.Load(); always || said != f.said || after != before {
		f.said = said
		f.opt.Report(Change{Err: err, Table: after})
	}
	return err
}

// read reads the file and puts in force what it may.
func (f *File) read() error {
	data, stat, at, err := readFile(f.path)
	if err != nil {
		f.text, f.rested = text{}, false
		return err
	}
	inForce, now := f.table.Load(), f.opt.Now()
	same := Hash(sha256.Sum256(data)) == f.text.sum
	switch {
	case !same || at != f.text.stamp || now.Before(f.since):
		f.since, f.rested = now, false
	case now.Sub(f.since) >= restTime:
		f.rested = true
	}
	if same {
		f.text.stamp = at
	} else {
		f.text = newText(f.path, data, stat, at)
		f.text.believed = f.text.err == nil && (f.text.table.sealed || inForce.same(f.text.table))
	}
	if f.text.err != nil {
		return f.text.err
	}
	if f.text.believed || f.rested {
		f.table.Store(f.text.table)
		return nil
	}
	if less := inForce.meet(f.text.table); !inForce.same(less) {
		f.table.Store(less)
	}
	return fmt.Errorf("access file %s: %w, so what it withdraws is withdrawn, and what it grants will be when it has not changed for %s; \"bencao keys seal\" proves it whole at once", f.path, ErrDoubt, restTime)
}

// readRested reads a file that proves itself whole, or has not changed for a
// while. For another one it waits, unless waiting would not make it valid.
func readRested(path string, now func() time.Time, sleep func(time.Duration)) (data []byte, stat os.FileInfo, at stamp, err error) {
	const patience = 5
	for range patience {
		before, was := data, at
		if data, stat, at, err = readFile(path); err != nil {
			return nil, nil, at, err
		}
		sealed, cuts := checkTrailer(data)
		old := now().Sub(at.changed()) >= restTime || before != nil && bytes.Equal(before, data) && was == at
		if sealed || len(cuts) > 0 || old {
			return data, stat, at, nil
		}
		if _, problems := parse(data); len(problems) > 0 {
			return data, stat, at, nil
		}
		sleep(restTime)
	}
	return nil, nil, at, fmt.Errorf("access file %s: %w: it has been written to again and again for %s; wait until that is done", path, ErrDoubt, patience*restTime)
}

func readFile(path string) (data []byte, stat os.FileInfo, at stamp, err error) {
	// A pipe that nobody writes to must not hold up whoever watches the file.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil, at, missing(path)
		}
		return nil, nil, at, fmt.Errorf("access file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if stat, err = file.Stat(); err != nil {
		return nil, nil, at, fmt.Errorf("access file: %w", err)
	}
	if !stat.Mode().IsRegular() {
		return nil, nil, at, fmt.Errorf("access file %s: is not a regular file; put one in its place", path)
	}
	if at, err = stampOf(file); err != nil {
		return nil, nil, at, fmt.Errorf("access file: %w", err)
	}
	text := bytes.NewBuffer(make([]byte, 0, min(stat.Size(), maxFile)+bytes.MinRead))
	if _, err = text.ReadFrom(io.LimitReader(file, maxFile+1)); err != nil {
		return nil, nil, at, fmt.Errorf("access file: %w", err)
	}
	return text.Bytes(), stat, at, nil
}

func missing(path string) error {
	return fmt.Errorf(`access file %s: %w; make it and its first key with "bencao keys create --access %s"`, path, os.ErrNotExist, path)
}
