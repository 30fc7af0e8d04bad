package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"bencao/internal/durable"
)

// Draft is a snapshot that is being built. It belongs to its [Writer].
type Draft struct {
	w    *Writer
	path string // "" after the draft was published or aborted
}

// Draft removes leftovers of earlier runs and creates an empty directory for a new snapshot.
func (w *Writer) Draft() (*Draft, error) {
	if w.draft != nil {
		return nil, errors.New("the earlier draft is neither published nor aborted")
	}
	if err := w.cleanOwn(""); err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(w.dir.snapshots(), draftPrefix)
	if err != nil {
		return nil, err
	}
	w.draft = &Draft{w: w, path: path}
	return w.draft, nil
}

// Path returns the directory of the draft. The builder may create any files there except
// manifest.json. Empty directories are not allowed.
func (d *Draft) Path() string { return d.path }

// Abort removes the draft. If the draft was published or aborted before, it does nothing.
func (d *Draft) Abort() error {
	path := d.path
	d.path, d.w.draft = "", nil
	if path == "" {
		return nil
	}
	if id := filepath.Base(path); ValidID(id) {
		return d.w.remove(id) // the draft already has its final name
	}
	return removeTree(path)
}

// Publish makes the draft the current snapshot. All its files must be closed. The steps are:
//
//  1. Each file is synced and made read-only.
//  2. check is called with the draft's directory. It may open the files for reading, compare them
//     with the previous snapshot, and refuse the draft.
//  3. The manifest is written. All files are read back from the disk and compared with the
//     manifest.
//  4. The directory gets its final name.
//  5. CURRENT changes.
//
// After a crash or an error at any point, the old or the new snapshot is current and complete.
// After an error the draft remains until [Draft.Abort]. Publish does not retry a failed fsync,
// since a second call may report success although data is lost.
func (d *Draft) Publish(ctx context.Context, c Content, check func(dir string) error) (Manifest, error) {
	m, err := d.Seal(ctx, c, check)
	if err != nil {
		return m, err
	}
	return m, d.Switch(m)
}

// Seal does steps 1 to 3 of [Draft.Publish], and [Draft.Switch] does steps 4 and 5. So a program
// can prepare the drafts of two data directories before it makes either current.
func (d *Draft) Seal(ctx context.Context, c Content, check func(dir string) error) (Manifest, error) {
	if d.path == "" {
		return Manifest{}, errors.New("draft is published or aborted")
	}
	m, err := d.settle(ctx, c)
	if err != nil {
		return Manifest{}, err
	}
	d.w.opt.Step("check")
	if err := check(d.path); err != nil {
		return Manifest{}, err
	}
	created, err := d.w.stamp()
	if err != nil {
		return Manifest{}, err
	}
	m.Created = created
	m, raw, err := m.sealed()
	if err != nil {
		return Manifest{}, err
	}
	return m, d.seal(ctx, m, raw)
}

// Switch makes a draft current. m is the manifest that [Draft.Seal] returned.
func (d *Draft) Switch(m Manifest) error {
	sum, err := digest(m)
	if err != nil {
		return err
	}
	if err := d.switchTo(Pointer{ID: m.ID, Digest: sum}); err != nil {
		return err
	}
	return d.w.Announce()
}

// settle syncs the draft's files, makes them read-only and lists them.
func (d *Draft) settle(ctx context.Context, c Content) (Manifest, error) {
	const unnamed = "draft"
	paths, err := filesIn(d.path, unnamed)
	if err != nil {
		return Manifest{}, err
	}
	if len(paths) == 0 {
		return Manifest{}, errors.New("draft has no files")
	}
	for _, p := range paths {
		if err := checkPath(p); err != nil {
			return Manifest{}, fmt.Errorf("draft %w", err)
		}
	}
	m := Manifest{Format: Format, Content: c, Files: make([]File, len(paths))}
	d.w.opt.Step("sync files")
	err = each(ctx, len(paths), func(i int) error {
		name := filepath.Join(d.path, filepath.FromSlash(paths[i]))
		if err := protect(name); err != nil {
			return err
		}
		if err := durable.SyncFile(name); err != nil {
			return err
		}
		file, err := sum(ctx, d.path, paths[i], -1, Deep)
		m.Files[i] = file
		return err
	})
	if err != nil {
		return Manifest{}, err
	}
	return m, d.eachDir(func(dir string) error {
		if dir == d.path {
			return nil // the manifest will be written into this directory later
		}
		return os.Chmod(dir, 0o555)
	})
}

// seal writes the manifest, syncs the directories, and reads the whole draft back.
func (d *Draft) seal(ctx context.Context, m Manifest, raw []byte) error {
	if _, err := ParseManifest(raw); err != nil {
		return fmt.Errorf("%s %w", ManifestName, err)
	}
	d.w.opt.Step("write manifest")
	err := durable.WriteNew(filepath.Join(d.path, ManifestName), 0o444, func(w io.Writer) error { _, err := w.Write(raw); return err })
	if err != nil {
		return err
	}
	d.w.opt.Step("sync directories")
	if err := os.Chmod(d.path, 0o555); err != nil {
		return err
	}
	if err := d.eachDir(durable.SyncDir); err != nil {
		return err
	}
	d.w.opt.Step("read back")
	for _, f := range m.Files {
		if err := forget(filepath.Join(d.path, filepath.FromSlash(f.Path))); err != nil {
			return err
		}
	}
	return verify(ctx, d.path, m, Deep)
}

// switchTo gives the draft its final name and makes it current.
func (d *Draft) switchTo(p Pointer) error {
	named := d.w.dir.snapshot(p.ID)
	d.w.opt.Step("rename draft")
	if err := os.Rename(d.path, named); err != nil {
		return err
	}
	d.path = named
	d.w.opt.Step("sync snapshots")
	if err := durable.SyncDir(d.w.dir.snapshots()); err != nil {
		return err
	}
	if err := d.w.setCurrent(p, d.w.opt.Now()); err != nil {
		now, readErr := d.w.dir.Current()
		other := readErr == nil && now != p
		if other || errors.Is(readErr, ErrNone) {
			return err
		}
		// CURRENT names the draft already, although that may not be durable. So the draft must
		// stay.
		d.path, d.w.draft = "", nil
		return err
	}
	d.path, d.w.draft = "", nil
	return nil
}

// eachDir calls do for the draft's directories, parents before children.
func (d *Draft) eachDir(do func(dir string) error) error {
	return filepath.WalkDir(d.path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return do(name)
	})
}

// setCurrent writes p to CURRENT. It sets the modification time of CURRENT to the time at which the
// publisher chose p: see [Withdrawn].
func (w *Writer) setCurrent(p Pointer, chosen time.Time) error {
	w.opt.Step("write CURRENT")
	if err := durable.WriteFile(w.dir.current(), []byte(p.String()+"\n"), durable.Options{ModTime: chosen}); err != nil {
		return fmt.Errorf("make %s current: %w", p.ID, err)
	}
	w.opt.Step("done")
	return nil
}

// SetChosen records on a mirror when the publisher chose the current snapshot: see [Withdrawn]. If
// this time is not known, at is zero and SetChosen records the time in the snapshot's id.
func (w *Writer) SetChosen(at time.Time) error {
	p, err := w.dir.Current()
	if err != nil {
		return err
	}
	if at.IsZero() {
		if at, err = stampTime(p.ID); err != nil {
			return err
		}
	}
	return os.Chtimes(w.dir.current(), time.Time{}, at)
}

// stamp returns the time for the id of a new snapshot. This is the present time, or one second
// after the newest existing snapshot if that is later. So the order of ids stays right even if the
// clock was set back.
func (w *Writer) stamp() (time.Time, error) {
	now := w.opt.Now().UTC().Truncate(time.Second)
	ids, err := w.dir.ids()
	if err != nil {
		return now, err
	}
	if len(ids) == 0 {
		return now, nil
	}
	newest, err := stampTime(ids[0])
	if !now.After(newest) {
		now = newest.Add(time.Second)
	}
	return now, err
}

// protect makes a file read-only, unless it is already. A file that is linked from another snapshot
// is read-only and may belong to another user, so that its mode could not be changed.
func protect(name string) error {
	info, err := os.Lstat(name)
	if err != nil || info.Mode().Perm() == 0o444 {
		return err
	}
	return os.Chmod(name, 0o444)
}
