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
	// Report is called with every change, from one goroutine at a time. It must not call methods of
	// the file. Nil reports nothing.
	Report func(Change)
	// Tick triggers the checks of [File.Watch]. Nil means once a second.
	Tick <-chan time.Time
	// Now is the clock that measures for how long the file has not changed. Nil means [time.Now],
	// whose monotonic reading ignores corrections of the machine's clock.
	Now func() time.Time
	// Sleep is called by [OpenFile] to wait for a file that is being written. Nil means
	// [time.Sleep].
	Sleep func(time.Duration)
}

// Change is the result of reading the access file once more.
type Change struct {
	// Err is nil if all rights in the file are in force. If Err wraps [ErrDoubt], the file may be
	// half written: the rights that are missing in the file are no longer in force, but new rights
	// in the file are not in force yet. Any other error says what is wrong with the file. The
	// previous rights then remain in force.
	Err error
	// Table holds the rights in force.
	Table *Table
}

// ErrDoubt is returned while an access file may be incomplete.
var ErrDoubt = errors.New("may be half written")

// File is an access file that is read again when it changes. It may be used from many goroutines.
//
// A half-written file must not grant a right that no complete file granted. For example, a disabled
// key would be active if its last line were still missing. A text is therefore in force at once
// only if its checksum matches. Otherwise it must settle: it is read twice, [settleTime] apart, and
// must not change in between. Until then a valid text can only withdraw rights. A text that is
// known to be cut off is invalid and changes nothing.
type File struct {
	path  string
	opt   FileOptions
	table atomic.Pointer[Table]

	mu       sync.Mutex // guards the fields below, and is held while opt.Report is called
	content  content    // content of the file when it was last read
	since    time.Time  // time when this content was first read
	settled  bool       // the content was still the same after settleTime
	reported string     // text of the error that was reported last, or empty
}

// settleTime is how long a text without a valid checksum must stay the same before it is put into
// force. It is longer than the resolution of file times, so that a later change gives the file
// another time.
const settleTime = 2 * time.Second

// A content is the text of a file with the rights that it grants.
type content struct {
	stamp stamp // stamp of the file
	sum   Hash  // hash of the text
	table *Table
	err   error // the reason if table is nil
	// believed reports whether the rights were put into force at once, because the checksum matched
	// or because the text granted the rights that were already in force.
	believed bool
}

func newContent(path string, data []byte, stat os.FileInfo, at stamp) content {
	t := content{stamp: at, sum: sha256.Sum256(data)}
	if t.table, t.err = Parse(path, data); t.err == nil && system.Modes && stat.Mode().Perm()&0o002 != 0 {
		t.table.warnings = append(t.table.warnings, fmt.Sprintf("anybody on this machine may write to %s and so give themselves a key; run chmod o-w on it", path))
	}
	return t
}

// OpenFile reads the access file at path. If the file is invalid, the error is a [*FileError]. If
// the file has no valid checksum and has changed within [settleTime], OpenFile waits until it stops
// changing (see [File]).
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
	data, stat, at, err := readSettled(path, opt.Now, opt.Sleep)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, opt: opt, content: newContent(path, data, stat, at), since: opt.Now()}
	f.content.believed = true
	f.table.Store(f.content.table)
	return f, f.content.err
}

// Read returns the rights in the access file at path as it is now, even if the file may be
// incomplete. Read is for commands that show the file; a server calls [OpenFile].
func Read(path string) (*Table, error) {
	data, stat, at, err := readFile(path)
	if err != nil {
		return nil, err
	}
	t := newContent(path, data, stat, at)
	return t.table, t.err
}

// Table returns the rights in force.
func (f *File) Table() *Table { return f.table.Load() }

// Watch checks the file at every tick until ctx is done. If the file has changed, Watch reads it.
// Watch polls because notifications of the operating system are not enough: those for a file end
// when the file is replaced, and those for a folder miss symbolic links and network drives.
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
			// The error is ignored here, because check has already reported it.
			_ = f.check(false)
		}
	}
}

// Reload reads the file now, as on SIGHUP, even if it has not changed. It reports the result to
// [FileOptions.Report] and returns the same error.
func (f *File) Reload() error { return f.check(true) }

// check reads the file if it may have changed, and reports each new state once. If always is set,
// it reads and reports the file in any case.
func (f *File) check(always bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !always && f.settled {
		if now, err := stampAt(f.path); err == nil && now == f.content.stamp {
			return nil
		}
	}
	before := f.table.Load()
	err := f.read()
	reported := ""
	if err != nil {
		reported = err.Error()
	}
	if after := f.table.Load(); always || reported != f.reported || after != before {
		f.reported = reported
		f.opt.Report(Change{Err: err, Table: after})
	}
	return err
}

// read reads the file. If the text is known to be complete, read puts all rights in it into force.
// If the text may be incomplete, read only withdraws rights.
func (f *File) read() error {
	data, stat, at, err := readFile(f.path)
	if err != nil {
		f.content, f.settled = content{}, false
		return err
	}
	inForce, now := f.table.Load(), f.opt.Now()
	same := Hash(sha256.Sum256(data)) == f.content.sum
	switch {
	case !same || at != f.content.stamp || now.Before(f.since):
		f.since, f.settled = now, false
	case now.Sub(f.since) >= settleTime:
		f.settled = true
	}
	if same {
		f.content.stamp = at
	} else {
		f.content = newContent(f.path, data, stat, at)
		f.content.believed = f.content.err == nil && (f.content.table.sealed || inForce.equal(f.content.table))
	}
	if f.content.err != nil {
		return f.content.err
	}
	if f.content.believed || f.settled {
		f.table.Store(f.content.table)
		return nil
	}
	if less := inForce.intersect(f.content.table); !inForce.equal(less) {
		f.table.Store(less)
	}
	return fmt.Errorf("access file %s: %w, so only the rights that it removes change now; the rights that it adds count when the file has not changed for %s, or at once after \"bencao keys seal\"", f.path, ErrDoubt, settleTime)
}

// readSettled waits until a file has a valid checksum or has not changed for [settleTime], and
// returns its content. It does not wait for a file that would be invalid even if it were complete.
func readSettled(path string, now func() time.Time, sleep func(time.Duration)) (data []byte, stat os.FileInfo, at stamp, err error) {
	const patience = 5
	for range patience {
		before, was := data, at
		if data, stat, at, err = readFile(path); err != nil {
			return nil, nil, at, err
		}
		sealed, cuts := checkTrailer(data)
		old := now().Sub(at.changed()) >= settleTime || before != nil && bytes.Equal(before, data) && was == at
		if sealed || len(cuts) > 0 || old {
			return data, stat, at, nil
		}
		if _, problems := parse(data); len(problems) > 0 {
			return data, stat, at, nil
		}
		sleep(settleTime)
	}
	return nil, nil, at, fmt.Errorf("access file %s: %w: it has kept changing for %s; wait until the editing is finished", path, ErrDoubt, patience*settleTime)
}

func readFile(path string) (data []byte, stat os.FileInfo, at stamp, err error) {
	// O_NONBLOCK keeps the open from blocking if path is a pipe without a writer.
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
