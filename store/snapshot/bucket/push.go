package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

const (
	// senders is the number of files that are sent at the same time. threads is the number of parts
	// of a file that are sent at the same time.
	senders = 4
	threads = 3
	// sumName is the metadata field that holds the SHA-256 of an object's content.
	sumName = "Sha256"
	// forever is the Cache-Control header of files that never change. shortly is the header of
	// pointer files.
	forever = "public, max-age=31536000, immutable"
	shortly = "public, max-age=60"
)

// PushOptions tunes [Push]. The zero value is ready for use.
type PushOptions struct {
	// Keep, if not zero, makes the push remove old snapshots from the bucket. The push keeps the
	// newest Keep snapshots, the snapshots that it publishes, and all newer snapshots.
	Keep int
	// AllowRollback allows the push even if the bucket has a later state.
	AllowRollback bool
	// Over may return an error to prevent the push from replacing the snapshot that the bucket
	// serves. Nil allows it.
	Over func(shown, own snapshot.Manifest) error
	// Again makes the push send all files, even if the bucket appears to have them.
	Again bool
	// Log receives warnings. Nil is silent.
	Log *slog.Logger
	// Progress, if not nil, is called with the number of bytes that the bucket already has and
	// their total. Calls do not overlap.
	Progress func(done, total int64)
}

// Report describes a push.
type Report struct {
	// Outcome is published, unchanged, refused or failed.
	Outcome  string `json:"outcome"`
	Error    string `json:"error,omitempty"`
	Snapshot string `json:"snapshot,omitempty"` // the current snapshot of the data directory
	To       string `json:"to"`
	// Bytes is the size of all files. The field
	// There is the number of bytes that the bucket had before the push. Copied is the number of
	// bytes that the store copied from another snapshot. Sent is the number of bytes sent over the
	// network.
	Bytes  int64 `json:"bytes"`
	There  int64 `json:"there"`
	Copied int64 `json:"copied"`
	Sent   int64 `json:"sent"`
	// Removed lists the old snapshots that the push removed.
	Removed []string `json:"removed"`
}

// push is the state of a call of [Push].
type push struct {
	bucket *Bucket
	opt    PushOptions
	own    *snapshot.Publication
	// trusted lists the files of the root of trust, if there is one.
	trusted []snapshot.PointerFile
	// shown maps names to the pointer files that the bucket had at the start of the push.
	shown map[string]object
	// twins maps a SHA-256 to the path of a file with that content in the snapshot that the bucket
	// serves.
	twins map[string]string

	mu     sync.Mutex // guards the fields below and serialises calls of Progress
	report Report
	done   int64
}

// object is a small file in the bucket. The zero value means that the file is missing.
type object struct {
	etag    string
	content []byte
}

// Push makes the bucket serve the state that the data directory publishes. If it returns an error,
// the bucket serves the complete old or the complete new state. Push returns a report even if it
// fails.
func Push(ctx context.Context, d snapshot.Dir, b *Bucket, opt PushOptions) (Report, error) {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Progress == nil {
		opt.Progress = func(int64, int64) {}
	}
	if opt.Over == nil {
		opt.Over = func(snapshot.Manifest, snapshot.Manifest) error { return nil }
	}
	p := &push{bucket: b, opt: opt, shown: map[string]object{}, twins: map[string]string{}, report: Report{To: b.address, Removed: []string{}}}
	err := p.all(ctx, d)
	switch {
	case errors.Is(err, ErrBehind):
		p.report.Outcome = "refused"
	case err != nil:
		p.report.Outcome = "failed"
	}
	if err != nil {
		p.report.Error = err.Error()
	}
	return p.report, err
}

// all runs the steps of a push.
func (p *push) all(ctx context.Context, d snapshot.Dir) (err error) {
	if err := p.bucket.CheckCredentials(); err != nil {
		return err
	}
	var also []snapshot.Pointer
	announced, err := trust.Announced(d)
	switch {
	case err == nil:
		also = append(also, announced)
	case !errors.Is(err, trust.ErrNoRoot) && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if p.own, err = d.Publication(ctx, also...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.own.Close()) }()
	if p.trusted, err = trust.Files(d); err != nil {
		return err
	}
	p.report.Snapshot = p.own.Current.ID
	for _, s := range p.own.Snapshots {
		p.report.Bytes += s.Manifest.Bytes()
	}
	if err := p.look(ctx); err != nil {
		return err
	}
	served := p.served(ctx)
	// The message of ahead names --allow-rollback, which does not help if the new snapshot must not
	// replace the served one.
	if served != nil {
		if err := p.reuse(*served); err != nil {
			return err
		}
	}
	if err := p.ahead(d, served); err != nil {
		return err
	}
	for _, s := range p.own.Snapshots {
		if err := p.snapshot(ctx, s); err != nil {
			return err
		}
	}
	if err := p.point(ctx); err != nil {
		return err
	}
	if p.opt.Keep > 0 {
		return p.prune(ctx)
	}
	return nil
}

// retiredTimestamp is a pointer file of older programs. This program does not write it, so in the
// bucket it names an old snapshot. Therefore a push removes it.
const retiredTimestamp = "timestamp.json"

// maxPointerFile is the largest size of a pointer file in bytes.
const maxPointerFile = 1 << 20

// look reads the pointer files in the bucket.
func (p *push) look(ctx context.Context) error {
	all := []string{snapshot.CurrentName, snapshot.CheckedName, retiredTimestamp, trust.TimestampFile}
	for _, f := range p.trusted {
		if !trust.Immutable(f) && f.Name != trust.TimestampFile {
			all = append(all, f.Name)
		}
	}
	for _, name := range all {
		o, err := p.bucket.read(ctx, name, maxPointerFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		p.shown[name] = o
	}
	return nil
}

// read reads a small file. It returns [fs.ErrNotExist] if the file is missing.
func (b *Bucket) read(ctx context.Context, file string, limit int64) (_ object, err error) {
	r, info, _, err := minio.Core{Client: b.client}.GetObject(ctx, b.name, b.key(file), minio.GetObjectOptions{})
	if err != nil {
		return object{}, b.wrap("read", file, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	content, err := io.ReadAll(io.LimitReader(r, limit))
	return object{info.ETag, content}, b.wrap("read", file, err)
}

// ahead returns an error if the bucket has a later state than the data directory, since mirrors
// would refuse the older state. With [PushOptions.AllowRollback] it only logs a warning.
func (p *push) ahead(d snapshot.Dir, served *snapshot.Manifest) error {
	there := trust.TimestampVersion(p.shown[trust.TimestampFile].content)
	var own int64
	var ownTimestamp []byte
	for _, f := range p.trusted {
		if f.Name == trust.TimestampFile {
			own, ownTimestamp = trust.TimestampVersion(f.Content), f.Content
		}
	}
	var why string
	switch {
	case there > own && own == 0:
		why = fmt.Sprintf("the bucket has %s of version %d, and this data folder has none", trust.TimestampFile, there)
	case there > own:
		why = fmt.Sprintf("the bucket has version %d of %s, and this data folder has version %d", there, trust.TimestampFile, own)
	case there > 0 && there == own && !bytes.Equal(ownTimestamp, p.shown[trust.TimestampFile].content):
		why = fmt.Sprintf("version %d of %s in the bucket differs from the one in this data folder", own, trust.TimestampFile)
	case there == 0 && served != nil && served.ID > p.own.Current.ID && !p.rolledBack(d, served.ID):
		why = fmt.Sprintf("the bucket serves snapshot %s, and the current one here is %s", served.ID, p.own.Current.ID)
	}
	if why == "" {
		return nil
	}
	if p.opt.AllowRollback {
		p.opt.Log.Warn("pushed because a rollback is allowed", "reason", why)
		return nil
	}
	return fmt.Errorf("%w: %s; check whether another machine is the publisher; give --allow-rollback to overwrite the bucket's state", ErrBehind, why)
}

// rolledBack reports whether the data directory was rolled back from snapshot id, which the bucket
// serves. This is so if the directory has that snapshot although its current snapshot is older.
// rolledBack reads CURRENT again, because a nightly build may have replaced it after the push
// began.
func (p *push) rolledBack(d snapshot.Dir, id string) bool {
	current, err := d.Current()
	if err != nil || current != p.own.Current {
		return false
	}
	_, err = os.Stat(filepath.Join(d.Path(), filepath.FromSlash(snapshot.FilePath(id, snapshot.ManifestName))))
	return err == nil
}

// served returns the manifest of the snapshot that the bucket serves. It returns nil if the bucket
// serves none, or if the manifest is damaged; the push then replaces it.
func (p *push) served(ctx context.Context) *snapshot.Manifest {
	at, err := snapshot.ParsePointer(p.shown[snapshot.CurrentName].content)
	if err != nil {
		return nil
	}
	o, err := p.bucket.read(ctx, snapshot.FilePath(at.ID, snapshot.ManifestName), snapshot.MaxManifest)
	if err == nil {
		var m snapshot.Manifest
		if m, err = snapshot.CheckManifest(o.content, at); err == nil {
			return &m
		}
	}
	p.opt.Log.Warn("the snapshot in the bucket is damaged, so all files are sent again", "error", err)
	return nil
}

// reuse records the files of the snapshot that the bucket serves, so that the store can copy files
// with the same content. It returns an error if the new snapshot must not replace the served one.
func (p *push) reuse(served snapshot.Manifest) error {
	for _, own := range p.own.Snapshots {
		if err := p.opt.Over(served, own.Manifest); err != nil {
			return fmt.Errorf("%s: %w", p.bucket.address, err)
		}
	}
	for _, f := range served.Files {
		p.twins[f.SHA256] = snapshot.FilePath(served.ID, f.Path)
	}
	return nil
}

// snapshot sends the files of a snapshot. It sends the manifest last, since only a snapshot with a
// manifest counts as complete.
func (p *push) snapshot(ctx context.Context, s *snapshot.Snapshot) error {
	g, sending := errgroup.WithContext(ctx)
	g.SetLimit(senders)
	for _, f := range s.Manifest.Files {
		g.Go(func() error { return p.file(sending, snapshot.FilePath(s.ID, f.Path), s.Path(f.Path), f) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	manifest, err := s.Manifest.Encode()
	if err != nil {
		return err
	}
	return p.put(ctx, snapshot.FilePath(s.ID, snapshot.ManifestName), manifest, forever, nil)
}

// moved adds n to the number of bytes in the bucket and reports the progress. If as is not nil, it
// points to a count in the report, and moved adds n to this count too.
func (p *push) moved(n int64, as *int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if as != nil {
		*as += n
	}
	p.done += n
	p.opt.Progress(p.done, p.report.Bytes)
}

// file stores a file in the bucket, unless the bucket has it already. name is the file's name in
// the bucket, and local is its path on the disk.
func (p *push) file(ctx context.Context, name, local string, f snapshot.File) (err error) {
	b := p.bucket
	there, err := p.has(ctx, name, f)
	if err != nil || there {
		p.moved(f.Bytes, &p.report.There)
		return err
	}
	from, err := os.Open(local)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if twin, ok := p.twins[f.SHA256]; ok && twin != name && !p.opt.Again {
		if copied, err := p.copy(ctx, twin, name, from, f); err != nil || copied {
			p.moved(f.Bytes, &p.report.Copied)
			return err
		}
	}
	_, err = b.client.PutObject(ctx, b.name, b.key(name), from, f.Bytes, minio.PutObjectOptions{
		UserMetadata: map[string]string{sumName: f.SHA256}, ContentType: "application/octet-stream", CacheControl: forever,
		SendContentMd5: true, DisableContentSha256: true, NumThreads: threads, Progress: (*sent)(p),
	})
	if err != nil {
		return b.wrap("write", name, err)
	}
	return p.verify(ctx, name, from, f)
}

// sent counts bytes while they are sent. The S3 client reports progress by calling Read.
type sent push

func (s *sent) Read(b []byte) (int, error) {
	p := (*push)(s)
	p.moved(int64(len(b)), &p.report.Sent)
	return len(b), nil
}

// has reports whether the bucket has a file with the expected size and the SHA-256 in its metadata.
func (p *push) has(ctx context.Context, name string, f snapshot.File) (bool, error) {
	if p.opt.Again {
		return false, nil
	}
	info, err := p.bucket.client.StatObject(ctx, p.bucket.name, p.bucket.key(name), minio.StatObjectOptions{})
	err = p.bucket.wrap("look at", name, err)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size == f.Bytes && info.UserMetadata[sumName] == f.SHA256, err
}

// largestCopy is the maximum size in bytes of a file that a store can copy internally.
const largestCopy = 5 << 30

// copy makes the store copy an object to name. twin is the name of the object, which is a file of
// another snapshot. copy reports whether the bucket now has the complete file. If it returns false
// and no error, the caller must send the file.
func (p *push) copy(ctx context.Context, twin, name string, from io.ReaderAt, f snapshot.File) (bool, error) {
	if there, err := p.has(ctx, twin, f); err != nil || !there || f.Bytes > largestCopy {
		return false, err
	}
	b := p.bucket
	_, err := b.client.CopyObject(ctx,
		minio.CopyDestOptions{Bucket: b.name, Object: b.key(name)},
		minio.CopySrcOptions{Bucket: b.name, Object: b.key(twin)})
	if err == nil {
		err = p.verify(ctx, name, from, f)
	} else {
		err = b.wrap("copy", name, err)
	}
	if err == nil {
		return true, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	p.opt.Log.Warn("a file is sent because the store does not copy it", "file", name, "error", err)
	return false, nil
}
