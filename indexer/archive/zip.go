package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// minRatioSize is the unpacked size from which Limits.Ratio applies. A smaller file may have a
// higher ratio, because it cannot fill the memory or the disk.
const minRatioSize = 16 << 20

// isZip reports whether a file starts like a zip. An empty zip counts as a zip.
func isZip(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		return false, err
	}
	return bytes.Equal(head, []byte("PK\x03\x04")) || bytes.Equal(head, []byte("PK\x05\x06")), nil
}

func openZip(name string, lim Limits) (*Archive, error) {
	base := filepath.Base(name)
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	from := &entryReader{ReaderAt: f, left: maxEntryList}
	z, err := zip.NewReader(from, info.Size())
	if errors.Is(err, zip.ErrInsecurePath) {
		err = nil // addZip checks the names and gives a clearer message
	}
	switch {
	case from.left < 0:
		return nil, errors.Join(fmt.Errorf("source %s: its list of entries has more than %d bytes: %w", base, maxEntryList, ErrUnsafe), f.Close())
	case err != nil:
		return nil, errors.Join(fmt.Errorf("open source %s: %w; it is cut off or not a zip", base, err), f.Close())
	}
	from.read = true
	a := &Archive{name: base, path: name, files: map[string]file{}, closer: f}
	a.watch(base, info, func() (fs.FileInfo, error) { return os.Stat(name) })
	if err := a.addZip(z.File, info.Size(), lim); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := a.check(lim); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return a, nil
}

// maxEntryList is the maximum size in bytes of a zip's central directory, which lists the entries.
// archive/zip reads the whole list before this program can count the entries.
const maxEntryList = 16 << 20

// entryReader returns an error if more than maxEntryList bytes are read before the list of entries
// is complete. Later reads have no limit.
type entryReader struct {
	io.ReaderAt
	left int64
	read bool // the list has been read
}

func (d *entryReader) ReadAt(p []byte, at int64) (int, error) {
	if !d.read {
		if d.left -= int64(len(p)); d.left < 0 {
			return 0, ErrUnsafe
		}
	}
	return d.ReaderAt.ReadAt(p, at)
}

func (a *Archive) addZip(entries []*zip.File, size int64, lim Limits) error {
	refuse := func(f *zip.File, why string) error {
		return fmt.Errorf("source %s: entry %q %s: %w", a.name, f.Name, why, ErrUnsafe)
	}
	if len(entries) > lim.Files {
		return fmt.Errorf("source %s: %d entries, more than %d: %w", a.name, len(entries), lim.Files, ErrUnsafe)
	}
	var packed uint64
	for _, f := range entries {
		n := entryName(f)
		if why := unsafeReason(strings.TrimSuffix(n, "/")); why != "" {
			return refuse(f, why)
		}
		n = path.Clean(n)
		mode := f.Mode()
		unpacked := f.UncompressedSize64
		switch {
		case mode.IsDir():
			continue
		case mode&fs.ModeType != 0:
			return refuse(f, "is a link or a device, not a file")
		case slices.ContainsFunc(strings.Split(n, "/"), ignored):
			continue
		case f.Flags&1 != 0:
			return refuse(f, "is encrypted")
		case a.Has(n):
			return refuse(f, "occurs twice")
		case unpacked > uint64(lim.File):
			return refuse(f, fmt.Sprintf("unpacks to %d bytes, more than %d", unpacked, lim.File))
		case unpacked > minRatioSize && unpacked/uint64(lim.Ratio) > f.CompressedSize64:
			return refuse(f, fmt.Sprintf("unpacks to more than %d times its size", lim.Ratio))
		}
		if packed += f.CompressedSize64; packed > uint64(size) {
			return refuse(f, "overlaps others")
		}
		a.add(n, file{size: int64(unpacked), modified: f.Modified, open: f.Open})
	}
	return nil
}

// entryName returns an entry's name in UTF-8. It decodes names in GBK, which Chinese Windows writes
// without marking the encoding.
func entryName(f *zip.File) string {
	if f.NonUTF8 && !utf8.ValidString(f.Name) {
		if s, err := simplifiedchinese.GB18030.NewDecoder().String(f.Name); err == nil {
			return s
		}
	}
	return f.Name
}
