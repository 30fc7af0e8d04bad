package access

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"bencao/internal/system"
)

// FileOptions tunes a [File]. The zero value is ready for use.
type FileOptions struct {
	// Report is called with every change, from one goroutine at a time. It must not call methods of
	// the file. Nil reports nothing.
	Report func(Change)
	// Now is the clock that measures for how long the file has not changed. Nil means [time.Now].
	Now func() time.Time
	// Sleep is called by [OpenFile] to wait for a file that is being written. Nil means
	// [time.Sleep].
	Sleep func(time.Duration)
}

// Change is the result of reading a changed access file.
type Change struct {
	// Err says what is wrong with the file; the previous rights then remain in force. It is nil if
	// the rights in the file are in force.
	Err error
	// Table holds the rights in force.
	Table *Table
}

// File is an access file that is read again when it changes. It may be used from many goroutines.
//
// A text counts if it is valid, ends with its last line, and has not changed for a second. Any
// other text changes nothing.
type File struct {
	opt   FileOptions
	table atomic.Pointer[Table]

	mu       sync.Mutex // guards the fields below, and is held while opt.Report is called
	text     text
	parsed   []byte // the text that was parsed last
	err      error  // the reason if that text was refused
	reported string // text of the error that was reported last, or empty
}

// OpenFile reads the access file at path. If the file is still being written, OpenFile waits.
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
	f := &File{opt: opt, text: text{path: path}}
	if err := f.text.settle(opt.Now, opt.Sleep); err != nil {
		return nil, err
	}
	if f.parse(); f.err != nil {
		return nil, f.err
	}
	return f, nil
}

// Read returns the rights in the access file at path as it is now. It is for commands that show the
// file; a server calls [OpenFile].
func Read(path string) (*Table, error) {
	t := text{path: path}
	if _, err := t.read(time.Now()); err != nil {
		return nil, err
	}
	return t.parse()
}

// Table returns the rights in force.
func (f *File) Table() *Table { return f.table.Load() }

// Watch looks at the file once a second until ctx is done. It polls because notifications of the
// operating system are not enough: those for a file end when the file is replaced, and those for a
// folder miss symbolic links and network drives.
func (f *File) Watch(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.Look()
		}
	}
}

// Look reads the file once. It puts a new text in force if the text counts, and reports each new
// text or error once.
func (f *File) Look() {
	f.mu.Lock()
	defer f.mu.Unlock()
	settled, err := f.text.read(f.opt.Now())
	if err == nil && !settled {
		return
	}
	changed := err == nil && !bytes.Equal(f.text.data, f.parsed)
	if changed {
		f.parse()
	}
	if err == nil {
		err = f.err
	}
	reported := ""
	if err != nil {
		reported = err.Error()
	}
	if changed || reported != f.reported {
		f.reported = reported
		f.opt.Report(Change{Err: err, Table: f.table.Load()})
	}
}

// parse parses the text and puts it in force if it is valid.
func (f *File) parse() {
	var table *Table
	f.parsed = f.text.data
	if table, f.err = f.text.parse(); f.err == nil {
		f.table.Store(table)
	}
}

// settleTime is how long a text must stay the same before it counts.
const settleTime = time.Second

// text is the text of an access file, which another program may be writing.
type text struct {
	path  string
	data  []byte
	mode  fs.FileMode
	since time.Time // time at which data was first read
}

// read reads the file at the time now. It reports whether the text has not changed for
// [settleTime]: either the file's modification time says so, or the same text was read so long ago.
func (t *text) read(now time.Time) (settled bool, err error) {
	data, err := os.ReadFile(t.path)
	if err != nil {
		t.since = time.Time{}
		if errors.Is(err, fs.ErrNotExist) {
			return false, missing(t.path)
		}
		return false, fmt.Errorf("access file: %w", err)
	}
	stat, err := os.Stat(t.path) // after reading, so that a write in between makes the file look new
	if err != nil {
		return false, fmt.Errorf("access file: %w", err)
	}
	if t.since.IsZero() || !bytes.Equal(data, t.data) {
		t.data, t.since = data, now
	}
	t.mode = stat.Mode()
	return now.Sub(stat.ModTime()) >= settleTime || now.Sub(t.since) >= settleTime, nil
}

// settle reads the file until its text has not changed for [settleTime].
func (t *text) settle(now func() time.Time, sleep func(time.Duration)) error {
	const tries = 5
	for range tries {
		if settled, err := t.read(now()); settled || err != nil {
			return err
		}
		sleep(settleTime)
	}
	return fmt.Errorf("access file %s: it has kept changing for %s; wait until the editing is finished", t.path, tries*settleTime)
}

func (t *text) parse() (*Table, error) {
	table, err := Parse(t.path, t.data)
	if err == nil && system.Modes && t.mode.Perm()&0o002 != 0 {
		table.warnings = append(table.warnings, fmt.Sprintf("anybody on this machine may write to %s and so give themselves a key; run chmod o-w on it", t.path))
	}
	return table, err
}

func missing(path string) error {
	return fmt.Errorf(`access file %s: %w; make it and its first key with "bencao keys create --access %s"`, path, os.ErrNotExist, path)
}
