package snapshot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// Depth is the thoroughness of a verification.
type Depth int

const (
	// Quick checks the set of files, their sizes and their CRC-32C. This detects accidental damage.
	// It is done before any file is opened for use.
	Quick Depth = iota
	// Deep checks SHA-256 as well.
	Deep
)

// Damage is the error of [Dir.Open] and [Dir.Verify] for a snapshot that does not match its
// manifest.
type Damage struct {
	// ID names the snapshot.
	ID string
	// File is the first damaged file, relative to the snapshot.
	File string
	// Err describes the damage.
	Err error
}

// Error returns one line, even if the file's name has line breaks.
func (d *Damage) Error() string {
	file := d.File
	if !plain(file) {
		file = strconv.Quote(file)
	}
	return fmt.Sprintf("snapshot %s: %s %v", d.ID, file, d.Err)
}

func (d *Damage) Unwrap() error { return d.Err }

// readManifest reads the manifest in dir and compares it with p. The digest of p may be empty.
func readManifest(dir string, p Pointer) (Manifest, error) {
	name := filepath.Join(dir, ManifestName)
	if info, err := os.Lstat(name); err == nil {
		if err := irregular(info.Mode()); err != nil {
			return Manifest{}, &Damage{p.ID, ManifestName, err}
		}
	}
	b, err := readSmall(name, MaxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		err = &Damage{p.ID, ManifestName, fmt.Errorf("is missing: the snapshot was removed or copied only in part: %w", fs.ErrNotExist)}
	}
	if err != nil {
		return Manifest{}, err
	}
	return checkManifest(b, p)
}

// checkManifest parses a manifest and compares it with p. The digest of p may be empty.
func checkManifest(b []byte, p Pointer) (Manifest, error) {
	m, err := ParseManifest(b)
	switch {
	case err != nil:
		return Manifest{}, &Damage{p.ID, ManifestName, err}
	case m.ID != p.ID:
		return Manifest{}, &Damage{p.ID, ManifestName, fmt.Errorf("is the manifest of snapshot %s", m.ID)}
	case p.Digest != "" && digestOf(b) != p.Digest:
		return Manifest{}, &Damage{p.ID, ManifestName, fmt.Errorf("has SHA-256 %s, but CURRENT says %s", digestOf(b), p.Digest)}
	}
	return m, nil
}

// verify checks that dir holds exactly the files of m, and that each file matches its entry.
func verify(ctx context.Context, dir string, m Manifest, depth Depth) error {
	paths, err := filesIn(dir, m.ID)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return p == ManifestName })
	if err := sameFiles(paths, m); err != nil {
		return err
	}
	return each(ctx, len(m.Files), func(i int) error {
		want := m.Files[i]
		got, err := sum(ctx, dir, want.Path, want.Bytes, depth)
		if err != nil {
			return err
		}
		switch {
		case got.Bytes != want.Bytes:
			err = fmt.Errorf("has %d bytes, the manifest says %d", got.Bytes, want.Bytes)
		case got.CRC32C != want.CRC32C:
			err = fmt.Errorf("is altered: CRC-32C %s, the manifest says %s", got.CRC32C, want.CRC32C)
		case depth == Deep && got.SHA256 != want.SHA256:
			err = fmt.Errorf("is altered: SHA-256 %s, the manifest says %s", got.SHA256, want.SHA256)
		default:
			return nil
		}
		return &Damage{m.ID, want.Path, err}
	})
}

// sameFiles returns an error if the sorted paths differ from the paths in the manifest.
func sameFiles(paths []string, m Manifest) error {
	for i := range max(len(paths), len(m.Files)) {
		switch {
		case i == len(paths) || i < len(m.Files) && m.Files[i].Path < paths[i]:
			return &Damage{m.ID, m.Files[i].Path, errors.New("is missing")}
		case i == len(m.Files) || m.Files[i].Path > paths[i]:
			return &Damage{m.ID, paths[i], errors.New("is not in the manifest")}
		}
	}
	return nil
}

// filesIn returns the sorted paths of the files under dir, relative to dir. It returns an error for
// special files and empty directories, since a zip or a copy over HTTP would lose them.
func filesIn(dir, id string) ([]string, error) {
	var paths []string
	var last string // the previous entry of the walk if it is a directory, else ""
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if last != "" && filepath.ToSlash(filepath.Dir(filepath.FromSlash(rel))) != last {
			return &Damage{id, last, errors.New("is an empty directory")}
		}
		last = ""
		if e.IsDir() {
			if rel != "." {
				last = rel
			}
			return nil
		}
		if err := irregular(e.Type()); err != nil {
			return &Damage{id, rel, err}
		}
		paths = append(paths, rel)
		return nil
	})
	if err == nil && last != "" {
		err = &Damage{id, last, errors.New("is an empty directory")}
	}
	slices.Sort(paths)
	return paths, err
}

// irregular returns nil for a regular file, and for any other file an error that names its type.
func irregular(mode fs.FileMode) error {
	switch {
	case mode.Type() == fs.ModeSymlink:
		return errors.New("is a symbolic link")
	case !mode.IsRegular():
		return errors.New("is not a regular file")
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// piece is the size of a buffer into which sum reads. A buffer is so large that the cost of system
// calls is negligible, and so small that it fits into the processor's cache.
const piece = 256 << 10

// buffers is a pool of such buffers.
var buffers = sync.Pool{New: func() any { b := make([]byte, piece); return &b }}

// sum reads a file and returns its size and checksums. It computes SHA-256 only at depth Deep. If
// want is not negative and the size of the file is not want, sum returns only the size.
func sum(ctx context.Context, dir, rel string, want int64, depth Depth) (_ File, err error) {
	f, err := openRegular(filepath.Join(dir, filepath.FromSlash(rel)))
	if err != nil {
		return File{}, err
	}
	defer closing(f, &err)
	info, err := f.Stat()
	if err != nil {
		return File{}, err
	}
	got := File{Path: rel, Bytes: info.Size()}
	if want >= 0 && got.Bytes != want {
		return got, nil
	}
	crc := crc32.New(castagnoli)
	hashes := []hash.Hash{crc}
	if depth == Deep {
		hashes = append(hashes, sha256.New())
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	got.Bytes = 0
	for {
		n, err := f.Read(*buf)
		for _, h := range hashes {
			h.Write((*buf)[:n]) // a hash.Hash never returns an error
		}
		got.Bytes += int64(n)
		if err == io.EOF {
			break
		}
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return File{}, err
		}
	}
	got.CRC32C = hex.EncodeToString(crc.Sum(nil))
	if depth == Deep {
		got.SHA256 = hex.EncodeToString(hashes[1].Sum(nil))
	}
	return got, nil
}

// each calls do(0) … do(n-1) in parallel on all processors. After an error it starts no further
// calls. It returns the error of the call with the lowest number.
func each(ctx context.Context, n int, do func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	workers.Wait()
	return cmp.Or(cmp.Or(errs...), ctx.Err())
}

// CheckManifest parses a manifest from another machine and checks that p names it.
func CheckManifest(b []byte, p Pointer) (Manifest, error) { return checkManifest(b, p) }
